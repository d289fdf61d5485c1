"""An organiser errs, takes it back, and both bots get their game."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import people
from tests.browser.running import Site
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.timeout(420)]

PLAYED_MS = 150_000
BOTS = ("Plum", "Quince", "Rowan", "Sloe")
AUTHORS_COME = f"""
from arena.accounts.models import User
from games.catalogue import GAMES
from bots.services import bot_create, version_upload
source = next(bot.source() for bot in GAMES["pickomino"].house_bots if bot.name == "random")
for n, name in enumerate({BOTS}):
    author = User.objects.create_user(name.lower(), f"{{name}}@example.org", {people.PASSWORD!r})
    bot = bot_create(owner=author, name=name, game="pickomino")
    version_upload(bot=bot, filename="bot.py", data=source + b"# orchard %d" % n)
"""
ACCEPTED = f"SELECT count(*) FROM bots_bot WHERE current_id IS NOT NULL AND name IN {BOTS}"
CUP = f"""
from arena.accounts.models import User
from bots.models import Bot
from tournaments.services import StagePlan, entry_create, tournament_create, tournament_open, tournament_start
cup = tournament_create(
    organiser=User.objects.get(username="organiser"), name="Orchard Cup", ruleset="pickomino",
    stages=[StagePlan("swiss", rounds=2, blocks=1)], tie_breaks=["buchholz", "lot"], review_rounds=True,
)
tournament_open(tournament=cup)
for bot in Bot.objects.filter(name__in={BOTS}):
    entry_create(tournament=cup, bot=bot, by=bot.owner)
tournament_start(tournament=cup)
print(cup.slug)
"""


def test_a_disqualification_by_mistake_is_taken_back_before_the_round_begins(
    somebody: Callable[[], Page], demo_site: Site
) -> None:
    demo_site.manage("shell", "-v0", "-c", AUTHORS_COME)
    assert eventually(lambda: demo_site.count(ACCEPTED) == len(BOTS), 120), demo_site.said
    cup = f"/tournaments/{demo_site.manage('shell', '-v0', '-c', CUP).strip()}/"
    organiser = somebody()
    people.sign_in(organiser, "organiser", demo_site.organiser_password)

    drawn = tables(organiser, cup)
    disqualify(organiser, cup, "Plum", drawn)
    organiser.goto(cup)
    expect(organiser.locator("table.standings tr", has_text="Plum")).to_contain_text("disqualified")
    take_back(organiser, cup)
    assert tables(organiser, cup) == drawn

    organiser.get_by_role("button", name="Let it begin").click()
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
    page.get_by_role("button", name="Show what would follow").click()
    told = page.locator(".consequences")
    expect(told).to_contain_text("Round 1, which waits, is drawn again")
    expect(told.locator("del", has_text=name)).to_be_visible()
    expect(told).to_contain_text("Bye:")
    page.fill("[name=reason]", "Taken for another bot.")
    page.get_by_role("button", name="Rule so").click()
    expect(page.locator(".ruling-log")).to_contain_text("Taken for another bot.")


def take_back(page: Page, cup: str) -> None:
    page.goto(f"{cup}rulings/")
    page.locator(".ruling-log li", has_text="Taken for another bot.").get_by_role("link", name="Take back").click()
    told = page.locator(".consequences")
    expect(told).to_contain_text("Round 1, which waits, is drawn again")
    expect(told.locator("ins", has_text="Plum")).to_be_visible()
    page.fill("[name=reason]", "It was not that one.")
    page.get_by_role("button", name="Rule so").click()
    expect(page.locator("#ruling1")).to_contain_text("taken back")
