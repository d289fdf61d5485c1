"""What people do on the site, by what they see there."""

import re
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect

PASSWORD: Final = "roast-worms-and-dice-42"
FIRST_BOT: Final = b"""\
def act(view):
    actions = view["actions"]
    return "stop" if "stop" in actions else actions[-1]
"""
VERDICT_MS: Final = 90_000
MARK: Final = "window.notReloaded = true"


def sign_up(page: Page, name: str) -> None:
    page.goto("/")
    way_in = page.locator("a:visible", has_text="Sign up").first
    if way_in.is_visible():
        way_in.click()
    else:  # on a phone the page to sign in leads there
        page.locator("a:visible", has_text="Sign in").first.click()
        page.get_by_role("link", name="Create an account").click()
    fill_sign_up(page, name)
    expect(page.locator("header").get_by_text(name).first).to_be_visible()


def fill_sign_up(page: Page, name: str) -> None:
    """Fill the form in and send it off."""
    page.fill("[name=username]", name)
    page.fill("[name=email]", f"{name}@example.org")
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", PASSWORD)
    page.get_by_role("button", name="Create account").click()


def sign_in(page: Page, name: str, password: str) -> None:
    page.goto("/")
    page.get_by_role("link", name="Sign in").first.click()
    page.fill("[name=login]", name)
    page.fill("[name=password]", password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("header").get_by_text(name).first).to_be_visible()


def choose_file(page: Page, path: Path) -> None:
    with page.expect_file_chooser() as chosen:
        page.locator("input[type=file]").click()
    chosen.value.set_files(path)


def upload_bot(page: Page, name: str, path: Path) -> None:
    """Fill the form in and send it off."""
    page.goto("/bots/new/")
    page.fill("[name=name]", name)
    page.select_option("[name=game]", "pickomino")
    choose_file(page, path)
    page.get_by_role("button", name="Create and check it").click()


def read_verdict(page: Page, state: str) -> None:
    """Wait for it on the page as it was loaded."""
    page.locator("#verdict").wait_for()
    page.evaluate(MARK)
    expect(page.locator(f"#verdict [data-state={state}]")).to_be_visible(timeout=VERDICT_MS)
    stayed_on_the_page(page)


def stayed_on_the_page(page: Page) -> None:
    assert page.evaluate("window.notReloaded === true"), "the page was loaded again"


def enter_bot(page: Page, tournament: str, name: str) -> None:
    page.goto(tournament)
    page.select_option("[name=bot]", label=name)
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.locator("main table").get_by_role("link", name=name)).to_be_visible()


def enter_house_bots(page: Page, tournament: str, *names: str) -> None:
    page.goto(tournament)
    for name in names:
        page.get_by_role("checkbox", name=name).check()
    page.get_by_role("button", name="Enter", exact=True).click()
    for name in names:
        expect(page.locator("main table").get_by_role("link", name=name)).to_be_visible()


def step(page: Page) -> int:
    """The step that the replay shows."""
    return int(page.locator(".rp-count").inner_text().split("/")[0])


def loaded(page: Page) -> int:
    """Wait until the game has arrived, which is after the page's first sentence; the last step."""
    expect(page.locator(".rp-count")).to_have_text(re.compile(r"^\d+ / [1-9]"))
    return last_step(page)


def last_step(page: Page) -> int:
    return int(page.locator(".rp-count").inner_text().split("/")[1])


def press(page: Page, key: str, count: str) -> None:
    """Press a key and find the replay at this step, written as a pattern."""
    page.keyboard.press(key)
    expect(page.locator(".rp-count")).to_have_text(count)
