"""Playing by finger: at every table, each action has a target that is large enough (WCAG 2.5.5 and 2.5.8)."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from arena.playground.context import playground_settings
from games.catalogue import GAMES
from tests.browser.chromium import WAIT_MS
from tests.browser.running import Site

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not playground_settings(), reason="no Python for browsers: npm brings it"),
]
PHONES = ((390, 664), (320, 568))
TURNS = 4
TARGET, LEAST = 44, 24  # px: of an action, and of each thing on the board that does one
ALWAYS = {("pickomino", 7), ("heckmeck", 2), ("karteneck", 5), ("laghetti", 4)}
TABLES = [
    (name, seats) for name, game in GAMES.items() for seats in game.current.seats if (name, seats) != ("karteneck", 6)
]
READY = """(before) => {
  const skip = document.getElementById("pg-skip");
  if (skip?.checkVisibility()) skip.click();
  const choices = document.getElementById("pg-choices");
  if (choices.querySelector("button:not([data-action])")) return "over";
  const { shown } = choices.dataset;
  const ready = choices.querySelector("button") && document.querySelector(".rp-picks [data-actions]");
  return ready && shown !== before && shown;
}"""
MEASURED = """() => {
  const measured = (one, actions) => ({ actions: actions.split("|"), ...one.getBoundingClientRect().toJSON() });
  const all = (selector, of) => [...document.querySelectorAll(selector)].map((one) => measured(one, of(one)));
  return {
    board: all(".rp-picks [data-actions]:not([aria-hidden])", (one) => one.dataset.actions),
    list: all("#pg-choices [data-action]", (one) => one.dataset.action),
    wide: document.documentElement.scrollWidth,
    cut: [...document.querySelectorAll("#pg-choices button")].filter((one) => one.scrollWidth > one.clientWidth).length,
  };
}"""
FRAMES = 5  # the board is laid out a frame after its size, what lies over it a frame after the board
LAID_OUT = """([width, frames]) => new Promise((done) => {
  const all = () => [...document.querySelectorAll(".rp-picks [data-actions]")];
  const boxes = () => all().map((one) => one.getBoundingClientRect());
  const laid = () => JSON.stringify([innerWidth, document.documentElement.scrollWidth, boxes()]);
  let [last, same] = [laid(), 0];
  const frame = () => {
    const now = laid();
    same = now === last && innerWidth === width ? same + 1 : 0;
    last = now;
    if (same === frames) done(true);
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""


@pytest.fixture
def page(browser: Browser, place: Site, complaints: list[str]) -> Iterator[Page]:
    context = browser.new_context(base_url=place.url, has_touch=True, reduced_motion="reduce")
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert not complaints


def large(target: dict[str, Any], size: int) -> bool:
    return min(target["width"], target["height"]) >= size - 0.5  # boxes lie between pixels


def assert_for_fingers(found: dict[str, Any], width: int) -> None:
    listed = {one["actions"][0] for one in found["list"]}
    direct = [one for one in found["board"] if large(one, TARGET)]
    assert listed == {action for one in found["board"] for action in one["actions"]}, "all is on the board"
    reached = {action for one in (*direct, *found["list"]) if large(one, TARGET) for action in one["actions"]}
    assert reached == listed, "no target is large enough"
    assert [one for one in found["board"] if not large(one, LEAST)] == []
    assert [one for one in found["board"] if one["left"] < 0 or one["right"] > width] == []
    assert (found["wide"], found["cut"]) == (width, 0)


@pytest.mark.parametrize(
    ("game", "seats"), [pytest.param(*one, marks=[] if one in ALWAYS else pytest.mark.slow) for one in TABLES]
)
def test_whatever_may_be_done_has_a_target_for_a_finger(page: Page, game: str, seats: int) -> None:
    page.set_viewport_size({"width": PHONES[0][0], "height": PHONES[0][1]})
    page.goto(f"/playground/play/?game={game}")
    page.select_option("#pg-count", str(seats))
    page.select_option("#pg-seat", "0")
    page.locator("#playground button.primary").tap()
    before = ""
    for turn in range(TURNS):
        before = str(page.wait_for_function(READY, arg=before).json_value())
        if before == "over":
            return
        for width, height in PHONES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(LAID_OUT, arg=[width, FRAMES])
            assert_for_fingers(page.evaluate(MEASURED), width)
        buttons = page.locator("#pg-choices [data-action]")
        buttons.nth(0 if turn % 3 == 0 else buttons.count() - 1).tap()
