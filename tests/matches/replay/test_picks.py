"""Buttons over the pieces of a board: large enough for fingers wherever the pieces lie."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import WAIT_MS
from tests.matches.replay.player_server import stage

pytestmark = pytest.mark.browser

NARROWEST, FINGER = 24, 44  # px
LAY = """async (lefts) => {
  const { createPicks } = await import("/static/matches/replay/picks.js");
  const board = document.createElement("div");
  board.id = "laid";
  board.style.cssText = "position: fixed; inset: 0; width: 320px; height: 200px; z-index: 99";
  board.append(...lefts.map((left, at) => {
    const piece = document.createElement("i");
    piece.className = `piece-${at}`;
    piece.style.cssText = `position: absolute; top: 60px; left: ${left}px; width: 30px; height: 42px`;
    return piece;
  }));
  document.body.append(board);
  window.chosen = [];
  const actions = lefts.map((_, at) => `play ${at}`);
  const spot = (action) => `#laid .piece-${action.split(" ")[1]}`;
  const [label, choose] = [(action) => action, (action) => chosen.push(action)];
  createPicks(board, { labels: { spot }, actions, view: {}, label, choose });
}"""
BUTTONS = """() => [...document.querySelectorAll("#laid .rp-pick")].map((one) => {
  const { left, width, height } = one.getBoundingClientRect();
  return { left, width, height, actions: one.dataset.actions.split("|") };
})"""


@pytest.fixture
def laid(browser: Browser) -> Iterator[Callable[[list[int]], tuple[Page, list[dict[str, Any]]]]]:
    """A board whose pieces, 30 px wide, begin at these px from the left; the page and its buttons."""
    with stage() as url:
        page = browser.new_page(base_url=url, viewport={"width": 390, "height": 664}, bypass_csp=True)
        page.set_default_timeout(WAIT_MS)
        page.goto("/boards/karteneck/")
        # The layer's style is the playground's, which has the only boards that are played on.
        page.add_style_tag(
            content=".rp-picks { position: absolute; inset: 0 } .rp-pick { position: absolute; padding: 0 }"
        )

        def lay(lefts: list[int]) -> tuple[Page, list[dict[str, Any]]]:
            page.evaluate(LAY, lefts)
            return page, page.evaluate(BUTTONS)

        yield lay
        page.close()


def test_pieces_with_room_have_a_button_each(laid: Callable[[list[int]], tuple[Page, list[dict[str, Any]]]]) -> None:
    _, buttons = laid([10, 60, 110, 200])
    assert [one["actions"] for one in buttons] == [["play 0"], ["play 1"], ["play 2"], ["play 3"]]
    assert all(min(one["width"], one["height"]) >= FINGER for one in buttons)


@pytest.mark.parametrize("step", [25, 20, 12, 6])
def test_pieces_too_close_for_a_button_each_share_one(
    laid: Callable[[list[int]], tuple[Page, list[dict[str, Any]]]], step: int
) -> None:
    page, buttons = laid([10 + step * at for at in range(9)])
    assert all(one["width"] >= NARROWEST for one in buttons), buttons
    assert [action for one in buttons for action in one["actions"]] == [f"play {at}" for at in range(9)]
    ends = [(one["left"], one["left"] + one["width"]) for one in buttons]
    assert all(end <= begin + 0.5 for (_, end), (begin, _) in pairwise(ends)), "none over another"
    assert (len(buttons) == 9) == (step >= NARROWEST)
    if step >= NARROWEST:
        return
    shared = next(at for at, one in enumerate(buttons) if len(one["actions"]) > 1)
    page.locator("#laid .rp-pick").nth(shared).click()
    expect(page.locator(".rp-offer button")).to_have_count(len(buttons[shared]["actions"]))
    page.locator(".rp-offer button").last.click()
    assert page.evaluate("chosen") == [buttons[shared]["actions"][-1]]
