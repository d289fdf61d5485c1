"""Passkeys, by Chromium's own virtual key: added, used to sign in, lost; and what a page says that gets none."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import people
from tests.browser.chromium import resize
from tests.browser.running import Site
from tests.browser.screenshots import SCHEMES, WIDTHS

pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.timeout(300)]

SHOTS = os.environ.get("PASSKEY_SHOTS", "")
FACTORS = "/accounts/2fa/"


@contextmanager
def security_key(page: Page) -> Iterator[None]:
    """A key that is plugged in and touched on each request of a page."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "usb", "hasUserVerification": True, "isUserVerified": True}
    key = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    yield
    session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": key})


def shot(page: Page, name: str) -> None:
    """Pictures at both widths, light and dark, where somebody wants to look at them; nothing is ever cut off."""
    before = page.viewport_size
    for width, (wide, high) in WIDTHS.items():
        resize(page, wide, high)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
        for scheme in SCHEMES if SHOTS else ():
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=Path(SHOTS) / f"{name}-{width}-{scheme}.png", full_page=True)
    if before:
        page.set_viewport_size(before)


def named(place: Site, path: str) -> str:
    """Passkeys belong to a host with a name; without https it is this one alone."""
    return f"http://localhost:{place.port}{path}"


def confirm_password(page: Page) -> None:
    page.fill("[name=password]", people.PASSWORD)
    page.locator("main form button").first.click()


def sign_in(page: Page, place: Site, name: str) -> None:
    page.goto(named(place, "/accounts/login/"))
    page.fill("[name=login]", name)
    page.fill("[name=password]", people.PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()


def test_a_passkey_is_added_signs_in_and_is_removed(somebody: Callable[[], Page], place: Site) -> None:
    author = somebody()
    sign_in(author, place, "ringbearer")
    expect(author.locator("header").get_by_text("ringbearer").first).to_be_visible()
    author.goto(named(place, FACTORS))
    shot(author, "none")
    with security_key(author):
        author.get_by_role("link", name="Add a passkey").click()
        confirm_password(author)
        expect(author.get_by_role("heading", name="Add a passkey")).to_be_visible()
        shot(author, "add")
        author.fill("[name=name]", "Ring")
        author.get_by_role("button", name="Add passkey").click()
        expect(author.get_by_role("heading", name="Recovery codes")).to_be_visible()
        code = author.locator("#codes").inner_text().split()[0]
        author.goto(named(place, FACTORS))
        expect(author.get_by_text("Ring", exact=True)).to_be_visible()
        shot(author, "one")

        author.get_by_role("link", name="Add a passkey").click()
        author.get_by_role("button", name="Add passkey").click()
        expect(author.get_by_role("alert").first).to_contain_text("one of your passkeys already")
        shot(author, "twice")

        author.context.clear_cookies()
        sign_in(author, place, "ringbearer")
        expect(author.get_by_role("heading", name="Use a passkey")).to_be_visible()
        shot(author, "sign-in")
        author.get_by_role("button", name="Use a passkey").click()
        expect(author.locator("header").get_by_text("ringbearer").first).to_be_visible()

        author.goto(named(place, FACTORS))
        author.get_by_role("link", name="Remove Ring").click()
        expect(author.get_by_role("heading", name="Use a passkey")).to_be_visible()
        shot(author, "confirm")
        author.get_by_role("button", name="Use a passkey").click()
        expect(author.get_by_role("heading", name="Remove a passkey")).to_be_visible()
        shot(author, "remove")

    author.context.clear_cookies()  # the key is lost: the page says so, and a code does in its place
    sign_in(author, place, "ringbearer")
    with security_key(author):
        author.get_by_role("button", name="Use a passkey").click()
        expect(author.get_by_role("alert").first).to_contain_text("No passkey was received")
    author.fill("[name=code]", code)
    author.locator("main").get_by_role("button", name="Sign in").click()
    expect(author.locator("header").get_by_text("ringbearer").first).to_be_visible()


def test_the_page_says_why_no_passkey_is_available(somebody: Callable[[], Page]) -> None:
    author = somebody()
    people.sign_in(author, "numbered", people.PASSWORD)
    author.goto(FACTORS)
    author.get_by_role("link", name="Add a passkey").click()
    confirm_password(author)
    author.get_by_role("button", name="Add passkey").click()
    expect(author.get_by_role("alert").first).to_contain_text("to have a name in its address")
    expect(author.get_by_role("button", name="Add passkey")).to_be_enabled()
