"""Cells that change by themselves, in a real Chromium: nothing moves under a hand."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from tests.browser.chromium import WAIT_MS
from tests.matches.replay.stage import stage
from web.topics import SRC_MAX

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


def test_changes_alone_are_merged_and_what_was_held_back_is_not_lost_by_the_next_ones(browser: Browser) -> None:
    page, asked = browser.new_page(), list[str]()
    page.set_default_timeout(WAIT_MS)
    answers = iter([('<template><td id="one" data-live>2</td></template>', "b" * 32), ("", "c" * 32)])

    def answer(route: Route) -> None:
        asked.append(route.request.headers.get("x-live-have", ""))
        body, state = next(answers)
        route.fulfill(body=body, content_type="text/html", headers={"X-Live-State": state})

    with stage() as url:
        cells = '<table><tr><td id="one" data-live><a href="#c">1</a></td><td id="two" data-live>1</td></tr></table>'
        body = f'<live-cells src="/cells/" data-state="{"a" * 32}">{cells}</live-cells><a href="#" id="away">away</a>'
        script = '<script type="module" src="/static/web/live-cells.js"></script>'
        html = f"<!doctype html><title>x</title>{script}{body}"
        page.route("**/table/", lambda route: route.fulfill(body=html, content_type="text/html"))
        page.route("**/cells/", answer)
        page.goto(f"{url}/table/")
        page.focus("#one a")
        for _ in range(2):
            with page.expect_response("**/cells/"):
                page.dispatch_event("live-cells", "live:refresh")
        expect(page.locator("#one a")).to_be_focused()
        page.focus("#away")
        expect(page.locator("#one")).to_have_text("2")
        expect(page.locator("#two")).to_have_text("1")
    assert asked == ["a" * 32, "b" * 32]
    page.close()


def test_what_failed_is_asked_for_again_with_no_further_announcement(browser: Browser) -> None:
    page = browser.new_page()
    page.set_default_timeout(WAIT_MS)
    answers = iter([500, None, 429, 200])

    def answer(route: Route) -> None:
        status = next(answers)
        if status is None:
            route.abort()
        else:
            route.fulfill(body=parts(2, 2, 1) if status == 200 else "", status=status, content_type="text/html")

    with stage() as url:
        script = '<script type="module" src="/static/web/live-cells.js"></script>'
        html = f'<!doctype html><title>x</title>{script}<live-cells src="/cells/">{parts(1, 2, 1)}</live-cells>'
        page.route("**/table/", lambda route: route.fulfill(body=html, content_type="text/html"))
        page.route("**/cells/", answer)
        page.clock.install()
        page.goto(f"{url}/table/")
        page.dispatch_event("live-cells", "live:refresh")
        for seconds in (1, 3, 5, 9):  # each a second after the page is due to ask, the pauses are 2, 4 and 8 s
            with page.expect_request("**/cells/"):
                page.clock.run_for(1000 * seconds)
        expect(page.locator("#cell")).to_have_text("2 points")
    page.close()


def test_what_everyone_sees_is_asked_for_without_cookies_until_it_is_not_everyones_and_own_rows_stay(
    browser: Browser,
) -> None:
    page, asked = browser.new_page(locale="fr"), list[tuple[bool, str]]()
    page.set_default_timeout(WAIT_MS)
    answers = iter([(503, {}), (200, {"X-Live-Shared": "tournament.5"}), (403, {}), (200, {}), (200, {})])

    def row(number: int, points: int, button: str = "") -> str:
        return f'<tr id="s{number}"><th>{points}<span data-own="s{number}">{button}</span></th></tr>'

    def answer(route: Route) -> None:
        headers = route.request.all_headers()
        asked.append(("cookie" in headers, headers["accept-language"]))
        status, sent = next(answers)
        rows = row(6, len(asked)) + row(5, len(asked))
        body = f'<template><tbody id="rows" data-live>{rows}</tbody></template>'
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
        page.goto(f"{url}/table/")
        for points in (0, 2, 4, 5):
            with page.expect_response(lambda given: given.status != 403):
                page.dispatch_event("live-cells", "live:refresh")
            expect(page.locator("#s6 th")).to_have_text(str(points))
            expect(page.locator("tr.mine")).to_have_attribute("id", "s5")
            expect(page.locator("#s5 button")).to_have_text("Withdraw")
            expect(page.locator("button")).to_have_count(1)
    assert [cookie for cookie, _ in asked] == [False, False, False, True, True]
    assert [language for _, language in asked][:3] == ["de"] * 3
    page.close()


def test_who_is_told_more_asks_for_it_once_as_soon_as_there_is_more(browser: Browser) -> None:
    page, asked = browser.new_page(), list[bool]()
    page.set_default_timeout(WAIT_MS)
    marks = iter(["a", "b", "b", "b", "c", "d", "d"])  # an own answer may be newer than that which it was asked for

    def answer(route: Route) -> None:
        asked.append("cookie" in route.request.all_headers())
        state = f'<b id="state" data-live data-personal="{next(marks)}">{len(asked)}</b>'
        own = f'<p id="agenda" data-live>for you {len(asked)}</p>' if asked[-1] else ""
        sent = {} if asked[-1] else {"X-Live-Shared": "tournament.5"}
        route.fulfill(body=state + own, content_type="text/html", headers=sent)

    with stage() as url:
        cells = '<b id="state" data-live>0</b>'
        cells += '<p id="agenda" data-live>nothing yet</p>'
        body = f'<live-cells src="/cells/" data-shared data-personal="a">{cells}</live-cells>'
        script = '<script type="module" src="/static/web/live-cells.js"></script>'
        page.route(
            "**/table/",
            lambda route: route.fulfill(
                body=f"<!doctype html><title>x</title>{script}{body}", content_type="text/html"
            ),
        )
        page.route("**/cells/", answer)
        page.context.add_cookies([{"name": "sessionid", "value": "x", "url": url}])
        page.goto(f"{url}/table/")
        for number, agenda in (
            (1, "nothing yet"),
            (3, "for you 3"),
            (4, "for you 3"),
            (6, "for you 6"),
            (7, "for you 6"),
        ):
            page.dispatch_event("live-cells", "live:refresh")
            expect(page.locator("#state")).to_have_text(str(number))
            expect(page.locator("#agenda")).to_have_text(agenda)
    assert asked == [False, False, True, False, False, True, False]
    page.close()


def test_cells_that_are_sent_are_merged_with_no_request_and_the_page_asks_only_when_it_has_another_state(
    browser: Browser,
) -> None:
    page, asked, said = browser.new_page(), list[str](), list[Any]()
    page.set_default_timeout(WAIT_MS)
    sockets: list[WebSocketRoute] = []
    answers = iter([("c", {}), ("d", {"X-Live-Again": "9"}), ("f", {})])

    def greet(socket: WebSocketRoute) -> None:
        sockets.append(socket)

        def hear(text: str | bytes) -> None:
            said.append(json.loads(text))
            if "subscribe" in said[-1]:
                socket.send(json.dumps({"subscribed": ["tournament.5"], "cells": True}))

        socket.on_message(hear)

    def answer(route: Route) -> None:
        asked.append(route.request.headers.get("x-live-have", ""))
        state, more = next(answers)
        if state == "f":
            sends("e", "x", "sent while it asks")
        headers = {"X-Live-State": state * 32, "X-Live-Shared": "tournament.5 2", **more}
        body = f'<template><p id="cell" data-live>by HTTP {len(asked)}</p></template>'
        route.fulfill(body=body, content_type="text/html", headers=headers)

    def sends(have: str, state: str, text: str) -> None:
        html = f'<template><p id="cell" data-live>{text}</p></template>'
        message = {"topic": "tournament.5", "src": "/cells/", "have": have * 32, "state": state * 32, "html": html}
        sockets[0].send(json.dumps(message))

    def wanted(state: str, due: int | None) -> Any:
        cells = {"topic": "tournament.5:x", "src": "/cells/", "language": "de", "state": state * 32, "due": due}
        return {"cells": [cells]}

    with stage() as url:
        body = '<p id="cell" data-live>first</p><p id="other" data-live>kept</p>'
        script = '<script type="module" src="/static/web/live-cells.js"></script>'
        cells = f'topic="tournament.5:x" src="/cells/" data-shared data-again="1" data-state="{"a" * 32}"'
        html = f'<!doctype html><html lang="de"><title>x</title>{script}<live-cells {cells}>{body}</live-cells>'
        page.route("**/table/", lambda route: route.fulfill(body=html, content_type="text/html"))
        page.route("**/cells/", answer)
        page.route_web_socket("**/ws/live/", greet)
        page.clock.install()
        page.goto(f"{url}/table/")
        cell = page.locator("#cell")
        expect(cell).to_have_text("first")
        until(page, lambda: said == [{"subscribe": ["tournament.5:x"]}, wanted("a", 0)])
        page.clock.run_for(5000)
        sends("a", "b", "sent")
        expect(cell).to_have_text("sent")
        page.clock.run_for(5000)
        assert asked == []

        sends("a", "x", "of a state that it has no more")
        page.clock.run_for(2000)
        expect(cell).to_have_text("by HTTP 1")
        until(page, lambda: said[2:] == [wanted("c", None)])
        assert asked == ["b" * 32]

        sockets[0].send('{"topic": "tournament.5", "round": 2}')
        page.clock.run_for(2000)
        expect(cell).to_have_text("by HTTP 2")
        until(page, lambda: said[3:] == [wanted("d", 9)])
        sends("d", "e", "sent at last")
        expect(cell).to_have_text("sent at last")
        expect(page.locator("#other")).to_have_text("kept")
        page.clock.run_for(20_000)
        assert asked == ["b" * 32, "c" * 32]

        sockets[0].send('{"topic": "tournament.5"}')
        page.clock.run_for(2000)
        until(page, lambda: said[4:] == [wanted("f", 0)])
        expect(cell).to_have_text("by HTTP 3")
    page.close()


def test_a_page_that_is_refused_a_socket_refreshes_by_http(browser: Browser) -> None:
    page, answers = browser.new_page(), iter(range(2, 99))
    page.set_default_timeout(WAIT_MS)
    with stage() as url:  # which answers nobody's wish for a socket
        script = '<script type="module" src="/static/web/live-cells.js"></script>'
        cells = f'<live-cells topic="version.5:x" src="/cells/">{parts(1, 1)}</live-cells>'
        html = f"<!doctype html><title>x</title>{script}{cells}"
        page.route("**/table/", lambda route: route.fulfill(body=html, content_type="text/html"))
        page.route("**/cells/", lambda route: route.fulfill(body=parts(next(answers), 1), content_type="text/html"))
        page.goto(f"{url}/table/")
        for points in (2, 3, 4):
            expect(page.locator("#cell")).to_have_text(f"{points} points")
    page.close()


def test_a_page_whose_address_is_longer_than_a_socket_may_name_asks_by_http(browser: Browser) -> None:
    page, said = browser.new_page(), list[Any]()
    page.set_default_timeout(WAIT_MS)

    def greet(socket: WebSocketRoute) -> None:
        def hear(text: str | bytes) -> None:
            said.append(json.loads(text))
            socket.send(json.dumps({"subscribed": ["tournament.5"], "cells": True}))

        socket.on_message(hear)

    with stage() as url:
        script = '<script type="module" src="/static/web/live-cells.js"></script>'
        cells = f'topic="tournament.5:x" src="/cells/?bot={"x" * SRC_MAX}" data-shared'
        html = f'<!doctype html><html lang="en"><title>x</title>{script}<live-cells {cells}>{parts(1, 1)}</live-cells>'
        shared = {"X-Live-Shared": "tournament.5 2"}
        page.route("**/table/", lambda route: route.fulfill(body=html, content_type="text/html"))
        page.route(
            "**/cells/*", lambda route: route.fulfill(body=parts(2, 1), content_type="text/html", headers=shared)
        )
        page.route_web_socket("**/ws/live/", greet)
        page.goto(f"{url}/table/")
        expect(page.locator("#cell")).to_have_text("2 points")
        assert said == [{"subscribe": ["tournament.5:x"]}]
    page.close()


def until(page: Page, condition: Callable[[], bool]) -> None:
    """Wait for what the test itself is told, while the page goes on."""
    for _ in range(WAIT_MS // 20):
        if condition():
            return
        page.wait_for_timeout(20)
    assert condition()
