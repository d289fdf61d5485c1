"""An author's bot joins the ladder, climbs, and its next version follows by itself; a spectator looks on."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import people
from tests.browser.running import Site
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.timeout(420)]

LADDER = "/leagues/yard-ladder/"  # where house bots play each other
RATED_MS = 180_000  # a few matches, and the refit after them


def test_a_bot_joins_the_ladder_is_rated_and_its_next_version_follows_by_itself(
    somebody: Callable[[], Page], place: Site, tmp_path: Path
) -> None:
    author, spectator = somebody(), somebody()
    people.sign_up(author, "climber")
    file = tmp_path / "bot.py"
    file.write_bytes(people.FIRST_BOT)
    people.upload_bot(author, "Ladder Hen", file)
    people.read_verdict(author, "accepted")
    place.shell("cast.ladder()")

    spectator.goto(LADDER)
    spectator.evaluate(people.MARK)
    join(author)
    row = spectator.locator("table.ladder tr", has_text="Ladder Hen")
    expect(row).to_be_visible()  # it comes to a page that was there before
    expect(row.locator(".rank")).to_have_text(re.compile(r"^\d+"), timeout=RATED_MS)
    people.stayed_on_the_page(spectator)
    expect(row.get_by_text("provisional")).to_be_visible()
    expect(row.locator(".rating-bar")).to_be_visible()

    read_explanation(spectator)
    file.write_bytes(people.FIRST_BOT + b"# better, says its author\n")
    upload_a_version(author, file)
    spectator.goto(LADDER)
    expect(row).to_contain_text("v2")
    read_the_history(spectator)


def join(author: Page) -> None:
    """From the league's page."""
    author.goto("/leagues/")
    author.get_by_role("link", name="Yard Ladder").click()
    author.select_option("[name=bot]", label="Ladder Hen")
    author.get_by_role("button", name="Join", exact=True).click()
    expect(author.locator("table.ladder tr.mine")).to_contain_text("Ladder Hen")


def read_explanation(spectator: Page) -> None:
    """Why the league made a match of the bot, and the match itself."""
    spectator.get_by_role("link", name="Ladder Hen").first.click()
    expect(spectator.get_by_role("heading", name="Head to head")).to_be_visible()
    played = spectator.locator(".fixtures > li", has=spectator.get_by_role("link", name="Replay")).first
    played.get_by_role("link", name="Why this pairing").click()
    expect(spectator.get_by_role("heading", name="Best opponents")).to_be_visible()
    spectator.get_by_role("link", name="Replay").click()
    people.loaded(spectator)


def upload_a_version(author: Page, file: Path) -> None:
    author.goto("/bots/")
    author.get_by_role("link", name="Ladder Hen").first.click()
    author.get_by_role("link", name="Upload a version").click()
    people.choose_file(author, file)
    author.get_by_role("button", name="Upload and check it").click()
    people.read_verdict(author, "accepted")


def read_the_history(spectator: Page) -> None:
    """The course of the rating says when each version began."""
    markers = spectator.locator(".rating-graph text.version")

    def are_there() -> bool:
        spectator.goto(f"{LADDER}bots/ladder-hen/")
        return markers.count() == 2

    assert eventually(are_there, RATED_MS / 1000, every=3)
    assert markers.all_text_contents() == ["v1", "v2"]
    expect(spectator.locator("#graph-caption")).to_contain_text("v2:")
