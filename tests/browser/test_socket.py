"""The sockets of pages: heartbeats are received, and a silent connection is replaced."""

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.chromium import stop_the_clock

pytestmark = pytest.mark.browser
SITE = "http://pecking.test"
PAGE = """<!doctype html><output></output><script type="module">
import { openSocket } from "/socket.js";
const told = document.querySelector("output");
openSocket("/ws", { onMessage: (data) => told.append(`heard ${data.n}. `), onDown: () => told.append("down. ") });
</script>"""


@pytest.fixture
def page(browser: Browser) -> Page:
    page = browser.new_page()
    stop_the_clock(page)
    page.route(f"{SITE}/", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.route(f"{SITE}/socket.js", lambda route: route.fulfill(path=finders.find("web/socket.js")))
    return page


def served(page: Page, *first_words: str) -> list[WebSocketRoute]:
    """Open the page; each of its sockets is sent ``first_words``."""
    sockets: list[WebSocketRoute] = []

    def greet(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        for words in first_words:
            socket.send(words)

    page.route_web_socket("**/ws", greet)
    page.goto(f"{SITE}/")
    return sockets


def test_a_connection_without_heartbeats_is_replaced(page: Page) -> None:
    sockets = served(page, "{}", '{"n": 1}')
    output = page.locator("output")
    expect(output).to_have_text("heard 1.")
    page.clock.run_for(40_000)
    sockets[0].send("{}")
    sockets[0].send('{"n": 2}')
    expect(output).to_have_text("heard 1. heard 2.")
    page.clock.run_for(40_000)
    expect(output).to_have_text("heard 1. heard 2.")
    page.clock.run_for(10_000)
    expect(output).to_have_text("heard 1. heard 2. down. heard 1.")
    assert len(sockets) == 2


def test_a_server_that_never_sent_a_heartbeat_may_be_silent(page: Page) -> None:
    sockets = served(page, '{"n": 1}')
    expect(page.locator("output")).to_have_text("heard 1.")
    page.clock.run_for(600_000)
    expect(page.locator("output")).to_have_text("heard 1.")
    assert len(sockets) == 1
