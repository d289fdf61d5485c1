"""The board of every game in a real Chromium: it draws all that can happen, and hides what a seat cannot know."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from games.beats import beats_of
from games.catalogue import GAMES
from games.frames import frames
from tests.browser.chromium import WAIT_MS
from tests.games.sample import SAMPLES
from tests.matches.replay.stage import canned, stage

pytestmark = pytest.mark.browser

MOVING = 60  # steps of a game that are drawn with motion each day; all of them are slow, for a browser too
STEP_THROUGH = """(steps) => Array.from({ length: steps }, () => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: ".", bubbles: true }));
  const broken = /undefined|NaN|%\\(/.exec(document.querySelector(".rp-stage").outerHTML);
  return broken ? broken[0] : document.querySelector(".rp-sentence").textContent;
})"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Whatever the browser complains about fails the test."""
    complaints: list[str] = []
    with stage() as url:
        page = browser.new_page(base_url=url, viewport={"width": 1280, "height": 900})
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        yield page
        page.close()
    assert [text for text in complaints if "404" not in text] == []


def visit(page: Page, ruleset: str, query: str = "") -> None:
    page.goto(f"/boards/{ruleset}/{query}")
    expect(page.locator(".rp-count")).to_have_text(re.compile(r"/ [1-9]"))


@pytest.fixture(autouse=True)
def _samples(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in SAMPLES:
        monkeypatch.setitem(GAMES, game.name, game)  # type: ignore[arg-type]


@pytest.mark.parametrize("moving", [MOVING, pytest.param(10**6, marks=pytest.mark.slow)], ids=["some move", "all move"])
@pytest.mark.parametrize("ruleset", [*GAMES, *(game.name for game in SAMPLES)])
def test_a_board_draws_every_step_of_a_game_and_says_what_happens(page: Page, ruleset: str, moving: int) -> None:
    visit(page, ruleset)
    film = list(frames(canned(ruleset)))
    keys = [
        beat
        for beat in beats_of(GAMES[ruleset].mark, film)
        if any(film[n].key for n in range(beat.first, beat.last + 1))
    ]
    last = len(film) - 1
    told = page.evaluate(STEP_THROUGH, min(moving, last))
    page.emulate_media(reduced_motion="reduce")
    told += page.evaluate(STEP_THROUGH, max(last - moving, 0))
    expect(page.locator(".rp-count")).to_have_text(f"{last} / {last}")
    assert sum(not text for text in told) <= last / 4
    assert [text for text in told if re.search(r"undefined|NaN|%\(", text)] == []
    assert page.locator(".rp-events [data-event]").count() == len(keys)


@pytest.mark.parametrize("pov", range(4))
def test_karteneck_shows_a_seat_no_hand_but_its_own_and_no_card_that_another_draws(page: Page, pov: int) -> None:
    game = list(frames(canned("karteneck")))
    ends = {beat.last for beat in beats_of(GAMES["karteneck"].mark, game)}  # where a whole move is told
    drawn = next(frame for frame in game if frame.action.startswith("draw ") and frame.turn and frame.n not in ends)
    visit(page, "karteneck", f"?step={drawn.n}&pov={pov}")
    expect(page.locator(".rp-count")).to_have_text(re.compile(f"^{drawn.n} /"))
    places = page.locator(".kk-player")
    for seat, size in enumerate(drawn.view["hand_sizes"]):
        hand = places.nth(seat).locator(".kk-hand")
        expect(hand.locator(".kk-card")).to_have_count(size)
        expect(hand.locator("[data-type]")).to_have_count(size if pov in (0, seat + 1) else 0)
    said = page.locator(".rp-sentence")
    if pov in (0, game[drawn.n - 1].view["drawing"] + 1):
        expect(said).not_to_contain_text("draws a card")
    else:
        expect(said).to_contain_text("draws a card")


@pytest.mark.parametrize("pov", range(4))
def test_laghetti_shows_a_seat_no_hand_but_its_own_and_no_card_that_another_is_dealt(page: Page, pov: int) -> None:
    game = list(frames(canned("laghetti")))
    dealt = next(frame for frame in game if frame.view["round"] == 4 and min(frame.view["hand_sizes"]) == 3)
    receiver = game[dealt.n - 1].view["hand_sizes"].index(2)
    visit(page, "laghetti", f"?step={dealt.n}&pov={pov}")
    expect(page.locator(".rp-count")).to_have_text(re.compile(f"^{dealt.n} /"))
    places = page.locator(".lg-player")
    for seat, size in enumerate(dealt.view["hand_sizes"]):
        hand, seen = places.nth(seat).locator(".lg-hand"), pov in (0, seat + 1)
        expect(hand.locator(".lg-card")).to_have_count(size)
        expect(hand.locator(".lg-back")).to_have_count(0 if seen else size)
        expect(hand.locator(".lg-value")).to_have_count(4 * size if seen else 0)
    said = page.locator(".rp-sentence")
    if pov in (0, receiver + 1):
        expect(said).to_contain_text("altitude")
    else:
        expect(said).to_contain_text("is dealt a card")


COVERED = """() => Array.from(document.querySelectorAll(".kk-stack"), (stack) =>
  Array.from(stack.children).slice(0, -1).map((portion) => {
    const value = portion.querySelector(".tile-number").getBoundingClientRect();
    const next = portion.nextElementSibling.getBoundingClientRect();
    return [Math.floor(next.left - value.right), Math.round(value.height)];
  })
)"""


@pytest.mark.parametrize("width", [390, 1280])
def test_every_covered_portion_of_karteneck_shows_its_whole_value(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    end = list(frames(canned("karteneck")))[-1]
    visit(page, "karteneck", f"?step={end.n}")
    expect(page.locator(".kk-portion")).to_have_count(sum(map(len, end.view["stacks"])))
    covered = page.evaluate(COVERED)
    assert [len(stack) + 1 for stack in covered] == [len(stack) for stack in end.view["stacks"]]
    assert all(room >= -1 and height >= 12 for stack in covered for room, height in stack), covered
