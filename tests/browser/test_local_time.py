"""Times of a page by the reader's own clock, with UTC beside."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
SITE = "http://pecking.test"
PAGE = """<!doctype html><html lang="en"><p><local-time datetime="2026-12-24T23:30:00+00:00"
><time>Thu, 24 Dec 2026, 23:30 UTC</time></local-time>
<local-time datetime="2026-12-24T23:30:00+00:00" zone="Europe/Zurich"
>Fri, 25 Dec 2026, 00:30 Europe/Zurich</local-time></p>
<p><input id="at" value="2026-07-01T19:00"><select id="zone"><option>Europe/Zurich<option>UTC</select>
<local-time for="at" zone-of="zone"></local-time></p>
<script type="module" src="/local-time.js"></script></html>"""
SHOWN = "element => [...element.shadowRoot.childNodes].map((one) => (one.assignedNodes?.() ?? [one])"
SHOWN += ".map(({ textContent }) => textContent).join('')).join('')"


@pytest.mark.parametrize(
    ("zone", "shown", "beside", "typed"),
    [
        (
            "America/New_York",
            "Thu, 24 Dec 2026, 18:30 GMT-5 (23:30 UTC)",
            " (Thu, 18:30 GMT-5)",
            "Wed, 1 Jul 2026, 13:00 GMT-4",
        ),
        (
            "Asia/Kolkata",
            "Fri, 25 Dec 2026, 05:00 GMT+5:30 (Thu, 23:30 UTC)",
            " (05:00 GMT+5:30)",
            "Wed, 1 Jul 2026, 22:30 GMT+5:30",
        ),
        ("UTC", "Thu, 24 Dec 2026, 23:30 UTC", " (Thu, 23:30 UTC)", ""),
        ("Europe/Berlin", "Fri, 25 Dec 2026, 00:30 CET (Thu, 23:30 UTC)", "", "Wed, 1 Jul 2026, 19:00 CEST"),
    ],
)
def test_a_time_is_shown_in_the_zone_of_the_reader_beside_that_of_the_site_or_event(
    browser: Browser, zone: str, shown: str, beside: str, typed: str
) -> None:
    page = browser.new_page(timezone_id=zone)
    page.route(f"{SITE}/", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.route(f"{SITE}/*.js", lambda route: route.fulfill(path=finders.find(f"web/{Path(route.request.url).name}")))
    page.goto(f"{SITE}/")
    page.wait_for_function("document.querySelector('local-time').shadowRoot")
    times = page.locator("local-time")
    assert times.first.evaluate(SHOWN) == shown
    assert times.nth(1).evaluate(SHOWN) == f"Fri, 25 Dec 2026, 00:30 Europe/Zurich{beside}"
    of_form = f"{typed} (17:00 UTC)" if typed else "Wed, 1 Jul 2026, 17:00 UTC"
    assert times.last.evaluate(SHOWN) == of_form
    page.locator("#zone").select_option("UTC")
    assert "19:00 UTC" in times.last.evaluate(SHOWN)
