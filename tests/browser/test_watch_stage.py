"""The watch page: the board requests the next match again after a failure, with a doubled delay."""

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Route, expect

pytestmark = pytest.mark.browser
SITE = "http://pecking.test"
STAGE = (
    '<watch-stage data-match="{n}" data-src="/match" data-title="A match" data-left="0"><p>match {n}</p></watch-stage>'
)
PAGE = f"""<!doctype html><live-cells src="/cells">{STAGE.format(n=1)}</live-cells>
<script type="module" src="/watch.js"></script>"""
MATCH = '<!doctype html><script>parent.postMessage({ type: "pecking-order:end" }, "*")</script>'
# Every wait that the page asks for, in milliseconds.
NOTED = """window.waits = []; const wait = window.setTimeout;
if (window === window.top) window.setTimeout = (run, ms, ...more) => (waits.push(ms), wait(run, ms, ...more));"""


def test_a_failed_request_is_repeated_after_a_growing_delay(browser: Browser) -> None:
    page = browser.new_page()
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    page.add_init_script(NOTED)
    answers = [
        lambda route: route.fulfill(status=503, body="busy"),
        lambda route: route.abort(),
        lambda route: route.fulfill(body="<p>nothing is on</p>", content_type="text/html"),
        *[lambda route: route.fulfill(status=500)] * 4,
        lambda route: route.fulfill(body=STAGE.format(n=2), content_type="text/html"),
    ]
    requests: list[str] = []

    def answer(route: Route) -> None:
        requests.append(route.request.url)
        answers[len(requests) - 1](route)

    page.route(f"{SITE}/", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.route(f"{SITE}/match", lambda route: route.fulfill(body=MATCH, content_type="text/html"))
    page.route(f"{SITE}/watch.js", lambda route: route.fulfill(path=finders.find("site/js/watch.js")))
    page.route(f"{SITE}/cells", answer)
    page.goto(f"{SITE}/")
    expected = [8_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]
    for number, delay in enumerate(expected, 1):
        page.wait_for_function("(number) => waits.length >= number", arg=number, polling=50)
        assert page.evaluate("waits") == expected[:number]
        page.clock.run_for(delay - 1)
        assert len(requests) == number - 1
        page.clock.run_for(1)
    expect(page.locator("watch-stage")).to_contain_text("match 2")
    assert len(requests) == len(answers)
    page.close()
