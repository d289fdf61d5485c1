"""A replay in a page of another origin: which messages that page gets and may send, and the loop."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from games.beats import beats_of
from games.catalogue import GAMES
from games.frames import frames
from tests.browser.chromium import WAIT_MS, run_until, stop_the_clock, until
from tests.matches.replay.player_server import RECORDS, stage

pytestmark = pytest.mark.browser

FRAMES = list(frames(RECORDS[0]))
BEATS = beats_of(GAMES["pickomino"].mark, FRAMES)
LAST = len(FRAMES) - 1
EMBED = """(src) => {
  window.messages = [];
  window.addEventListener("message", ({ data }) => window.messages.push(data));
  document.body.append(Object.assign(document.createElement("iframe"), { width: 900, height: 700, src }));
}"""

STEP_RECEIVED = "(step) => window.messages.some((message) => message.step === step)"


@pytest.fixture
def around(browser: Browser) -> Iterator[Callable[..., Page]]:
    """``around("/matches/7/embed/")``: a page of no origin of ours, with that address in a frame."""
    context = browser.new_context(viewport={"width": 1000, "height": 800}, reduced_motion="reduce")
    with stage() as url:

        def come(path: str) -> Page:
            page = context.new_page()
            page.set_default_timeout(WAIT_MS)
            page.evaluate(EMBED, url + path)
            page.wait_for_function("() => window.messages.some((message) => message.type === 'pecking-order:step')")
            assert page.evaluate("origin") != url
            return page

        yield come
        context.close()


def player(page: Page) -> FrameLocator:
    return page.frame_locator("iframe").first


def say(page: Page, message: Any) -> None:
    page.evaluate("(message) => frames[0].postMessage(message, '*')", message)


def test_the_page_around_plays_pauses_and_seeks(around: Callable[..., Page]) -> None:
    page = around("/matches/7/embed/")
    frame = player(page)
    say(page, {"type": "pecking-order:seek", "step": BEATS[3].last})
    expect(frame.locator(".rp-count")).to_have_text(f"{BEATS[3].last} / {LAST}")
    say(page, {"type": "pecking-order:seek", "game": 2, "step": 7})
    expect(frame.get_by_label("Game", exact=True)).to_have_value("1")
    page.wait_for_function("() => window.messages.some((message) => message.game === 2 && message.step === 7)")
    say(page, {"type": "pecking-order:play"})
    expect(frame.get_by_role("button", name="Pause")).to_be_visible()
    say(page, {"type": "pecking-order:pause"})
    expect(frame.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    "nonsense",
    [
        None,
        "pecking-order:play",
        7,
        [],
        {},
        {"type": "pecking-order:seek"},
        {"type": "pecking-order:seek", "step": -1},
        {"type": "pecking-order:seek", "step": "9"},
        {"type": "pecking-order:seek", "step": 1.5},
        {"type": "pecking-order:seek", "step": 3, "game": 99},
        {"type": "pecking-order:seek", "step": 3, "game": 0},
        {"type": "pecking-order:reveal"},
        {"type": "constructor", "step": 3},
    ],
)
def test_nonsense_changes_nothing(around: Callable[..., Page], nonsense: Any) -> None:
    page = around("/matches/7/embed/")
    say(page, nonsense)
    say(page, {"type": "pecking-order:seek", "step": 5})  # heard after it
    expect(player(page).locator(".rp-count")).to_have_text(f"5 / {LAST}")
    page.wait_for_function(STEP_RECEIVED, arg=5)
    assert {one["step"] for one in page.evaluate("window.messages") if "step" in one} == {0, 5}


def test_only_the_page_around_is_obeyed(around: Callable[..., Page]) -> None:
    page = around("/matches/7/embed/")
    inside = page.frames[1]
    inside.evaluate("postMessage({ type: 'pecking-order:seek', step: 9 }, '*')")  # from the frame's own window
    page.evaluate("""() => {
      const other = document.createElement("iframe");
      other.srcdoc = "<script>parent.frames[0].postMessage({ type: 'pecking-order:seek', step: 9 }, '*');</script>";
      return new Promise((done) => { other.onload = done; document.body.append(other); });
    }""")
    say(page, {"type": "pecking-order:seek", "step": 5})
    expect(player(page).locator(".rp-count")).to_have_text(f"5 / {LAST}")
    page.wait_for_function(STEP_RECEIVED, arg=5)
    assert 9 not in {one.get("step") for one in page.evaluate("window.messages")}


def test_a_page_of_its_own_takes_no_commands(around: Callable[..., Page]) -> None:
    page = around("/matches/7/embed/")
    own = page.context.new_page()
    own.goto(page.frames[1].url)
    expect(own.locator(".rp-count")).to_have_text(f"0 / {LAST}")
    own.evaluate("postMessage({ type: 'pecking-order:seek', step: 9 }, '*')")
    own.keyboard.press(".")
    expect(own.locator(".rp-count")).to_have_text(f"1 / {LAST}")


@pytest.mark.parametrize("stays", [False, True])
def test_a_loop_begins_again_after_the_end_unless_somebody_does_anything(
    around: Callable[..., Page], stays: bool
) -> None:
    page = around("/matches/7/loop/")
    frame = player(page)
    stop_the_clock(page)
    say(page, {"type": "pecking-order:seek", "step": BEATS[-2].last})
    expect(frame.locator(".rp-count")).to_have_text(f"{BEATS[-2].last} / {LAST}")
    say(page, {"type": "pecking-order:play"})
    expect(frame.get_by_role("button", name="Pause")).to_be_visible()
    ended = "() => window.messages.some((message) => message.type === 'pecking-order:end')"
    count = frame.locator(".rp-count")
    run_until(page, lambda: count.inner_text() == f"{LAST} / {LAST}")
    page.clock.run_for(2_000)  # until the dice lie, and less than the end stays
    until(page, lambda: page.evaluate(ended))
    expect(frame.get_by_role("region", name="The end of the game")).to_be_visible()
    if stays:
        frame.get_by_role("button", name="Previous move").click()
    page.clock.run_for(6_500)
    shown = BEATS[-2].last if stays else 0
    if stays:
        expect(count).to_have_text(f"{shown} / {LAST}")
        expect(frame.get_by_role("button", name="Play", exact=True)).to_be_visible()
    else:
        expect(frame.get_by_role("button", name="Pause")).to_be_visible()
        assert int(count.inner_text().split("/")[0]) < BEATS[-2].last
