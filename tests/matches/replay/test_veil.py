"""The page of a finished match hides the result until the match was watched to its end or the result requested."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.chromium import WAIT_MS, resize
from tests.browser.people import loaded
from tests.matches.replay.frozen import Pages, freeze, served

pytestmark = pytest.mark.browser

MATCH: Final = ("pickomino", 2)
WHERE: Final = """() => [".match-head", "match-replay", "[data-result]", "footer"].map((name) => {
  const box = document.querySelector(name).getBoundingClientRect();
  return [box.top + scrollY, box.height];
})"""
SEEK: Final = "(step) => document.querySelector('match-replay').obey({ type: 'pecking-order:seek', step })"

WATCH: Final = """(() => {
  const look = () => {
    const result = document.getElementById("match-result");
    if (result && getComputedStyle(result).display !== "none") window.wasTold = true;
    requestAnimationFrame(look);
  };
  look();
})()"""


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[str, str]]:
    """The address of a server, and the path of the page of a match of one game."""
    pages, paths = freeze([MATCH], ["en"])
    body, headers = pages.find(paths[MATCH], "en") or (b"", {})
    alone = Pages({(paths[MATCH], "en"): (body.replace(b'"games": 2', b'"games": 1'), dict(headers))}, pages)
    with served(alone) as url:
        yield url, paths[MATCH]


@pytest.fixture
def visit(browser: Browser, site: tuple[str, str]) -> Iterator[Callable[..., Page]]:
    contexts = []

    def come(query: str = "", before: Callable[[Page], None] = lambda page: None, **options: Any) -> Page:
        context = browser.new_context(
            viewport={"width": 1280, "height": 720}, base_url=site[0], reduced_motion="reduce", **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        before(page)
        page.goto(site[1] + query)
        return page

    yield come
    for context in contexts:
        context.close()


def result_is_visible(page: Page) -> bool:
    """Whether the table of games can be seen, and is there for who does not see."""
    return page.locator("#match-result table.games").is_visible() and page.get_by_role("table").count() > 0


def test_the_result_cannot_be_read_before_the_game_was_watched(visit: Callable[..., Page]) -> None:
    page = visit()
    loaded(page)
    assert not result_is_visible(page)
    text = page.locator("body").inner_text()  # what is seen, and what is found on the page
    for telling in ("Finish", "★", "Score", "wins"):
        assert telling not in text
    snapshot = page.locator("body").aria_snapshot()
    assert "Finish" not in snapshot
    for name in ("title", "meta[property='og:description']", "meta[property='og:title']"):
        assert "wins" not in (page.locator(name).get_attribute("content") or page.title())
    page.keyboard.press("Tab")
    for _ in range(60):  # nothing of it takes the focus
        page.keyboard.press("Tab")
        assert not page.evaluate("() => Boolean(document.activeElement.closest('#match-result'))")


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_curtain_is_a_card_and_opens_on_a_click_alone(visit: Callable[..., Page], size: tuple[int, int]) -> None:
    page = visit()
    last = loaded(page)
    resize(page, *size)
    room = page.locator("[data-result]")
    box = room.bounding_box()
    assert box is not None
    assert 90 <= box["height"] <= 120
    before = page.evaluate(WHERE)
    page.evaluate(SEEK, last - 1)
    expect(page.locator(".rp-count")).to_have_text(f"{last - 1} / {last}")
    assert not result_is_visible(page)
    page.evaluate(SEEK, last)
    expect(page.locator(".veil")).to_contain_text("You have watched the ending")
    assert not result_is_visible(page)
    assert page.evaluate(WHERE) == before
    page.get_by_role("button", name="Show the result").click()
    expect(page.locator(".veil")).to_be_hidden()
    assert result_is_visible(page)
    assert (room.bounding_box() or box)["height"] > 200


def test_the_result_and_the_whole_game_appear_on_request(visit: Callable[..., Page]) -> None:
    page = visit()
    loaded(page)
    page.get_by_role("button", name="Show the result").click()
    expect(page.locator("#match-result table.games")).to_be_visible()
    assert page.evaluate("document.activeElement.matches('[data-result]')")
    assert page.locator(".rp-tick").count() > 5


def test_showing_the_whole_game_shows_the_result(visit: Callable[..., Page]) -> None:
    page = visit()
    loaded(page)
    page.get_by_role("tab", name="Match").click()
    page.get_by_role("button", name="Show the whole game").click()
    expect(page.locator("#match-result table.games")).to_be_visible()


@pytest.mark.parametrize("query", ["?step=5", "?game=1&step=0"])
def test_a_link_to_one_step_shows_the_result(visit: Callable[..., Page], query: str) -> None:
    page = visit(query)
    expect(page.locator("#match-result table.games")).to_be_visible()
    assert result_is_visible(page)


def test_a_reload_and_the_way_back_show_no_more_than_before(visit: Callable[..., Page]) -> None:
    page = visit(before=lambda page: page.add_init_script(WATCH))
    last = loaded(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"\?game=1&step=\d+$"))
    count, events = page.locator(".rp-count").inner_text(), page.locator(".rp-events button").count()

    def shows_the_same() -> None:
        expect(page.locator(".rp-count")).to_have_text(count)
        expect(page.locator(".rp-events button")).to_have_count(events)
        assert not result_is_visible(page)
        assert not page.evaluate("window.wasTold"), "it flashed"

    page.reload()
    shows_the_same()
    page.goto("/elsewhere/")
    page.go_back()
    shows_the_same()
    page.evaluate("location.hash = 'replay'")
    page.reload()
    shows_the_same()
    friend = visit(page.url.partition("/matches/")[2].partition("/")[2])
    expect(friend.locator(".rp-count")).to_have_text(count)
    assert result_is_visible(friend)

    page.keyboard.press("End")
    expect(page.locator(".rp-count")).to_have_text(f"{last} / {last}")
    page.get_by_role("button", name="Show the result").click()
    expect(page.locator("#match-result table.games")).to_be_visible()
    page.reload()
    expect(page.locator("#match-result table.games")).to_be_visible()


def test_readers_who_always_want_results_have_the_whole_game_from_the_start(visit: Callable[..., Page]) -> None:
    """As the server writes the page for them, see tests/matches/test_results_choice.py."""

    def write(route: Route) -> None:
        answer = route.fetch()
        page = answer.text().replace('"embedded": false', '"embedded": false, "conceal": false')
        route.fulfill(response=answer, body=page.replace(" data-concealed", ""))

    page = visit(before=lambda page: page.route(re.compile(r"/matches/\d+/$"), write))
    loaded(page)
    assert result_is_visible(page)
    assert page.locator(".rp-tick").count() > 5
    expect(page.get_by_role("button", name="Show the whole game")).to_be_hidden()
    assert result_is_visible(page)


def test_without_scripts_the_result_is_shown(visit: Callable[..., Page]) -> None:
    page = visit(java_script_enabled=False)
    expect(page.locator("#match-result table.games")).to_be_visible()
    expect(page.locator(".veil")).to_be_hidden()
