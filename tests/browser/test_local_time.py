"""Times of a page by the reader's own clock, with UTC beside."""

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
SITE = "http://pecking.test"
PAGE = """<!doctype html><html lang="en"><p><local-time datetime="2026-12-24T23:30:00+00:00"
><time>Dec. 24, 11:30 p.m. UTC</time></local-time></p>
<p><input id="at" value="2026-07-01T19:00"><select id="zone"><option>Europe/Zurich<option>UTC</select>
<local-time for="at" zone-of="zone"></local-time></p>
<script type="module" src="/local-time.js"></script></html>"""
SHOWN = "element => [...element.shadowRoot.childNodes].map((one) => (one.assignedNodes?.() ?? [one])"
SHOWN += ".map(({ textContent }) => textContent).join('')).join('')"


@pytest.mark.parametrize(
    ("zone", "told", "typed"),
    [
        ("America/New_York", "Thu, Dec 24, 06:30 PM EST (Dec. 24, 11:30 p.m. UTC)", "Wed, Jul 1, 01:00 PM EDT"),
        ("Asia/Kolkata", "Fri, Dec 25, 05:00 AM GMT+5:30 (Dec. 24, 11:30 p.m. UTC)", "Wed, Jul 1, 10:30 PM GMT+5:30"),
        ("UTC", "Dec. 24, 11:30 p.m. UTC", ""),
    ],
)
def test_a_time_is_told_by_the_readers_clock_with_utc_beside(
    browser: Browser, zone: str, told: str, typed: str
) -> None:
    page = browser.new_page(timezone_id=zone)
    page.route(f"{SITE}/", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.route(f"{SITE}/local-time.js", lambda route: route.fulfill(path=finders.find("site/js/local-time.js")))
    page.goto(f"{SITE}/")
    page.wait_for_function("document.querySelector('local-time').shadowRoot")
    times = page.locator("local-time")
    assert times.first.evaluate(SHOWN) == told
    of_form = "Wed, Jul 1, 05:00 PM UTC"
    assert times.last.evaluate(SHOWN) == (f"{typed} ({of_form})" if typed else of_form)
    page.locator("#zone").select_option("UTC")
    assert "07:00 PM UTC" in times.last.evaluate(SHOWN)
