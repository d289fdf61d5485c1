"""The ways around on a phone: one row above, a bar below that covers nothing and makes room where a board needs it."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_axe import Frozen, frozen_site, page_in
from tests.matches.replay.test_fit import COUNT_SHIFTS

Come = Callable[[str, tuple[int, int]], Page]

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
PHONES = ((390, 844), (320, 568))
SMALL = (390, 664)
FINGER = 44
# Of the end of the page, which grows while scripts fill it.
BOXES = """() => {
  scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  const box = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON();
  const ways = [...document.querySelectorAll(".phone-bar > ul > li > a, .phone-bar summary")];
  return {
    header: box(".site-header"), bar: box(".phone-bar"), footer: box(".site-footer"),
    ways: ways.map((one) => ({ ...one.getBoundingClientRect().toJSON(), cut: one.scrollWidth > one.clientWidth })),
  };
}"""


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[Frozen, str]]:
    with frozen_site(whole=False) as made:
        yield made


@pytest.fixture
def come(browser: Browser, site: tuple[Frozen, str]) -> Iterator[Come]:
    """``come(name, size)``: a page of the site in a window, in the language that it was stored in."""
    paths, address = site
    with ExitStack() as opened:

        def come(name: str, size: tuple[int, int]) -> Page:
            path, (language, *_) = paths[name]
            page = opened.enter_context(page_in(browser, paths, address, language))
            page.add_init_script(COUNT_SHIFTS)
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.goto(path)
            return page

        yield come


@pytest.mark.parametrize("size", PHONES, ids=str)
@pytest.mark.parametrize("name", ["home", "tournaments:list", "leagues:detail", "bots:list", "play-yourself"])
def test_the_header_is_one_row_and_the_bar_covers_nothing(come: Come, name: str, size: tuple[int, int]) -> None:
    page = come(name, size)
    page.wait_for_load_state("networkidle")  # what scripts fill in makes a page longer
    boxes = page.evaluate(BOXES)
    assert boxes["header"]["height"] <= 57  # with its line
    assert boxes["bar"]["bottom"] == size[1]
    assert boxes["footer"]["bottom"] <= boxes["bar"]["top"] + 1
    assert len(boxes["ways"]) == 5
    for way in boxes["ways"]:
        assert min(way["width"], way["height"]) >= FINGER
        assert not way["cut"]
    assert page.evaluate("window.shift") <= 0.02


def test_more_opens_over_the_page_by_finger_and_by_key(come: Come) -> None:
    page = come("home", SMALL)
    more = page.locator(".more > summary")
    sheet = page.locator(".more > div")
    expect(sheet).to_be_hidden()
    more.focus()
    page.keyboard.press("Enter")
    expect(sheet.get_by_role("link", name="Leagues")).to_be_visible()
    expect(sheet.get_by_role("button", name="Deutsch")).to_be_visible()
    box = sheet.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < box["y"] + box["height"] <= 664 - FINGER
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(more).to_be_focused()
    more.click()
    sheet.get_by_role("button", name="Dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    expect(sheet).to_be_hidden()


@pytest.mark.parametrize("name", ["match finished", "match embedded", "projector"])
def test_where_a_board_takes_the_screen_there_is_no_bar(come: Come, name: str) -> None:
    page = come(name, SMALL)
    assert page.locator(".phone-bar:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.body).paddingBlockEnd") == "0px"


@pytest.mark.parametrize("size", [(844, 390), (1280, 800), (640, 400)], ids=str)
def test_a_wider_window_has_its_ways_above_play_among_them(come: Come, size: tuple[int, int]) -> None:
    page = come("home", size)
    expect(page.locator(".phone-bar")).to_be_hidden()
    expect(page.locator(".site-nav").get_by_role("link", name="Play")).to_be_visible()


def test_a_league_is_joined_from_anywhere_on_its_page(come: Come) -> None:
    page = come("leagues:detail", SMALL)
    join = page.locator("main a.button[href$='%23join']:visible")  # a visitor signs in first
    expect(join).to_have_count(1)
    expect(join).to_be_in_viewport(ratio=1)
    boxes = page.evaluate(BOXES)
    place = join.bounding_box()
    assert place is not None
    assert place["y"] + place["height"] <= boxes["footer"]["top"]
    address = page.url
    join.click()
    expect(page).to_have_url(re.compile(r"/accounts/login/\?next=" + re.escape(urlsplit(address).path) + "%23join$"))
