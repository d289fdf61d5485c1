"""Board, sentence and Play are inside the window from the first moment on, and nothing moves while the page loads."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from games.catalogue import GAMES
from tests.browser.chromium import WAIT_MS, resize
from tests.browser.people import loaded
from tests.matches.replay.frozen import freeze, served
from tests.waiting import eventually

pytestmark = pytest.mark.browser

WINDOWS = [(1280, 720), (390, 664), (320, 568), (1440, 900)]
EVERY = [(game.name, players) for game in GAMES.values() for players in game.current.seats]
# Each day every game with the most seats in the smallest window, and with the fewest in one of the others; all is slow.
DAILY = [
    *((max(one for one in EVERY if one[0] == game), WINDOWS[2]) for game in GAMES),
    *((min(one for one in EVERY if one[0] == game), WINDOWS[place % 2]) for place, game in enumerate(GAMES)),
    *((min(one for one in EVERY if one[0] == game), WINDOWS[3]) for game in GAMES),
]
SHARES = (0, 0.13, 0.5, 0.87, 1)  # of the game, where the page is measured
SHIFT_MOST = 0.05
REQUESTS_MOST = 20
BYTES_MOST = 64_000  # compressed, in every language; with all that comes later a match page has 95 000
LANGUAGES = ("en", "de", "fr", "it")
COUNT_SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
# What leaves its box: pieces the stage, contents their place; and the page's parts the window.
MISFITS = """() => {
  const wrong = [];
  const inside = (box, room, name) => {
    const out = Math.max(room.left - box.left, box.right - room.right, room.top - box.top, box.bottom - room.bottom);
    if (out > 1) wrong.push(`${name} by ${out.toFixed(1)}`);
  };
  const page = new DOMRect(0, 0, innerWidth, innerHeight);
  const box = (element) => element.getBoundingClientRect();
  const [stage, sentence, play] = [".rp-stage", ".rp-sentence", ".rp-play"].map((name) => document.querySelector(name));
  for (const one of [stage, sentence, play]) inside(box(one), page, `window: ${one.className}`);
  if (box(sentence).top < box(stage).bottom - 1) wrong.push("the sentence is over the board");
  const atEnd = document.querySelector(".rp-slider").value === document.querySelector(".rp-slider").max;
  if (!atEnd && sentence.scrollHeight > sentence.clientHeight + 1) wrong.push(`cut: ${sentence.textContent}`);
  for (const place of stage.querySelectorAll(".bd-place, .iron, .pk-dice, .lg-lake")) {
    for (const piece of place.querySelectorAll("*")) {
      const its = box(piece);
      if (!its.width || piece.closest("svg") !== piece && piece.closest("svg")) continue;
      inside(its, box(stage), `stage: ${piece.getAttribute("class")}`);
      if (piece.closest(".hk-stand, .bd-name")) continue; // a figure stands on the edge, a long name is cut
      inside(its, box(place), `${place.className}: ${piece.getAttribute("class")}`);
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is too wide");
  return [...new Set(wrong)].slice(0, 8);
}"""

# Names in the line above the board of which not even the first letters and the last word are seen.
UNREADABLE = """() => [...document.querySelectorAll(".rp-seats .rp-name")].filter((name) => {
  const [head] = name.children;
  const fits = name.scrollWidth <= name.clientWidth + 1 && name.checkVisibility();
  return !fits || (head.scrollWidth > head.clientWidth && head.clientWidth < 8);
}).map((name) => name.textContent)"""
# What is smaller than it can be read; numbers that are drawn on pieces are part of the drawing.
TOO_SMALL = """() => {
  const small = [];
  for (const element of document.querySelectorAll(".rp-stage *")) {
    if (!(element instanceof HTMLElement) || !element.checkVisibility({ visibilityProperty: true })) continue;
    const says = [...element.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (!says || element.closest(".visually-hidden")) continue;
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (size < 11) small.push(`${size} px: ${element.parentElement.className} ${element.textContent}`);
  }
  return small;
}"""
# Phones upright and on their side, a page of 1280 x 800 at twice its size, a narrow and a wide desk.
READ_IN = [(320, 568), (360, 640), (390, 664), (740, 360), (932, 430), (640, 400), (900, 800), (1280, 800)]


class Site(NamedTuple):
    """A server: its address, the path of each match's page, and what it has sent."""

    url: str
    paths: dict[tuple[str, int], str]
    sent: list[tuple[str, int]]


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    """The frozen pages of all matches that are to be run."""
    calls = [item.callspec.params for item in request.session.items if item.path == request.path]  # type: ignore[attr-defined]
    pages, paths = freeze(sorted({(call["game"], call["players"]) for call in calls}), LANGUAGES)
    sent: list[tuple[str, int]] = []
    with served(pages, sent) as url:
        yield Site(url, paths, sent)


@pytest.fixture
def opened(browser: Browser, site: Site) -> Iterator[Callable[..., Page]]:
    """``opened(game, players, (width, height))``: the page of a match of house bots, loaded."""
    contexts = []

    def come(game: str, players: int, window: tuple[int, int], language: str = "en") -> Page:
        width, height = window
        context = browser.new_context(
            viewport={"width": width, "height": height}, base_url=site.url, reduced_motion="reduce"
        )
        contexts.append(context)
        context.add_cookies([{"name": "lang", "value": language, "url": site.url}])
        context.add_init_script(COUNT_SHIFTS)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.goto(site.paths[game, players])
        loaded(page)
        return page

    yield come
    for context in contexts:
        context.close()


def fits(page: Page) -> None:
    assert page.evaluate("window.shift") <= SHIFT_MOST
    last = int(page.get_by_role("slider", name="Step").get_attribute("max") or 0)
    for share in SHARES:
        page.get_by_role("slider", name="Step").fill(str(round(share * last)))
        analysed = page.get_by_role("tab", name="Luck").count() and page.locator(".iron-board:not(.kk-board)").count()
        if share and analysed:  # it comes with the first move, and takes room; only games with a value have it
            expect(page.locator(".lk-ribbon")).to_be_visible()
        settled = eventually(lambda: page.evaluate(MISFITS) == [])  # a frame or two after the move
        assert settled or page.evaluate(MISFITS) == [], f"at step {round(share * last)} of {last}"


@pytest.mark.parametrize(("game", "players"), [("heckmeck", 2)])
def test_the_header_stands_before_the_rest_of_the_page_has_come(
    opened: Callable[..., Page], game: str, players: int
) -> None:
    """A page is painted while it comes in: what a slow reader sees of it first may not move."""
    for window in WINDOWS:
        page = opened(game, players, window)
        page.evaluate("document.fonts.ready")
        tools = page.locator(".site-header .site-tools")
        whole = [page.locator(".site-header").bounding_box(), tools.bounding_box()]
        page.evaluate("() => { for (const part of document.querySelectorAll('main, footer')) part.remove(); }")
        assert [page.locator(".site-header").bounding_box(), tools.bounding_box()] == whole


@pytest.mark.parametrize(("game", "players"), [("pickomino", 2)])
def test_a_board_alone_fills_its_frame_on_the_home_page_too(
    opened: Callable[..., Page], game: str, players: int
) -> None:
    page = opened(game, players, (604, 342))
    page.goto(f"{page.url.partition('?')[0]}embed/")
    loaded(page)
    page.evaluate("Object.assign(document.querySelector('.embed').dataset, { controls: '0', title: '0' })")
    stage = page.locator(".rp-stage").bounding_box()
    assert stage is not None
    assert stage["width"] >= 570
    assert stage["height"] >= 320


@pytest.mark.parametrize(
    ("game", "players", "window"),
    [
        pytest.param(*match, window, id=f"{match[0]}-{match[1]}-{window[0]}x{window[1]}", marks=marks)
        for match in EVERY
        for window in WINDOWS
        for marks in [() if (match, window) in DAILY else pytest.mark.slow]
    ],
)
def test_board_sentence_and_play_fit_the_window(
    opened: Callable[..., Page], game: str, players: int, window: tuple[int, int]
) -> None:
    fits(opened(game, players, window))


@pytest.mark.parametrize(("game", "players"), [("pickomino", 7), ("karteneck", 3)])
def test_the_names_of_all_seats_are_visible_in_any_window(opened: Callable[..., Page], game: str, players: int) -> None:
    page = opened(game, players, WINDOWS[0])
    for width, height in (*WINDOWS, *READ_IN):
        resize(page, width, height)
        expect(page.locator(".rp-seats .rp-name")).to_have_count(players)
        assert page.evaluate(UNREADABLE) == [], (width, height)


@pytest.mark.parametrize(("game", "players"), [max(one for one in EVERY if one[0] == game) for game in GAMES])
def test_every_word_on_a_board_can_be_read_in_any_window(opened: Callable[..., Page], game: str, players: int) -> None:
    page = opened(game, players, READ_IN[0])
    slider = page.get_by_role("slider", name="Step")
    last = int(slider.get_attribute("max") or 0)
    small = {}
    for width, height in READ_IN:
        resize(page, width, height)
        for share in SHARES:
            slider.fill(str(round(share * last)))
            small[width, height, share] = page.evaluate(TOO_SMALL)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height)
    assert not any(small.values()), {where: one for where, one in small.items() if one}


@pytest.mark.parametrize(
    ("game", "players", "language"),
    [
        pytest.param(*max(one for one in EVERY if one[0] == game), language, marks=marks)
        for game in GAMES
        for language in LANGUAGES
        for marks in [() if language == "en" or game == "heckmeck" else pytest.mark.slow]
    ],
)
def test_a_match_page_that_comes_for_the_first_time_is_light(
    opened: Callable[..., Page], site: Site, game: str, players: int, language: str
) -> None:
    site.sent.clear()
    page = opened(game, players, WINDOWS[0], language)
    page.wait_for_load_state("networkidle")
    assert len(site.sent) <= REQUESTS_MOST, site.sent
    assert sum(size for _, size in site.sent) <= BYTES_MOST, sorted(site.sent, key=lambda one: -one[1])
    boards = {path.split("/")[-2] for path, _ in site.sent if "/boards/" in path}
    assert boards == {game}
