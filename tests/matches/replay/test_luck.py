"""Luck and skill in the replay player: told of what was watched, and of nothing beyond."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from luck import UNIT, GameAccount, analyse
from luck.laghetti.deals import POINT, DealtGame
from tests.matches.replay.stage import RECORDS, canned
from tests.matches.replay.test_player import visit  # noqa: F401  a fixture

pytestmark = pytest.mark.browser

WHOLE = analyse(RECORDS[1])  # the second game: in the first a bot falls out
assert isinstance(WHOLE, GameAccount)
MINUS = "\N{MINUS SIGN}"
LAST = len(WHOLE.shares) - 1
CHOSEN = next(one for one in WHOLE.decisions if one.kind == "go_on" and one.lost > UNIT // 200)


def watch(visit: Callable[..., Page], query: str = "?game=2", **options: Any) -> Page:  # noqa: F811
    page = visit(query, path="/matches/7/luck/", **options)
    expect(page.locator(".lk-ribbon")).to_be_visible()
    return page


def reached(page: Page) -> float:
    """How far the ribbon is drawn, from 0 to 1."""
    drawn = page.locator(".lk-area").first.get_attribute("d") or ""
    return max(float(x) for x in re.findall(r"[HL]([\d.]+)", drawn)) / 1000


def test_the_ribbon_ends_where_the_viewer_is(visit: Callable[..., Page]) -> None:  # noqa: F811
    page = watch(visit, "?game=2")
    for step in (10, 40):
        page.goto(f"{page.url.partition('?')[0]}?game=2")
        expect(page.locator(".lk-ribbon")).to_be_visible()
        for _ in range(step):
            page.keyboard.press(".")
        expect(page.locator(".rp-count")).to_have_text(f"{step} / {LAST}")
        assert reached(page) == pytest.approx(step / LAST, abs=0.001)
        marks = [one for one in WHOLE.decisions if one.to_dict()["mark"] and one.step <= step]
        expect(page.locator(".lk-mark")).to_have_count(len(marks))
        expect(page.locator(".lk-sum")).to_have_count(0)


def test_at_a_choice_the_alternatives_are_told_the_best_first(visit: Callable[..., Page]) -> None:  # noqa: F811
    page = watch(visit, f"?game=2&step={CHOSEN.step}")
    page.get_by_role("tab", name="Luck").click()
    rows = page.locator(".lk-option")
    expect(rows).to_have_count(len(CHOSEN.options))
    expect(rows.first).to_contain_text("best")
    expect(page.locator(".lk-option[aria-current]")).to_contain_text("(played)")
    less = f"{MINUS}{100 * CHOSEN.lost / UNIT:.1f}"
    expect(page.locator(".lk-option[aria-current]")).to_contain_text(less)


def test_the_luck_of_a_roll_is_told(visit: Callable[..., Page]) -> None:  # noqa: F811
    roll = WHOLE.events[3]
    page = watch(visit, f"?game=2&step={roll.step}")
    page.get_by_role("tab", name="Luck").click()
    points = f"{abs(100 * roll.luck[roll.seat] / UNIT):.1f} points"
    expect(page.locator(".lk-panel")).to_contain_text(points)


def test_at_the_end_the_parts_are_summed_up(visit: Callable[..., Page]) -> None:  # noqa: F811
    page = watch(visit, f"?game=2&step={LAST}")
    page.get_by_role("tab", name="Luck").click()
    cells = page.locator(".lk-sum tbody tr td:first-of-type").all_inner_texts()
    *parts, result = (float(text.replace(MINUS, "-")) for text in cells)
    assert sum(parts) == pytest.approx(result, abs=0.3)
    assert result == 100 * WHOLE.final[1] / UNIT  # of seat A, who sits second in the second game
    turning = page.locator(".lk-points button")
    expect(turning).to_have_count(4)
    turning.first.click()
    expect(page.locator(".rp-count")).not_to_have_text(f"{LAST} / {LAST}")


def test_it_waits_for_a_worker_and_says_why_there_is_none(visit: Callable[..., Page]) -> None:  # noqa: F811
    page = visit("", path="/matches/7/")
    expect(page.get_by_role("tab", name="Luck")).to_have_count(0)
    asked: list[str] = []

    def later(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=202, headers={"Retry-After": "1"}, json={"state": "pending"})
        else:
            route.fulfill(body=json.dumps({"state": "none", "code": "turn_cap", "why": ""}))

    page.route("**/luck.json", later)
    page.goto("/matches/7/luck/?game=2")
    page.get_by_role("tab", name="Luck").click()
    expect(page.locator(".lk-panel")).to_have_text("This game is being analysed …")
    expect(page.locator(".lk-panel")).to_have_text("This game was ended after too many turns: it is not analysed.")
    expect(page.locator(".lk-ribbon")).to_be_hidden()
    assert len(asked) == 2


def board(visit: Callable[..., Page], ruleset: str, step: int) -> Page:  # noqa: F811
    page = visit(f"?step={step}", path=f"/boards/{ruleset}/luck/")
    page.get_by_role("tab", name="Luck").click()
    return page


def test_what_specialists_are_for_is_told_in_words(visit: Callable[..., Page]) -> None:  # noqa: F811
    found = analyse(canned("heckmeck"))
    assert isinstance(found, GameAccount)
    words = {"golden": "roll the golden die too", "weasel": "throw these dice again", "keep": "keep the "}
    told = {one.kind: one for one in found.decisions if one.kind in words}
    assert told
    for kind, decision in told.items():
        rows = board(visit, "heckmeck", decision.step).locator(".lk-option")
        expect(rows).to_have_count(len(decision.options))
        expect(rows.filter(has_text=words[kind])).not_to_have_count(0)


def test_of_the_lakes_the_cards_of_the_round_are_told(visit: Callable[..., Page]) -> None:  # noqa: F811
    found = analyse(canned("laghetti"))
    assert isinstance(found, DealtGame)
    second = found.deals[1]
    panel = board(visit, "laghetti", second.step).locator(".lk-panel")
    expect(panel).to_contain_text("Cards dealt in round 2")
    expect(panel).to_contain_text(f"{abs(second.luck[0]) / POINT:.1f}")
    expect(board(visit, "laghetti", 0).locator(".lk-panel")).to_contain_text("The cards are being dealt.")


def test_of_karteneck_it_is_said_why_nothing_is_told(visit: Callable[..., Page]) -> None:  # noqa: F811
    expect(board(visit, "karteneck", 9).locator(".lk-panel")).to_contain_text("explains next to nothing")
