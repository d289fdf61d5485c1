"""Over the scrubber the board of another step is shown, and nothing that is yet to be watched."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.frames import frames
from tests.browser.chromium import WAIT_MS
from tests.browser.people import loaded
from tests.matches.replay.player_server import RECORDS, stage

pytestmark = pytest.mark.browser

FRAMES = list(frames(RECORDS[0]))
LAST = len(FRAMES) - 1
EDGE = 8
# Of the page: the picture over the scrubber goes with the pointer, and its dice with it.
COUNT_SHIFTS = """
window.shift = 0;
const isPicture = ({ node }) => (node?.closest ? node : node?.parentElement)?.closest(".rp-peek");
new PerformanceObserver((list) => {
  for (const { sources, value } of list.getEntries()) if (!sources.every(isPicture)) window.shift += value;
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    contexts = []

    def come(address: str, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": 1280, "height": 720}, base_url=url, **options)
        contexts.append(context)
        context.add_init_script(COUNT_SHIFTS)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.goto(address)
        loaded(page)
        return page

    with stage() as url:
        yield come
        for context in contexts:
            context.close()


def point(page: Page, step: int) -> None:
    """Move the mouse to where a step is on the scrubber, once it stands still and can show another step's board."""
    page.locator(".rp-peek").wait_for(state="attached")  # it arrives after the game
    track = page.locator(".rp-track")
    box = track.bounding_box()
    assert box is not None
    track.hover(position={"x": EDGE + (box["width"] - 2 * EDGE) * step / LAST, "y": box["height"] / 2})


def test_the_board_of_the_step_under_the_pointer_is_shown(visit: Callable[..., Page]) -> None:
    page = visit("/matches/7/?step=5")
    peek = page.locator(".rp-peek")
    for step in (LAST // 2, LAST, 0):
        point(page, step)
        expect(peek.locator("> p")).to_have_text(re.compile(f"^Step ({step - 1}|{step}|{step + 1})$"))
        seen = int(peek.locator("> p").inner_text().split()[1])
        tiles = peek.locator(".pk-place[data-state=up] .tile").evaluate_all(
            "all => all.map((one) => Number(one.dataset.tile))"
        )
        assert tiles == FRAMES[seen].view["grill"]
        inside = page.evaluate(
            "() => { const box = document.querySelector('.rp-peek').getBoundingClientRect(); "
            "return box.left >= 0 && box.right <= innerWidth && box.top >= 0; }"
        )
        assert inside
    expect(page.locator(".rp-count")).to_have_text(f"5 / {LAST}")  # looking moves nothing
    page.mouse.move(600, 200)
    expect(peek).to_be_hidden()
    assert page.evaluate("window.shift") < 0.001


def test_nothing_beyond_what_was_watched_is_shown(visit: Callable[..., Page]) -> None:
    page = visit("/matches/7/")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    reached = int(page.locator(".rp-count").inner_text().split("/")[0])
    point(page, LAST // 2)
    peek = page.locator(".rp-peek")
    expect(peek.locator("> p")).to_contain_text("not watched yet")
    expect(peek.locator(".rp-peek-stage")).to_be_hidden()
    assert peek.locator(".tile").count() == 0  # not even out of sight
    point(page, reached)
    expect(peek.locator("> p")).not_to_contain_text("not watched")
    expect(peek.locator(".pk-board")).to_be_visible()


def test_a_finger_moves_the_board_itself(visit: Callable[..., Page]) -> None:
    page = visit("/matches/7/?step=5", has_touch=True)
    box = page.locator(".rp-track").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".rp-count")).not_to_have_text(f"5 / {LAST}")
    expect(page.locator(".rp-peek")).to_be_hidden()


def test_what_the_end_card_uncovers_under_a_resting_pointer_is_not_covered_again(visit: Callable[..., Page]) -> None:
    page = visit("/matches/7/")
    page.keyboard.press("End")
    card = page.locator(".rp-end")
    expect(card).to_be_visible()
    track, over = page.locator(".rp-track").bounding_box(), card.bounding_box()
    assert track is not None
    assert over is not None
    page.mouse.move(over["x"] + over["width"] / 2, (track["y"] + over["y"] + over["height"]) / 2, steps=2)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.wait_for_timeout(500)  # browsers tell of a pointer that rests there
    expect(page.locator(".rp-peek")).to_be_hidden()
    point(page, LAST // 2)
    expect(page.locator(".rp-peek")).to_be_visible()
