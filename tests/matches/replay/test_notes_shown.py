"""What bots say of their moves, in the replay: below the move, on the board, and in the graph of the chances."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, Route, expect

from games.catalogue import GAMES
from luck import luck_value_of
from matches.analysis.services import analysis_make, analysis_request
from matches.models import Match
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.browser.chromium import resize
from tests.matches.factories import FinishedMatchFactory

SOURCES = {bot.name: bot.source() for bot in GAMES["pickomino"].house_bots}
WITH_NOTES = b"""
def act(view):
    tile = "tile %s" % max(view["grill"], default=0)
    note = "<img src=x onerror=alert(1)> \\u202e" + "long " * 60
    return {"action": view["actions"][-1], "note": note, "marks": [tile, "tile ]", "constructor x", ""], "value": 0.8}
"""


def match_of(*sources: bytes, **bot: Any) -> Match:
    versions = [BotVersionFactory(bot=BotFactory(**bot), source=source) for source in sources]
    match: Match = FinishedMatchFactory(seats=versions, luck_value=luck_value_of("pickomino/1"))
    return match


def player(match: Match) -> dict[str, Any]:
    found: dict[str, Any] = Client().get(reverse("matches:detail", args=[match.pk])).context["player"]
    return found


@pytest.mark.django_db
def test_the_player_requests_notes_only_where_a_bot_explains_itself() -> None:
    assert "notes" not in player(match_of(SOURCES["cautious"], SOURCES["cautious"]))
    match = match_of(SOURCES["guard"], SOURCES["cautious"])
    assert player(match)["notes"] == f"/matches/{match.pk}/games/{{game}}/notes.json"
    Match.objects.filter(pk=match.pk).update(state="held", finished_at=None)
    assert "notes" not in player(match)


@pytest.mark.django_db
def test_notes_of_a_house_bot_are_public() -> None:
    match = match_of(SOURCES["guard"], SOURCES["cautious"], is_house=True)
    notes = Client().get(reverse("matches:game-notes", args=[match.pk, 0])).json()["notes"]
    assert any("I go on" in one["note"] for one in notes)
    assert all(0 <= one["value"] <= 1 for one in notes)
    assert {mark.split(" ")[0] for one in notes for mark in one["marks"]} == {"tile"}


@pytest.fixture(scope="module", autouse=True)
def _database_beside_the_browser() -> Iterator[None]:
    """Django takes the loop that drives the browser for a view's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield


@pytest.fixture
def shown(browser: Browser, live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """``shown(match, step)``: its page. The script whose address holds ``late`` comes when the rest is there."""
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    contexts = []

    def come(match: Match, step: int, *, late: str = "") -> Page:
        found = analysis_request(game=match.games.get(index=0), value=luck_value_of("pickomino/1"), user_id=None)
        analysis_make(analysis_id=found.pk)
        contexts.append(browser.new_context(base_url=live_server.url, reduced_motion="reduce"))
        page: Page = contexts[-1].new_page()
        held: list[Route] = []
        address = f"/matches/{match.pk}/?step={step}"
        if late:
            page.route(re.compile(rf"/static/.*{late}\.js"), lambda route: held.append(route))
            with page.expect_request(re.compile(rf"/static/.*{late}\.js")):
                page.goto(address)
            expect(page.locator(".lk-ribbon" if late == "replay/later" else ".nt-note")).to_be_visible()
            held[0].continue_()
        else:
            page.goto(address)
        expect(page.locator(".nt-note")).to_be_visible()
        return page

    yield come
    for context in contexts:
        context.close()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("late", ["replay/later", "luck/index"])
def test_a_note_stands_below_its_move_its_marks_on_the_board_and_its_belief_in_the_graph(shown: Any, late: str) -> None:
    match = match_of(WITH_NOTES, SOURCES["cautious"], notes_shown=True)
    first = Client().get(reverse("matches:game-notes", args=[match.pk, 0])).json()["notes"][0]
    page = shown(match, first["step"], late=late)
    note = page.locator(".nt-note")
    expect(note).to_contain_text(re.compile(r"It believed 80\s%, it had \d+\s%\."))
    expect(note.locator("q")).to_contain_text("<img src=x onerror=alert(1)> \ufffdlong")
    expect(page.locator("[data-noted]")).to_have_count(1)
    expect(page.locator('[data-noted][data-tile="36"]')).to_be_visible()
    expect(page.locator(".nt-line")).to_have_count(1)
    expect(page.get_by_text("what the bot believed")).to_be_visible()
    expect(page.locator(".nt-choice option")).to_have_count(2)  # the bot, and none
    slider = page.get_by_role("slider", name="Step")
    slider.fill("0")
    expect(page.locator("[data-noted], .nt-note > *")).to_have_count(0)
    page.unroute_all()
    page.goto(f"/matches/{match.pk}/embed/?controls=0&title=0&step={first['step']}")
    expect(page.locator(".nt-note")).to_be_attached()
    board, room = (page.locator(part).bounding_box() for part in (".rp-stage", "match-replay"))
    assert board == room


BELIEVES = (
    SOURCES["cautious"]
    + b"""
choose = act
def act(view):
    return {"action": choose(view), "value": %s}
"""
)


def drawn(page: Page, *letters: str) -> None:
    """Wait until the belief of these seats is in the graph, as the letters at the ends of the lines say."""
    expect(page.locator(".nt-letters text")).to_have_text([*letters])


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_belief_is_drawn_in_the_colour_of_its_bot_and_one_s_own_at_first(shown: Any) -> None:
    match = match_of(BELIEVES % b"0.9", BELIEVES % b"0.2", notes_shown=True)
    page = shown(match, 40)
    names = page.locator(".rp-seats .rp-name").all_text_contents()
    choice = page.get_by_label("What the bot believed")
    expect(page.locator(".nt-lines .nt-line")).to_have_attribute("data-seat", "0")
    drawn(page, "A")
    expect(page.locator(".nt-edge")).to_have_text([f"{name} wins" for name in names])
    choice.select_option(label=f"B {names[1]}")
    drawn(page, "B")
    expect(page.locator(".nt-edge")).to_have_text([f"{name} wins" for name in reversed(names)])
    choice.select_option("All")
    drawn(page, "A", "B")
    colours = page.locator(".nt-lines .nt-line").evaluate_all("(all) => all.map((one) => getComputedStyle(one).stroke)")
    dashes = page.locator(".nt-lines .nt-line").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).strokeDasharray)"
    )
    assert len(set(colours)) == len(set(dashes)) == 2
    letters = page.locator(".nt-letters text").evaluate_all("(all) => all.map((one) => getComputedStyle(one).fill)")
    assert letters == colours
    for width in (1280, 390):
        resize(page, width, 844)
        legend, graph = (page.locator(part).bounding_box() for part in (".rp-legend", ".rp-hero"))
        assert legend is not None
        assert graph is not None
        assert legend["y"] + legend["height"] <= graph["y"] + 1
        expect(choice).to_be_in_viewport(ratio=1)
    choice.select_option("None")
    expect(page.locator(".nt-belief")).to_be_hidden()
    expect(page.locator(".lk-area").first).to_be_visible()
    owner = Client()
    owner.force_login(match.seats.get(index=1).version.bot.owner)
    page.context.add_cookies([{"name": "sessionid", "value": owner.cookies["sessionid"].value, "url": page.url}])
    page.reload()
    expect(page.locator(".nt-letters text")).to_have_text("B")


POINTS = b"""
def act(view):
    faces = sorted({face.lstrip("+") for face in view["rolled"]})
    return {"action": view["actions"][-1], "note": "of all", "marks": ["die " + face for face in faces], "value": 0.5}
"""


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_pieces_are_marked_where_the_bot_saw_them_before_it_acts(shown: Any) -> None:
    match = match_of(POINTS, SOURCES["cautious"], notes_shown=True)
    notes = Client().get(reverse("matches:game-notes", args=[match.pk, 0])).json()["notes"]
    taken = next(one["step"] for one in notes if len(one["marks"]) > 2)
    page = shown(match, taken)
    marked, note = page.locator(".pk-rolled [data-noted]"), page.locator(".nt-note")
    expect(marked).to_have_count(0)  # the roll is gone
    expect(note).to_contain_text("It believed")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("slider", name="Step")).to_have_value(str(taken - 1))
    expect(page.locator(".pk-rolled .die:not([data-noted])")).to_have_count(0)
    expect(marked.nth(2)).to_be_attached()
    expect(note).to_contain_text("of all")
    expect(note).not_to_contain_text("It believed")
    page.keyboard.press("ArrowRight")
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_have_value(str(taken))
    page.locator('.games a.button[data-replay-game="0"]').click()  # the same game again
    slider.fill(str(taken))
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(str(taken - 1))


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_nothing_of_it_is_shown_to_who_may_not_read_it(shown: Any) -> None:
    match = match_of(WITH_NOTES, SOURCES["guard"])
    bot = match.seats.get(index=1).version.bot
    bot.notes_shown = True
    bot.save()
    page = shown(match, 8)
    page.get_by_role("slider", name="Step").fill("100000")
    expect(page.locator('.nt-line[data-seat="1"]')).to_have_count(1)
    expect(page.locator('.nt-line[data-seat="0"]')).to_have_count(0)
    assert "onerror" not in page.content()
