"""A person plays whole games against house bots: by mouse, by keyboard, and on a phone."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.playground.context import playground_settings
from tests.browser.chromium import WAIT_MS, stop_the_clock
from tests.browser.running import Site
from tests.waiting import eventually

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not playground_settings(), reason="no Python for browsers: npm brings it"),
]
WAYS = {
    "mouse": ({"width": 1280, "height": 900}, False),
    "keyboard": ({"width": 1280, "height": 900}, False),
    "phone": ({"width": 390, "height": 844}, True),
    "phone on its side": ({"width": 844, "height": 390}, True),
}
REVIEWS = {
    "pickomino": "The dice were worth",
    "heckmeck": "The dice were worth",
    "laghetti": "Your cards were worth",
    "karteneck": "The luck of the draw hardly affects a result",
}
LISTED = "() => [...document.querySelectorAll('#pg-choices button')].map((one) => one.dataset.action)"
LAID = """() => {
  const laid = document.querySelectorAll(".rp-picks [data-actions]:not([aria-hidden])");
  return [...laid].map((one) => one.dataset.actions);
}"""
# What is to be done: choices, or nothing more. What the bots do is skipped at once: it ends soon by itself.
NEXT = """() => {
  const skip = document.getElementById("pg-skip");
  if (skip?.checkVisibility()) skip.click();
  const choices = [...document.querySelectorAll("#pg-choices button")];
  if (!choices.length) return null;
  return choices[0].dataset.action ? `${document.getElementById("pg-choices").dataset.shown}` : "over";
}"""

# The answers on the board that take a tap meant for what lies over them.
COVERED = """() => {
  const hand = document.querySelector(".pg-hand").getBoundingClientRect();
  const middles = [...document.querySelectorAll(".rp-picks [data-actions]")].map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });
  const bottom = Math.min(hand.bottom, innerHeight);
  const under = middles.filter(([x, y]) => y > hand.top && y < bottom && x > hand.left && x < hand.right);
  if (!under.length) return ["nothing lies under it: scroll"];
  return under.filter(([x, y]) => !document.elementFromPoint(x, y)?.closest(".pg-hand"));
}"""


@pytest.fixture
def person(browser: Browser, place: Site, complaints: list[str]) -> Callable[[str], Page]:
    contexts = []

    def arrive(way: str) -> Page:
        viewport, touches = WAYS[way]
        context = browser.new_context(
            base_url=place.url,
            viewport=viewport,
            has_touch=touches,
            reduced_motion="reduce",  # type: ignore[arg-type]
        )
        context.set_default_timeout(WAIT_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield arrive
    for context in contexts:
        context.close()
    assert not complaints


def use(page: Page, way: str, selector: str) -> None:
    target = page.locator(selector)
    if way == "mouse":
        target.click()
    elif way == "phone":
        target.tap()
    else:
        target.focus()
        page.keyboard.press("Enter")


def play_out(page: Page, way: str) -> int:
    """Play to the end of the game, always the last thing on offer but every fifth time the first; how many actions."""
    actions = 0
    before = ""
    while True:
        handle = page.wait_for_function(
            f"(before) => {{ const next = ({NEXT})(); return next && next !== before && next }}", arg=before
        )
        found = str(handle.json_value())
        if found == "over":
            return actions
        before = found
        listed = page.evaluate(
            "() => [...document.querySelectorAll('#pg-choices button')].map((one) => one.dataset.action)"
        )
        actions += 1
        wanted = listed[0 if actions % 5 == 0 else -1]
        if way == "keyboard":
            use(page, way, f'#pg-choices [data-action="{wanted}"]')
        else:
            on_the_board(page, way, listed, wanted)


def on_the_board(page: Page, way: str, listed: list[str], wanted: str) -> None:
    """Check that the board offers every action, and take the wanted one there."""
    page.wait_for_function(
        f"(listed) => {{ const laid = ({LAID})().join('|').split('|'); return listed.every((a)=>laid.includes(a)); }}",
        arg=listed,
    )
    spots = page.evaluate(LAID)
    spot = next(one for one in spots if wanted in one.split("|"))
    use(page, way, f'.rp-picks [data-actions="{spot}"]:not([aria-hidden])')
    if "|" in spot:
        use(page, way, f'.rp-offer [data-action="{wanted}"]')


@pytest.mark.parametrize(
    ("game", "players", "way"),
    [
        ("karteneck", 2, "phone"),
        pytest.param("pickomino", 2, "keyboard", marks=pytest.mark.slow),
        pytest.param("heckmeck", 3, "mouse", marks=pytest.mark.slow),
        pytest.param("laghetti", 4, "phone", marks=pytest.mark.slow),
        pytest.param("laghetti", 3, "keyboard", marks=pytest.mark.slow),
        pytest.param("karteneck", 5, "mouse", marks=pytest.mark.slow),
    ],
)
def test_a_person_plays_a_whole_game(person: Callable[[str], Page], game: str, players: int, way: str) -> None:
    page = person(way)
    page.goto(f"/playground/play/?game={game}")
    expect(page.get_by_text("dice are rolled and cards dealt in your browser")).to_be_visible()
    page.select_option("#pg-count", str(players))
    page.select_option("#pg-seat", "1")
    use(page, way, "#playground button.primary")
    assert play_out(page, way) > 5
    assert page.evaluate("document.documentElement.scrollWidth") == WAYS[way][0]["width"]

    # Afterwards it is a replay like any other: to its end, and from its start.
    expect(page.locator(".rp-live")).to_be_hidden()
    expect(page.locator(".rp-end")).to_be_visible()
    page.locator("match-replay").get_by_role("button", name="Close").click()

    # What luck and one's decisions were worth, where that is known.
    review = page.locator("#pg-review")
    expect(review).to_contain_text(REVIEWS[game])
    expect(page.get_by_role("tab", name="Luck")).to_have_count(0 if game == "karteneck" else 1)
    if game in ("pickomino", "heckmeck"):
        review.locator("summary").click()
        review.get_by_role("button", name=re.compile(r"^Step")).last.click()
        expect(page.locator(".rp-count")).to_have_text(re.compile(r"^[1-9]"))

    page.locator(".rp-sentence").focus()
    page.keyboard.press("Home")
    expect(page.locator(".rp-count")).to_have_text(re.compile(r"^0 / [1-9]"))
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("#pg-choices button[data-action]").first).to_be_visible()


def test_hands_of_others_are_hidden_during_the_game(person: Callable[[str], Page]) -> None:
    page = person("mouse")
    page.goto("/playground/play/?game=karteneck")
    page.select_option("#pg-seat", "0")
    page.get_by_role("button", name="Start game").click()
    expect(page.locator("#pg-choices button[data-action]").first).to_be_visible()
    own = page.locator("#pg-choices button[data-action]").count()
    assert own > 1
    hidden = page.locator(".rp-stage .kk-back").count()
    assert hidden >= 6  # the other's hand
    page.locator(".rp-sentence").click()
    page.keyboard.press("f")  # would look through another's eyes
    expect(page.locator(".rp-stage .kk-back")).to_have_count(hidden)
    expect(page.get_by_label("Point of view")).to_be_hidden()
    story = page.locator(".rp-rail").inner_text()
    assert not re.search(r"(?!Guest)\S+ draws (a \d|worm number)", story)


def test_a_player_who_looks_back_returns_with_the_next_action(person: Callable[[str], Page]) -> None:
    page = person("mouse")
    page.goto("/playground/play/?game=pickomino")
    page.select_option("#pg-seat", "0")
    page.get_by_role("button", name="Start game").click()
    choices = page.locator("#pg-choices button[data-action]")
    expect(choices.first).to_be_visible()
    expect(page.get_by_role("button", name="Start of the game")).to_be_hidden()
    page.locator(".rp-rail").get_by_text("The game begins").click()
    expect(page.locator(".rp-count")).to_have_text(re.compile(r"^0 / "))
    choices.first.click()
    expect(page.locator(".rp-count")).to_have_text(re.compile(r"^([1-9]\d*) / \1$"))


def test_a_tap_skips_the_turns_of_bots(person: Callable[[str], Page]) -> None:
    page = person("phone")
    page.goto("/playground/play/?game=laghetti")
    page.select_option("#pg-seat", "0")
    page.get_by_role("button", name="Start game").tap()
    choices = page.locator("#pg-choices button[data-action]")
    expect(choices.first).to_be_visible()
    stop_the_clock(page)  # what the bots do is shown no longer than until it is run
    choices.first.tap()
    skip = page.get_by_role("button", name="Skip")
    expect(skip).to_be_visible()
    expect(choices).to_have_count(0)
    skip.tap()
    expect(choices.first).to_be_visible()
    expect(skip).to_be_hidden()


HINTS = {
    "pickomino": "In points of win chance less than the best.",
    "heckmeck": "In points of win chance less than the best.",
    "laghetti": "Mountain Guide, a house bot, would choose",
    "karteneck": "Weather Cock, a house bot, would choose",
}


def test_on_a_low_screen_what_may_be_done_lies_over_the_board_and_beside_its_hint(
    person: Callable[[str], Page],
) -> None:
    page = person("phone on its side")
    page.goto("/playground/play/")
    page.get_by_role("button", name="Start game").tap()
    hint = page.get_by_role("button", name="Hint")
    expect(hint).to_be_visible()
    hint.tap()
    expect(page.locator("#pg-advice > *")).to_be_visible()

    def covered() -> Any:
        page.evaluate("document.querySelector('.rp-picks [data-actions]').scrollIntoView({ block: 'end' })")
        return page.evaluate(COVERED)

    assert eventually(lambda: not covered()), covered()  # a frame or two after the advice has changed the board's size
    expect(page.locator("#pg-choices button").first).to_be_in_viewport()


@pytest.mark.parametrize("game", HINTS)
def test_the_board_offers_what_the_list_does_in_words_and_a_hint_marks_one(
    person: Callable[[str], Page], game: str
) -> None:
    page = person("phone")
    page.goto(f"/playground/play/?game={game}")
    page.select_option("#pg-seat", "0")
    page.get_by_role("button", name="Start game").click()
    listed = page.locator("#pg-choices button[data-action]")
    expect(listed.first).to_be_visible()
    on_board = page.get_by_role("group", name="On the board")
    expect(on_board.get_by_role("button").first).to_be_visible()
    sentence = " / ".join(on_board.get_by_role("button").evaluate_all("(all) => all.map((one) => one.ariaLabel)"))
    for text in listed.all_inner_texts():
        assert text in sentence
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#pg-advice")).to_contain_text(HINTS[game])
    hinted = page.locator("#pg-choices [data-hint]")
    expect(hinted).to_have_count(1)
    action = hinted.get_attribute("data-action") or ""
    assert action in str(on_board.locator("[data-hint]").first.get_attribute("data-actions")).split("|")

    # By keyboard, with the focus in sight; the board goes on from there, and the advice is gone.
    first = on_board.get_by_role("button").first
    first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(first).to_be_focused()
    assert first.evaluate("(one) => getComputedStyle(one).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    if page.locator(".rp-offer").count():
        expect(page.locator(".rp-offer button").first).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator("#pg-advice")).to_be_empty()
