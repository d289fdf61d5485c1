"""The form requests the cost of its tournament when it is opened and after each change, in a real Chromium."""

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Request, Route, expect

from tests.browser.chromium import stop_the_clock

pytestmark = pytest.mark.browser
SITE = "http://pecking.test"
PAGE = """<!doctype html><script type="module" src="/workload-estimate.js"></script>
<form method="post"><input name="blocks" value="1"><input name="name" value="Worm Derby"><workload-estimate
id="workload" src="/estimate/" slug="worm-derby"><p>later</p></workload-estimate></form>"""


def test_the_last_answer_to_the_whole_form_is_shown_and_a_refusal_is_not(browser: Browser) -> None:
    page, requests = browser.new_page(), list[str]()
    answers = iter([(200, "first"), (200, "second"), (403, "refused"), (200, "third")])

    def answer(route: Route) -> None:
        requests.append(sent(route.request))
        status, text = next(answers)
        route.fulfill(body=f"<p>{text}</p>", status=status, content_type="text/html")

    script = finders.find("tournaments/workload-estimate.js")
    page.route(f"{SITE}/new/", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.route(f"{SITE}/workload-estimate.js", lambda route: route.fulfill(path=script))
    page.route(f"{SITE}/estimate/", answer)
    stop_the_clock(page)
    page.goto(f"{SITE}/new/")
    workload = page.locator("#workload")
    expect(workload).to_have_text("first")
    for blocks, shown in (("2", "second"), ("many", "second"), ("3", "third")):
        page.fill("[name=blocks]", blocks)
        with page.expect_response(f"{SITE}/estimate/"):
            page.dispatch_event("[name=blocks]", "change")
            page.clock.run_for(200)
            page.dispatch_event("[name=name]", "change")  # within the pause, so both are asked for once
            page.clock.run_for(400)
        expect(workload).to_have_text(shown)
    assert requests == [
        "1 Worm Derby worm-derby",
        *(f"{blocks} Worm Derby worm-derby" for blocks in ("2", "many", "3")),
    ]
    page.close()


def sent(request: Request) -> str:
    """The values of the multipart body, in order."""
    lines = (request.post_data or "").split("\r\n")
    return " ".join(lines[at + 2] for at, line in enumerate(lines) if line.startswith("Content-Disposition"))
