"""Cells that change by themselves, in a real Chromium: nothing moves under a hand."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from tests.browser.chromium import WAIT_MS, run_until, stop_the_clock, until
from tests.matches.replay.player_server import stage

pytestmark = pytest.mark.browser

Refresh = Callable[[str], None]


def parts(points: int, *matches: int) -> str:
    """What a server answers: a cell with a link, and a list whose newest member comes first."""
    rows = "".join(f'<li id="m{n}"><a href="#{n}">match {n}</a></li>' for n in matches)
    return (
        f'<p id="cell" data-live><a href="#c">{points} points</a></p><ul id="rows" data-live-list="prepend">{rows}</ul>'
    )


@pytest.fixture
def table(browser: Browser) -> Iterator[tuple[Page, Refresh]]:
    """A page that shows 1 point and the matches 2 and 1, and what makes it ask for another answer."""
    answers = [""]
    page = browser.new_page()
    page.set_default_timeout(WAIT_MS)
    with stage() as url:
        script = '<script type="module" src="/static/web/live-cells.js"></script>'
        body = f'<live-cells src="/cells/">{parts(1, 2, 1)}</live-cells><a href="#away" id="away">away</a>'
        html = f"<!doctype html><title>x</title>{script}{body}"
        page.route("**/table/", lambda route: route.fulfill(body=html, content_type="text/html"))
        page.route("**/cells/", lambda route: route.fulfill(body=answers[0], content_type="text/html"))
        page.goto(f"{url}/table/")

        def refresh(answer: str) -> None:
            answers[0] = answer
            with page.expect_response("**/cells/"):
                page.dispatch_event("live-cells", "live:refresh")
            page.wait_for_timeout(100)

        yield page, refresh
    page.close()


def test_a_list_takes_what_is_new_and_stays_as_long_as_the_answer(table: tuple[Page, Refresh]) -> None:
    page, refresh = table
    refresh(parts(2, 3, 2))
    expect(page.locator("#cell")).to_have_text("2 points")
    assert page.locator("li").all_inner_texts() == ["match 3", "match 2"]


def test_rows_wait_while_the_pointer_is_over_them(table: tuple[Page, Refresh]) -> None:
    page, refresh = table
    page.hover("#m2 a")
    before = page.locator("#m2").bounding_box()
    refresh(parts(1, 3, 2))
    assert page.locator("#m2").bounding_box() == before
    page.hover("#away")
    expect(page.locator("#m3")).to_be_visible()


def test_a_cell_keeps_the_focus_and_the_link_that_is_being_pressed(table: tuple[Page, Refresh]) -> None:
    page, refresh = table
    page.focus("#cell a")
    refresh(parts(2, 2, 1))
    expect(page.locator("#cell a")).to_be_focused()
    page.focus("#away")
    expect(page.locator("#cell")).to_have_text("2 points")
    page.hover("#m2 a")
    page.mouse.down()
    refresh(parts(2, 2, 1).replace("match 2", "match 2 at last"))
    page.mouse.up()
    expect(page).to_have_url(re.compile("#2$"))
    page.focus("#away")
    page.hover("#away")
    expect(page.locator("#m2")).to_have_text("match 2 at last")


def test_a_failed_request_is_repeated_without_an_announcement(browser: Browser) -> None:
    page, requests = browser.new_page(), list[str]()
    page.set_default_timeout(WAIT_MS)
    answers = [500, None, 429, 200]

    def answer(route: Route) -> None:
        status = answers[len(requests)]
        requests.append(route.request.url)
        if status is None:
            route.abort()
        else:
            route.fulfill(body=parts(2, 2, 1) if status == 200 else "", status=status, content_type="text/html")

    with stage() as url:
        script = '<script type="module" src="/static/web/live-cells.js"></script>'
        html = f'<!doctype html><title>x</title>{script}<live-cells src="/cells/">{parts(1, 2, 1)}</live-cells>'
        page.route("**/table/", lambda route: route.fulfill(body=html, content_type="text/html"))
        page.route("**/cells/", answer)
        stop_the_clock(page)
        page.goto(f"{url}/table/")
        page.dispatch_event("live-cells", "live:refresh")
        run_until(page, lambda: len(requests) == len(answers))
        expect(page.locator("#cell")).to_have_text("2 points")
    page.close()


def test_shared_cells_are_fetched_without_cookies_until_they_are_private_and_own_rows_stay(
    browser: Browser,
) -> None:
    page, requests = browser.new_page(locale="fr"), list[tuple[bool, str]]()
    page.set_default_timeout(WAIT_MS)
    answers = iter([(503, {}), (200, {"X-Live-Shared": "tournament.5"}), (403, {}), (200, {}), (200, {})])

    def row(number: int, points: int, button: str = "") -> str:
        return f'<tr id="s{number}"><th>{points}<span data-own="s{number}">{button}</span></th></tr>'

    def answer(route: Route) -> None:
        headers = route.request.all_headers()
        requests.append(("cookie" in headers, headers["accept-language"]))
        status, sent = next(answers)
        rows = row(6, len(requests)) + row(5, len(requests))
        body = f'<table><tbody id="rows" data-live>{rows}</tbody></table>'
        route.fulfill(body=body, status=status, content_type="text/html", headers=sent)

    with stage() as url:
        mine = row(5, 0, "<button>Withdraw</button>").replace("<tr ", '<tr class="mine" ')
        cells = f'<table><tbody id="rows" data-live>{mine}{row(6, 0)}</tbody></table>'
        body = f'<live-cells src="/cells/" data-shared data-rows="s5 k5">{cells}</live-cells>'
        script = '<script type="module" src="/static/web/live-cells.js"></script>'
        html = f'<!doctype html><html lang="de"><title>x</title>{script}{body}'
        page.route("**/table/", lambda route: route.fulfill(body=html, content_type="text/html"))
        page.route("**/cells/", answer)
        page.context.add_cookies([{"name": "sessionid", "value": "x", "url": url}])
        stop_the_clock(page)  # else what failed is asked for again meanwhile
        page.goto(f"{url}/table/")
        for answered, points in ((1, 0), (2, 2), (4, 4), (5, 5)):
            page.dispatch_event("live-cells", "live:refresh")
            run_until(page, lambda answered=answered: len(requests) == answered)
            expect(page.locator("#s6 th")).to_have_text(str(points))
            expect(page.locator("tr.mine")).to_have_attribute("id", "s5")
            expect(page.locator("#s5 button")).to_have_text("Withdraw")
            expect(page.locator("button")).to_have_count(1)
    assert [cookie for cookie, _ in requests] == [False, False, False, True, True]
    assert [language for _, language in requests][:3] == ["de"] * 3
    page.close()


def rows_page(rows: str, tables: str = "") -> str:
    """A German page that shows places 11 to 13 of a board, of revision 80."""
    script = '<script type="module" src="/static/web/live-cells.js"></script>'
    part = 'data-live data-part="standings.7" data-revision="80" data-first="11"'
    board = f'<table><tbody id="standings-rows" {part}>{rows}</tbody></table>{tables}'
    cells = 'topic="tournament.5:x" src="/cells/" data-shared'
    head = f'<!doctype html><html lang="de"><meta charset="utf-8"><title>x</title>{script}'
    return f"{head}<live-cells {cells}>{board}</live-cells>"


def standing(entry: int, rank: int, points: str) -> str:
    def cell(name: str, text: str, kind: str = "") -> str:
        return f'<td id="s{entry}-{name}" class="{kind}" data-live>{text}</td>'

    return (
        f'<tr id="s{entry}">{cell("rank", str(rank))}<th><a href="#{entry}">bot {entry}</a></th>'
        f"{cell('points', points)}{cell('rating', '1500')}{cell('played', '4/9')}{cell('wdl', '4–0–0')}"  # noqa: RUF001
        f"{cell('game_points', '7')}{cell('buchholz', '1', 'tie-break')}{cell('margin', '1', 'tie-break')}"
        f"{cell('lot', '<code>abc</code>', 'tie-break')}{cell('forfeited', '0')}</tr>"
    )


TABLE = """<ul id="fixtures-3" data-part="tables.7.3" data-revision="80"><li id="f5" data-live><ul class="sittings">
<li class="first"><span class="name">a</span></li><li><span class="name">b</span><span class="number">1</span></li></ul>
<a class="waiting" href="/matches/9/">waits</a></li></ul>
<template id="row-finished"><a class="button">Replay</a></template>
<template id="row-forfeited"><span>forfeited</span> </template>"""


class RowsSite:
    """What stands behind a page that is sent rows: its socket, and the fragments that it requests."""

    def __init__(self, page: Page, fragment: Callable[[], str]) -> None:
        self.messages: list[Any] = []
        self.requests = 0
        self._fragment = fragment
        self._sockets: list[WebSocketRoute] = []
        page.route_web_socket("**/ws/live/", self._greet)
        page.route("**/cells/", self._answer)

    def send(self, since: int, revision: int, *rows: Any, part: str = "standings.7") -> None:
        self.announce(since=since, revision=revision, part=part, rows=rows)

    def announce(self, **data: Any) -> None:
        self._sockets[0].send(json.dumps({"topic": "tournament.5", **data}))

    def _greet(self, socket: WebSocketRoute) -> None:
        self._sockets.append(socket)

        def hear(text: str | bytes) -> None:
            self.messages.append(json.loads(text))
            if "subscribe" in self.messages[-1]:
                socket.send(json.dumps({"subscribed": ["tournament.5"], "rows": True}))

        socket.on_message(hear)

    def _answer(self, route: Route) -> None:
        self.requests += 1
        shared = {"X-Live-Shared": "tournament.5 2"}
        route.fulfill(body=self._fragment(), content_type="text/html", headers=shared)


@pytest.fixture
def followed(browser: Browser) -> Iterator[tuple[Page, RowsSite, list[str]]]:
    """A page with three rows and a table, and what the next fragments are."""
    page, fragments = browser.new_page(), list[str]()
    page.set_default_timeout(WAIT_MS)
    site = RowsSite(page, lambda: fragments.pop(0))
    html = rows_page(standing(1, 11, "4") + standing(2, 12, "3½") + standing(3, 13, "3"), TABLE)
    with stage() as url:
        page.route("**/table/", lambda route: route.fulfill(body=html, content_type="text/html"))
        stop_the_clock(page)
        page.goto(f"{url}/table/")
        shown = {"topic": "tournament.5:x", "parts": {"standings.7": 80, "tables.7.3": 80}}
        until(page, lambda: site.messages == [{"subscribe": ["tournament.5:x"]}, {"shows": [shown]}])
        yield page, site, fragments
    page.close()


def order(page: Page) -> list[str]:
    return [str(one.get_attribute("id")) for one in page.locator("tbody tr").all()]


def test_rows_are_written_as_the_templates_write_them_and_moved_to_their_places(
    followed: tuple[Page, RowsSite, list[str]],
) -> None:
    page, site, _ = followed
    figures = [5, 4, 1, 0, 12, 1, 20.37, -2.5, "0f3a9c"]
    site.send(79, 81, [3, 11, 11, 4.5, *figures], [1, 12, 12, 0.25, *figures], [99, 40, 40, 1, *figures])
    expect(page.locator("#s3-points")).to_have_text("4½")
    assert order(page) == ["s3", "s1", "s2"]
    assert page.locator("#s3 td").all_inner_texts() == [
        *("11", "4½", "1500", "5/9", "4–1–0", "12", "20,37", "−2½", "0f3a9c", "1"),  # noqa: RUF001
    ]
    expect(page.locator("#s1-points")).to_have_text("¼")
    expect(page.locator("#s3-lot code")).to_have_text("0f3a9c")
    expect(page.locator("#s2-points")).to_have_text("3½")
    expect(page.locator("#s3 a")).to_have_attribute("href", "#3")
    assert site.requests == 0


def test_a_table_shows_its_result_from_a_row(followed: tuple[Page, RowsSite, list[str]]) -> None:
    page, site, _ = followed
    site.send(80, 81, [5, "finished", [[0.5, False, True], [3, True, False]]], part="tables.7.3")
    link = page.locator("#f5 > a")
    expect(link).to_have_text("Replay")
    expect(link).to_have_attribute("href", "/matches/9/")
    assert page.locator("#f5 .number").all_inner_texts() == ["forfeited ½", "3"]
    expect(page.locator("#f5 .first .name")).to_have_text("b")
    assert site.requests == 0


@pytest.mark.parametrize(
    "message",
    [
        {"since": 80, "revision": 81, "part": "standings.7", "rows": [[9, 12, 12, 1, 5, 4, 1, 0, 12, 1]]},
        {"since": 80, "revision": 81, "part": "standings.7", "rows": [[3, 14, 14, 1, 5, 4, 1, 0, 12, 1]]},
        {"since": 81, "revision": 82, "part": "standings.7", "rows": []},
        {"since": 80, "revision": 81, "part": "tables.7.3", "rows": [[5, "", []]]},
        {"revision": 81, "reload": True},
        {"revision": 81},
    ],
    ids=["a row comes", "a row goes", "a message was missed", "a table is not plain", "reload", "results"],
)
def test_what_rows_cannot_show_is_requested_within_two_seconds(
    followed: tuple[Page, RowsSite, list[str]], message: dict[str, Any]
) -> None:
    page, site, fragments = followed
    rows = standing(1, 11, "5").replace("<td", "<td data-new", 1) + standing(9, 12, "4") + standing(3, 13, "3")
    body = rows_page(rows).replace('data-revision="80"', 'data-revision="82"')
    fragments.append(f"<template></template>{body[body.index('<table') : body.index('</live-cells')]}")
    site.announce(**message)
    run_until(page, lambda: site.requests == 1)
    expect(page.locator("#s1-points")).to_have_text("5")
    assert site.requests == 1
    assert order(page) == ["s1", "s9", "s3"]


def test_a_fragment_that_is_older_than_the_rows_does_not_undo_them(followed: tuple[Page, RowsSite, list[str]]) -> None:
    page, site, fragments = followed
    figures = [5, 4, 1, 0, 12, 1, 1, 1, "a"]
    site.send(80, 82, [3, 13, 13, 8, *figures])
    expect(page.locator("#s3-points")).to_have_text("8")
    body = rows_page(standing(1, 11, "5") + standing(2, 12, "4") + standing(3, 13, "3"), TABLE)
    fragments.append(body[body.index("<table") : body.index("</live-cells")])
    site.announce(revision=82, reload=True)
    run_until(page, lambda: site.requests == 1)
    expect(page.locator("#s1-points")).to_have_text("5")
    expect(page.locator("#s3-points")).to_have_text("8")
    site.send(82, 83, [2, 12, 12, 7, *figures])
    expect(page.locator("#s2-points")).to_have_text("7")
    assert site.requests == 1


def test_a_page_with_pushed_rows_refetches_the_rest_now_and_then(
    followed: tuple[Page, RowsSite, list[str]],
) -> None:
    page, site, fragments = followed
    body = rows_page(standing(1, 11, "5") + standing(2, 12, "4") + standing(3, 13, "3"), TABLE)
    fragments += 9 * [body[body.index("<table") : body.index("</live-cells")]]
    for _ in range(30):
        site.announce(revision=81)
        page.clock.run_for(1000)
    run_until(page, lambda: site.requests >= 2)
    assert site.requests <= 3


def test_rows_do_not_move_under_a_hand(followed: tuple[Page, RowsSite, list[str]]) -> None:
    page, site, fragments = followed
    body = rows_page(standing(3, 11, "6") + standing(1, 12, "5") + standing(2, 13, "4"), TABLE)
    fragments += 9 * [body[body.index("<table") : body.index("</live-cells")].replace('="80"', '="81"')]
    page.focus("#s1 a")
    figures = [5, 4, 1, 0, 12, 1, 1, 1, "a"]
    site.send(80, 81, [3, 11, 11, 6, *figures], [1, 12, 12, 5, *figures], [2, 13, 13, 4, *figures])
    expect(page.locator("#s3-points")).to_have_text("6")
    page.clock.run_for(3100)
    assert order(page) == ["s1", "s2", "s3"]
    page.evaluate("document.activeElement.blur()")
    page.clock.run_for(3100)
    expect(page.locator("tbody tr").first).to_have_attribute("id", "s3")


def test_a_page_that_is_refused_a_socket_refreshes_by_http(browser: Browser) -> None:
    page, now = browser.new_page(), [1]
    page.set_default_timeout(WAIT_MS)
    with stage() as url:  # which answers nobody's wish for a socket
        script = '<script type="module" src="/static/web/live-cells.js"></script>'
        cells = f'<live-cells topic="version.5:x" src="/cells/">{parts(1, 1)}</live-cells>'
        html = f"<!doctype html><title>x</title>{script}{cells}"
        page.route("**/table/", lambda route: route.fulfill(body=html, content_type="text/html"))
        page.route("**/cells/", lambda route: route.fulfill(body=parts(now[0], 1), content_type="text/html"))
        page.goto(f"{url}/table/")
        for points in (2, 3, 4):
            now[0] = points
            expect(page.locator("#cell")).to_have_text(f"{points} points")
    page.close()
