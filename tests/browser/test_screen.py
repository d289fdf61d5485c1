"""A projector in the room: it follows an event by itself, and nothing on it overflows."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import resize
from tests.browser.running import Site

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

BOTS = 32
OVERFLOWS = """() => {
  const seen = ".screen-head *, .screen-part[data-shown], .screen-rail, .screen-code *";
  const outside = [...document.querySelectorAll(seen)]
    .filter((one) => { const { right, bottom } = one.getBoundingClientRect();
      return right > innerWidth + 1 || bottom > innerHeight + 1; });
  const clipped = [...document.querySelectorAll("[data-shown] .screen-table")]
    .filter((one) => one.scrollHeight > one.clientHeight + 1);
  const { scrollWidth, scrollHeight } = document.documentElement;
  return [...outside, ...clipped].map((one) => one.className || one.tagName)
    .concat(scrollWidth > innerWidth || scrollHeight > innerHeight ? ["the page"] : []);
}"""
SIZES = ((1920, 1080), (1280, 720))


def test_a_round_that_begins_is_shown_without_a_reload_and_nothing_overflows(
    somebody: Callable[[], Page], place: Site
) -> None:
    announced = f"cast.announce('Projected Cup', ['starling'], rounds=4, round_minutes=10, entries_per_author={BOTS})"
    address = place.shell(f"cast.flock('starling', {BOTS}); print({announced})")
    page = somebody()
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{address}screen/")
    expect(page.locator("[data-shown]")).to_contain_text("32 bots entered")
    fits(page)
    page.evaluate("window.isSame = true")
    place.shell("cast.start('Projected Cup')")
    expect(page.locator("[data-shown] h2")).to_have_text("Round 1 of 4", timeout=120_000)  # between others
    pause = page.get_by_role("button", name="Pause")
    page.keyboard.press("p")
    expect(pause).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-shown] .screen-table")).to_have_count(16)
    assert page.evaluate("window.isSame")
    assert page.evaluate("document.querySelector('[data-shown] [data-cells]').dataset.pages") == "1"
    fits(page)
    page.keyboard.press("p")
    expect(page.locator("[data-shown] h2")).to_contain_text("Standings")
    page.keyboard.press("p")
    expect(pause).to_have_attribute("aria-pressed", "true")
    fits(page)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-shown] h2")).to_have_text("Round 1 of 4")


def test_on_a_phone_everything_is_in_one_column(somebody: Callable[[], Page], place: Site) -> None:
    address = place.shell("print(cast.begin('Pocket Cup', cast.ORCHARD, rounds=1))")
    page = somebody()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}screen/")
    expect(page.locator(".screen-part").first).to_be_visible()
    expect(page.locator(".screen-top")).to_be_visible()
    expect(page.locator(".screen-code")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def fits(page: Page) -> None:
    for width, height in SIZES:
        resize(page, width, height)
        assert page.evaluate(OVERFLOWS) == []
