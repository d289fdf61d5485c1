"""One step of the organiser's form at a time, in a real Chromium; all of them where no script runs."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Page, Route, expect

pytestmark = pytest.mark.browser
SITE = "http://pecking.test"
PAGE = """<!doctype html><html lang="en"><script type="module" src="/form-steps.js"></script>
<form method="post" novalidate><button data-enter>Save</button><p><a href="#id_rare">Rare</a></p>
<form-steps><nav><a href="#one">One</a><a href="#two">Two</a><a href="#three">Three</a></nav>
<section id="one"><h2>Game</h2><div class="field"><label for="id_seats">Players</label>
<input id="id_seats" name="seats" type="number" max="7" value="2"></div><details><summary>Advanced</summary>
<div class="field"><label for="id_rare">Pace</label>
<input id="id_rare" name="rare" type="number" max="9" value="1"></div>
</details></section><section id="two"><h2>Times</h2>
<div class="field"><label for="id_name">Name</label><input id="id_name" name="name" required%s></div>
<div class="field"><label for="id_days">Days</label>
<input id="id_days" type="number" value="0" data-unset="No end"></div>
<div class="field"><label for="id_at">Start</label><input id="id_at" type="datetime-local" data-unset="By hand"></div>
</section><section id="three"><h2>Review</h2><div class="chosen" data-edit="Edit"></div></section>
<a data-back hidden>Back</a><a data-next hidden>Continue</a><button data-last>Create</button></form-steps></form>"""
WRONG = ' aria-invalid="true"'


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=request.param)
    page = context.new_page()
    page.route(f"{SITE}/*.js", lambda route: route.fulfill(path=finders.find(f"web{urlsplit(route.request.url).path}")))
    page.route(f"{SITE}/new/", answer)
    page.goto(f"{SITE}/new/")
    yield page
    context.close()


def answer(route: Route) -> None:
    mark = WRONG if route.request.method == "POST" else ""
    route.fulfill(body=PAGE % mark, content_type="text/html")


def shows(page: Page, *steps: str) -> None:
    for one in ("one", "two", "three"):
        expect(page.locator(f"#{one}")).to_be_visible(visible=one in steps)


@pytest.mark.parametrize("page", [False], ids=["no script"], indirect=True)
def test_without_a_script_every_step_is_there_and_one_button_sends_them(page: Page) -> None:
    shows(page, "one", "two", "three")
    expect(page.get_by_text("Continue")).to_be_hidden()
    page.fill("#id_name", "Cup")
    with page.expect_request(f"{SITE}/new/") as sent:
        page.get_by_role("button", name="Create").click()
    assert sent.value.post_data == "seats=2&rare=1&name=Cup"


@pytest.mark.parametrize("page", [True], ids=["script"], indirect=True)
def test_it_goes_on_and_back_and_loses_nothing(page: Page) -> None:
    go_on, create = page.get_by_text("Continue"), page.get_by_role("button", name="Create")
    expect(create).to_be_hidden()
    shows(page, "one")
    page.fill("#id_seats", "8")
    go_on.click()
    expect(page.locator("#id_seats")).to_be_focused()
    shows(page, "one")
    page.fill("#id_seats", "3")
    go_on.click()
    expect(page.locator("#two")).to_be_focused()
    page.fill("#id_name", "Cup")
    page.press("#id_name", "Enter")
    expect(create).to_be_visible()
    expect(page.get_by_role("link", name="Three")).to_have_attribute("aria-current", "step")
    page.go_back()
    expect(page.locator("#id_name")).to_have_value("Cup")
    shows(page, "two")
    page.go_back()
    expect(page.locator("#id_seats")).to_have_value("3")
    page.get_by_role("link", name="Three").click()
    with page.expect_request(f"{SITE}/new/") as sent:
        create.click()
    assert sent.value.post_data == "seats=3&rare=1&name=Cup"


@pytest.mark.parametrize("page", [True], ids=["script"], indirect=True)
def test_an_error_opens_its_step_and_a_link_to_a_field_opens_what_folds_it(page: Page) -> None:
    page.get_by_role("link", name="Three").click()
    page.get_by_role("button", name="Create").click()
    expect(page.locator(f"#id_name[{WRONG.strip()}]")).to_be_visible()
    expect(page.locator("#one")).to_be_hidden()
    shows(page, "two")
    page.get_by_role("link", name="Rare").click()
    expect(page.locator("#id_rare")).to_be_focused()
    shows(page, "one")
    page.fill("#id_rare", "10")
    page.locator("details").evaluate("fold => fold.open = false")
    page.get_by_text("Continue").click()
    expect(page.locator("#id_rare")).to_be_focused()


@pytest.mark.parametrize("page", [True], ids=["script"], indirect=True)
def test_the_review_lists_each_step_with_a_link_back_and_calls_nothing_zero(page: Page) -> None:
    page.get_by_role("link", name="Two").click()
    page.fill("#id_name", "Cup")
    page.get_by_role("link", name="Three").click()
    groups = page.locator(".chosen > section")
    expect(groups.locator("h3")).to_have_text(["Game", "Times"])
    expect(groups.first.locator(":scope > dl")).to_have_text("Players2")
    expect(groups.first.locator("details dl")).to_have_text("Pace1")
    expect(groups.last.locator("dl")).to_have_text("NameCupDaysNo endStartBy hand")
    page.evaluate("document.querySelector('#id_rare').value = '5'")
    groups.last.get_by_role("link", name="Edit: Times").click()
    expect(page.locator("#two")).to_be_focused()
    shows(page, "two")
    page.fill("#id_days", "30")
    page.fill("#id_at", "2027-12-24T18:00")
    page.get_by_role("link", name="Three").click()
    expect(groups.first.locator(":scope > dl")).to_have_text("Players2Pace5")
    expect(groups.first.locator("details")).to_have_count(0)
    expect(groups.last.locator("dl")).to_have_text("NameCupDays30Start24 Dec 2027, 18:00")
