"""Luck and skill in the replay player: shown for the steps that were watched, and for none beyond."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from games.catalogue import GAMES, ruleset_find_or_current
from games.frames import frames
from luck import UNIT, GameAccount, luck_analyse, luck_analysed_by
from luck.game_account import POINT, DealtGame
from matches.pages.player import player_luck_parts
from tests.browser.chromium import until
from tests.matches.replay.player_server import RECORDS, canned
from tests.matches.replay.test_player import visit  # noqa: F401  a fixture
from tests.waiting import eventually

pytestmark = pytest.mark.browser

WHOLE = luck_analyse(RECORDS[1])  # the second game: in the first a bot falls out
assert isinstance(WHOLE, GameAccount)
MINUS = "\N{MINUS SIGN}"
LAST = len(WHOLE.shares) - 1
CHOSEN = next(one for one in WHOLE.decisions if one.kind == "go_on" and one.lost > UNIT // 200)


# Each bar of a waterfall begins where the one before ends.
STEPS_ARE_JOINED = """() => [...document.querySelectorAll(".lk-sum table")].every((fall) => {
  const ends = [...fall.querySelectorAll("rect")].map((bar) => {
    const { x, width } = bar.getBBox();
    return [x, x + width];
  });
  return ends.slice(1).every((one, at) => one.some((end) => ends[at].some((other) => Math.abs(end - other) < 1)));
})"""


def watch(visit: Callable[..., Page], query: str = "?game=2", **options: Any) -> Page:  # noqa: F811
    page = visit(query, path="/matches/7/luck/", **options)
    expect(page.locator(".lk-ribbon")).to_be_visible()
    return page


def reached(page: Page) -> float:
    """How far the ribbon is drawn, from 0 to 1."""
    drawn = page.locator(".lk-area").first.get_attribute("d") or ""
    return max(float(x) for x in re.findall(r"[HL]([\d.]+)", drawn)) / 1000


def reaches(page: Page, share: float) -> bool:
    """Whether it is drawn so far, once the dice lie."""
    return eventually(lambda: reached(page) == pytest.approx(share, abs=0.001))


def test_the_ribbon_ends_where_the_viewer_is(visit: Callable[..., Page]) -> None:  # noqa: F811
    page = watch(visit, "?game=2")
    for step in (10, 40):
        page.goto(f"{page.url.partition('?')[0]}?game=2")
        expect(page.locator(".lk-ribbon")).to_be_visible()
        for _ in range(step):
            page.keyboard.press(".")
        expect(page.locator(".rp-count")).to_have_text(f"{step} / {LAST}")
        assert reaches(page, step / LAST)
        marks = [one for one in WHOLE.decisions if one.to_dict()["mark"] and one.step <= step]
        expect(page.locator(".lk-mark")).to_have_count(len(marks))
        expect(page.locator(".lk-sum")).to_have_count(0)


@pytest.mark.parametrize(("width", "height", "high"), [(1280, 800, 96), (390, 844, 68)])
def test_the_win_chance_is_a_graph_under_the_board_with_a_legend(
    visit: Callable[..., Page],  # noqa: F811
    width: int,
    height: int,
    high: int,
) -> None:
    page = watch(visit, f"?game=2&step={LAST // 2}", width=width)
    page.set_viewport_size({"width": width, "height": height})
    box = page.locator(".rp-hero").bounding_box()
    assert box is not None
    assert box["height"] == pytest.approx(high, abs=1)
    shares = [f"{round(100 * WHOLE.shares[LAST // 2][at] / UNIT)} %" for at in (1, 0)]
    expect(page.locator(".rp-legend b")).to_have_text(shares)
    expect(page.locator(".rp-legend")).to_contain_text("Chance to win")
    blunders = [one for one in WHOLE.decisions if one.to_dict()["mark"] == "blunder"]
    names = page.locator(".lk-name")
    assert names.count() <= 4
    assert (names.count() > 0) == bool(blunders)
    page.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + box["height"] / 2)
    quarter = "|".join(str(round(0.25 * LAST) + off) for off in (-1, 0, 1))
    expect(page.locator(".rp-count")).to_have_text(re.compile(f"^({quarter}) /"))


def test_on_a_phone_one_tap_in_sight_leads_to_the_luck(visit: Callable[..., Page]) -> None:  # noqa: F811
    page = watch(visit, f"?game=2&step={CHOSEN.step}", width=390)
    way = page.locator(".rp-buttons").get_by_role("button", name="Luck")
    expect(way).to_be_in_viewport(ratio=1)
    way.click()
    expect(page.locator(".lk-option")).to_have_count(len(CHOSEN.options))
    expect(page.get_by_role("tab", name="Luck")).to_have_attribute("aria-selected", "true")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(way).to_be_hidden()  # there the tab itself is in sight


def test_games_without_a_value_show_points_there(visit: Callable[..., Page]) -> None:  # noqa: F811
    last = list(frames(canned("karteneck")))[-1]
    page = visit(f"?step={last.n}", path="/boards/karteneck/luck/")
    expect(page.locator(".rp-legend b")).to_have_text([str(worms) for worms in last.view["worms"]])
    expect(page.locator(".rp-points .rp-line-of")).to_have_count(3)


def test_at_a_choice_the_alternatives_are_listed_the_best_first(visit: Callable[..., Page]) -> None:  # noqa: F811
    page = watch(visit, f"?game=2&step={CHOSEN.step}")
    page.get_by_role("tab", name="Luck").click()
    rows = page.locator(".lk-option")
    expect(rows).to_have_count(len(CHOSEN.options))
    expect(rows.first).to_contain_text("best")
    expect(page.locator(".lk-option[aria-current]")).to_contain_text("(played)")
    less = f"{MINUS}{100 * CHOSEN.lost / UNIT:.1f}"
    expect(page.locator(".lk-option[aria-current]")).to_contain_text(less)


def test_the_luck_of_a_roll_is_shown(visit: Callable[..., Page]) -> None:  # noqa: F811
    roll = WHOLE.events[3]
    page = watch(visit, f"?game=2&step={roll.step}")
    page.get_by_role("tab", name="Luck").click()
    points = f"{abs(100 * roll.luck[roll.seat] / UNIT):.1f} points"
    expect(page.locator(".lk-panel")).to_contain_text(points)


def test_at_the_end_the_parts_are_summed_up(visit: Callable[..., Page]) -> None:  # noqa: F811
    page = watch(visit, f"?game=2&step={LAST}")
    page.get_by_role("tab", name="Luck").click()
    falls = page.locator(".lk-sum table")
    expect(falls.locator("caption")).to_have_text(["AFat Crow", "BWise Owl"])
    for seat, at in ((0, 1), (1, 0)):  # seat A sits second in the second game
        *parts, result = (
            float(text.replace(MINUS, "-")) for text in falls.nth(seat).locator("td.number").all_inner_texts()
        )
        assert len(parts) == 5
        assert sum(parts) == pytest.approx(result, abs=0.3)
        assert result == 100 * WHOLE.final[at] / UNIT
    assert page.evaluate(STEPS_ARE_JOINED)
    winner = max(range(2), key=lambda at: WHOLE.final[at])
    luck, lost, theirs = (round(abs(100 * part[winner] / UNIT)) for part in (WHOLE.luck, WHOLE.lost, WHOLE.theirs))
    reason = page.locator(".lk-why")
    expect(reason).to_contain_text(f"{('Wise Owl', 'Fat Crow')[winner]} won ")
    assert luck > 0
    if theirs > luck:  # the largest part is named first
        expect(reason).to_contain_text(f"by the others' mistakes, which gave {theirs} points; luck gave {luck}")
    else:
        expect(reason).to_contain_text(f"by {luck} points of luck")
        expect(reason).to_contain_text(f"mistakes that cost {lost}" if lost else "no mistakes")
    turning = page.locator(".lk-points button")
    expect(turning).to_have_count(4)
    expect(turning.first).to_contain_text("Turn ")
    turning.first.click()
    expect(page.locator(".rp-count")).not_to_have_text(f"{LAST} / {LAST}")
    expect(page.locator(".lk-verdict").first).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".lk-tap").click()
    turning.last.click()
    expect(page.locator(".lk-verdict").first).to_be_in_viewport(ratio=1)


def test_it_waits_for_a_worker_and_says_why_there_is_none(visit: Callable[..., Page]) -> None:  # noqa: F811
    page = visit("", path="/matches/7/")
    expect(page.get_by_role("tab", name="Luck")).to_have_count(0)
    requests: list[Route] = []

    def later(route: Route) -> None:
        requests.append(route)
        if len(requests) == 1:
            route.fulfill(status=202, headers={"Retry-After": "1"}, json={"state": "pending"})

    page.route("**/luck.json", later)
    page.goto("/matches/7/luck/?game=2")
    page.get_by_role("tab", name="Luck").click()
    expect(page.locator(".lk-panel")).to_have_text("This game is being analysed …")
    until(page, lambda: len(requests) == 2)
    requests[1].fulfill(body=json.dumps({"state": "none", "code": "turn_cap", "why": ""}))
    expect(page.locator(".lk-panel")).to_have_text("This game was ended after too many turns: it is not analysed.")
    expect(page.locator(".lk-ribbon")).to_be_hidden()
    assert len(requests) == 2


def board(visit: Callable[..., Page], ruleset: str, step: int) -> Page:  # noqa: F811
    page = visit(f"?step={step}", path=f"/boards/{ruleset}/luck/")
    page.get_by_role("tab", name="Luck").click()
    return page


def test_the_purpose_of_specialists_is_explained(visit: Callable[..., Page]) -> None:  # noqa: F811
    found = luck_analyse(canned("heckmeck"))
    assert isinstance(found, GameAccount)
    words = {"golden": "roll the golden die too", "weasel": "throw these dice again", "keep": "keep the "}
    data = {one.kind: one for one in found.decisions if one.kind in words}
    assert data
    for kind, decision in data.items():
        rows = board(visit, "heckmeck", decision.step).locator(".lk-option")
        expect(rows).to_have_count(len(decision.options))
        expect(rows.filter(has_text=words[kind])).not_to_have_count(0)


def test_the_cards_of_the_round_are_shown_for_laghetti(visit: Callable[..., Page]) -> None:  # noqa: F811
    found = luck_analyse(canned("laghetti"))
    assert isinstance(found, DealtGame)
    second = found.deals[1]
    panel = board(visit, "laghetti", second.step).locator(".lk-panel")
    expect(panel).to_contain_text("Cards dealt in round 2")
    expect(panel).to_contain_text(f"{abs(second.luck[0]) / POINT:.1f}")
    expect(board(visit, "laghetti", 0).locator(".lk-panel")).to_contain_text("The cards are being dealt.")


def test_only_games_that_something_analyses_have_a_tab_of_luck() -> None:
    rulesets = {name: ruleset_find_or_current(name).id for name in GAMES}
    has_tab = {name: bool(player_luck_parts(ruleset)) for name, ruleset in rulesets.items()}
    assert has_tab == {name: bool(luck_analysed_by(ruleset)) for name, ruleset in rulesets.items()}
    assert has_tab["pickomino"]
    assert not has_tab["karteneck"]
