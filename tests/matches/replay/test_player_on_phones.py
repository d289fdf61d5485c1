"""The replay player on a phone: what fits, sheets and taps."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.matches.replay.test_player import BEATS, KEYS, LAST, step_is, visit

__all__ = ["visit"]

pytestmark = pytest.mark.browser


def test_on_a_phone_the_sheet_names_its_fields_and_can_be_closed(visit: Callable[..., Page]) -> None:
    page = visit("?step=1", width=390)
    page.get_by_role("button", name="Story, graph and choices").click()
    page.get_by_role("tab", name="Match").click()
    expect(page.locator("#rp-rail").get_by_text("Tempo", exact=True)).to_be_visible()
    page.locator("#rp-rail").get_by_role("button", name="Close").click()
    expect(page.locator("#rp-rail")).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("#rp-rail").get_by_role("button", name="Close")).to_be_hidden()


def test_a_tap_on_the_left_or_right_third_of_the_board_steps(visit: Callable[..., Page]) -> None:
    page = visit(width=390, has_touch=True)
    box = page.locator(".rp-stage").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    for share, step in [(0.9, BEATS[1].last), (0.5, BEATS[1].last), (0.9, BEATS[2].last), (0.1, BEATS[1].last)]:
        page.touchscreen.tap(box["x"] + share * box["width"], middle)
        step_is(page, step)


def test_on_a_phone_story_and_choices_are_in_a_sheet(visit: Callable[..., Page]) -> None:
    page = visit(width=390)
    expect(page.get_by_role("tab", name="Story")).to_be_hidden()
    page.get_by_role("button", name="Story, graph and choices").click()
    page.get_by_role("tab", name="Match").click()
    page.get_by_label("Tempo").select_option("every")
    page.keyboard.press("Escape")
    expect(page.get_by_role("tab", name="Story")).to_be_hidden()


@pytest.mark.parametrize("step", [KEYS[0], LAST])
def test_the_longest_names_fit_a_phone(visit: Callable[..., Page], step: int) -> None:
    page = visit(f"?step={step}", path="/matches/7/long/", width=390)
    step_is(page, step)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("step", [0, KEYS[3], LAST])
def test_it_fits_a_phone(visit: Callable[..., Page], step: int) -> None:
    page = visit(f"?step={step}", width=390)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for button in page.locator(".rp-buttons button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40
