"""An organiser errs, takes it back, and both bots get their game."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import people
from tests.browser.running import Site

pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.timeout(420)]

PLAYED_MS = 150_000
BOTS = ("Plum", "Quince", "Rowan", "Sloe")


def test_a_disqualification_by_mistake_is_taken_back_before_the_round_begins(
    somebody: Callable[[], Page], place: Site
) -> None:
    cup = place.shell(
        "print(cast.begin('Orchard Cup', cast.ORCHARD, rounds=2,"
        " tie_breaks=['buchholz', 'lot'], has_round_review=True))"
    )
    organiser = somebody()
    people.sign_in(organiser, "organiser", place.organiser_password)

    drawn = tables(organiser, cup)
    disqualify(organiser, cup, "Plum", drawn)
    organiser.goto(cup)
    expect(organiser.locator("table.standings tr", has_text="Plum")).to_contain_text("disqualified")
    take_back(organiser, cup)
    assert tables(organiser, cup) == drawn

    organiser.get_by_role("button", name="Start round").click()
    for name in BOTS:
        row = organiser.locator("table.standings tr", has_text=name)
        expect(row.locator("[id$=-played]")).to_have_text("1/2", timeout=PLAYED_MS)


def tables(page: Page, cup: str) -> list[str]:
    """Who meets whom in the round that waits, as its page for the organiser says."""
    page.goto(f"{cup}rounds/1/arrange/")
    text = page.locator("main").inner_text()
    return [line for line in text.splitlines() if sum(name in line for name in BOTS) == 2]


def disqualify(page: Page, cup: str, name: str, drawn: list[str]) -> None:
    """The preview names the table that goes, and who has the bye."""
    page.goto(f"{cup}rulings/")
    page.get_by_role("link", name="Disqualify").click()
    page.select_option("[name=entry]", label=name)
    page.get_by_role("radio", name=re.compile("count for nobody")).check()
    page.get_by_role("button", name="Preview effects").click()
    consequences = page.locator(".consequences")
    expect(consequences).to_contain_text("Round 1, which waits, is drawn again")
    expect(consequences.locator("del", has_text=name)).to_be_visible()
    expect(consequences).to_contain_text("Bye:")
    page.fill("[name=reason]", "Taken for another bot.")
    page.get_by_role("button", name="Confirm ruling").click()
    expect(page.locator(".ruling-log")).to_contain_text("Taken for another bot.")


def take_back(page: Page, cup: str) -> None:
    page.goto(f"{cup}rulings/")
    page.locator(".ruling-log li", has_text="Taken for another bot.").get_by_role("link", name="Take back").click()
    consequences = page.locator(".consequences")
    expect(consequences).to_contain_text("Round 1, which waits, is drawn again")
    expect(consequences.locator("ins", has_text="Plum")).to_be_visible()
    page.fill("[name=reason]", "It was not that one.")
    page.get_by_role("button", name="Confirm ruling").click()
    expect(page.locator("#ruling1")).to_contain_text("taken back")
