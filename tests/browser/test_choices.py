"""What visitors choose: language and results, by forms without a token, which no other site can send."""

from collections.abc import Callable
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from tests.browser import people
from tests.browser.chromium import until
from tests.browser.running import Site

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
ELSEWHERE = "http://elsewhere.example/"


def cookies(page: Page) -> dict[str, str]:
    return {one["name"]: one["value"] for one in page.context.cookies()}


def choose(page: Page) -> None:
    """German, and results shown."""
    page.goto("/watch/")
    menu = page.locator(".site-tools .menu", has=page.locator("button[name=language]"))
    menu.locator("summary").click()
    menu.locator("button[name=language][value=de]").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.locator("button[name=results][value=shown]").click()
    expect(page.locator("button[name=results][value=hidden]")).to_be_visible()
    expect(page).to_have_url(urljoin(page.url, "/watch/"))


def send_from_elsewhere(page: Page, address: str, field: str, value: str) -> int:
    form = f'<form method="post" action="{address}"><input name="{field}" value="{value}"><button>Send</button></form>'
    page.route(f"{ELSEWHERE}**", lambda route: route.fulfill(content_type="text/html", body=form))
    page.goto(ELSEWHERE)
    with page.expect_response(address) as answer:
        page.get_by_role("button").click()
    return answer.value.status


def test_an_anonymous_visitor_chooses_and_gets_no_other_cookie(somebody: Callable[[], Page]) -> None:
    page = somebody()
    choose(page)
    assert cookies(page) == {"django_language": "de", "results": "shown"}
    for _ in range(3):  # from memory by now
        page.goto("/watch/")
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.locator("button[name=results][value=hidden]")).to_be_visible()


def test_a_signed_in_user_chooses_by_the_same_forms(somebody: Callable[[], Page], place: Site) -> None:
    page = somebody()
    people.sign_in(page, "organiser", place.organiser_password)
    choose(page)
    expect(page.locator("summary", has_text="organiser")).to_be_visible()


def test_another_site_chooses_for_nobody(somebody: Callable[[], Page], place: Site, complaints: list[str]) -> None:
    page = somebody()
    for path, field, value in (("i18n/setlang/", "language", "de"), ("matches/results/", "results", "shown")):
        assert send_from_elsewhere(page, urljoin(place.url, path), field, value) == 403
    assert not {"django_language", "results"} & set(cookies(page))
    until(page, lambda: len(complaints) == 2)  # the browser logs each answer 403
    complaints.clear()
