"""A newcomer runs an event of 26 bots, from the first form to the podium and its proof.

``EVENT_SHOTS=DIR`` stores a picture of every state at both widths. Each step waits for its condition, on the page or in
the database, never for a time.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser import people
from tests.browser.event import ACCEPTED, DRAWN, FINISHED, OPEN, SHOTS, Event
from tests.browser.running import Site, site

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3000)]

NAME: Final = "Harvest Championship"
ROUNDS, FINAL_ROUNDS = 5, 3
PECK: Final = Path(sys.executable).with_name("peck")
INVITED: Final = (
    *("Acorn", "Barley", "Clover", "Dandelion", "Elderberry", "Fennel"),
    *("Gooseberry", "Hazel", "Ivy", "Juniper", "Knapweed", "Lavender"),
)
OTHERS: Final = (
    *["Marigold", "Nettle", "Oat", "Parsley", "Quince", "Rosemary", "Sorrel", "Thyme", "Umbel", "Vetch", "Willow"],
    "The Remarkably Patient Yarrow of Lower Saxony",
)
GUESTS_COME: Final = f"""
from arena.accounts.models import User
from games.catalogue import GAMES
from bots.services import bot_create, version_upload
sources = [bot.source() for bot in GAMES["pickomino"].house_bots if bot.name in ("random", "cautious", "greedy")]
for n, name in enumerate({INVITED + OTHERS}):
    author = User.objects.create_user(f"guest{{n}}", f"guest{{n}}@example.org", {people.PASSWORD!r})
    bot = bot_create(owner=author, name=name, game="pickomino")
    version_upload(bot=bot, filename="bot.py", data=sources[n % 3] + b"# %d" % n)
"""
ENTER: Final = """
from bots.models import Bot
from tournaments.models import Tournament
from tournaments.selectors.entering.entry_rules import entry_invitation_digest_of
from tournaments.services import entry_create
cup = Tournament.objects.get()
for bot in Bot.objects.filter(name__in=NAMES).order_by("pk"):
    invitation = entry_invitation_digest_of(TOKEN) if TOKEN else ""
    entry_create(tournament=cup, bot=bot, by=bot.owner, invitation=invitation)
"""


@pytest.fixture(scope="module")
def place() -> Iterator[Site]:
    """Nobody is there yet."""
    with site("--no-demo") as running:
        yield running


def test_a_newcomer_runs_an_event_of_26_bots_from_the_first_form_to_the_podium(
    somebody: Callable[[], Page], place: Site, tmp_path: Path
) -> None:
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
    hen, fox = newcomer(somebody(), "gallina", tmp_path), newcomer(somebody(), "volpe", tmp_path)
    place.manage("shell", "-v0", "-c", GUESTS_COME)
    event = Event(somebody(), place)
    people.sign_in(event.page, "organiser", place.organiser_password)
    announce(event)
    event.wait_for(ACCEPTED, len(INVITED) + len(OTHERS) + 2)
    entries_come(event, hen, fox)
    start(event, hen)
    the_swiss(event, somebody())
    the_knockout(event)
    the_end(event, hen, tmp_path)


def newcomer(page: Page, name: str, tmp_path: Path) -> Page:
    """Signs up, and uploads a bot of the same name."""
    people.sign_up(page, name)
    file = tmp_path / f"{name}.py"
    file.write_bytes(people.FIRST_BOT + f"# {name}\n".encode())
    people.upload_bot(page, f"{name}'s bot", file)
    people.read_verdict(page, "accepted")
    return page


def announce(event: Event) -> None:
    """From the first form to entries that are open."""
    page = event.page
    page.goto("/tournaments/")
    page.get_by_role("link", name="New tournament").first.click()
    event.shot("form")
    page.get_by_role("button", name=re.compile("A championship")).click()
    expect(page.locator("[name=final_entrants]")).to_have_value("8")
    step = page.locator("form-steps > section:not([hidden])")
    step.get_by_text("Advanced").click()
    for field, value in {"rounds": ROUNDS, "blocks": 1, "final_blocks": 1}.items():
        page.fill(f"[name={field}]", str(value))
    page.get_by_role("link", name="Continue").click()
    page.fill("[name=name]", NAME)
    page.fill("[name=description]", "Everybody's first event: five rounds, then the best eight.")
    page.fill("[name=entrants_most]", "25")
    page.select_option("[name=admission]", "invited")
    step.get_by_text("Advanced").click()
    page.check("[name=has_round_review]")
    page.get_by_role("link", name="Continue").click()
    expect(page.locator("#workload")).to_contain_text("8 rounds")
    event.shot("form-filled")
    page.get_by_role("button", name="Create the draft").click()
    expect(page.locator("main .page-head [data-state=draft]")).to_be_visible()
    event.address = page.url
    event.shot("draft")
    page.get_by_role("button", name="Open entries").click()
    expect(page.locator("main .page-head [data-state=open]")).to_be_visible()
    event.shot("open")


def entries_come(event: Event, hen: Page, fox: Page) -> None:
    """By the link, then by everyone, until it is full; and one more after an edit."""
    page = event.page
    page.get_by_role("link", name="Invitation", exact=True).click()
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#link").inner_text()
    event.shot("invitation")
    token = link.rstrip("/").rpartition("/")[2]
    fox.goto(event.address)
    expect(fox.locator("main")).to_contain_text("Entry is by invitation")
    event.shot("not-invited", fox)
    hen.goto(link)
    expect(hen.get_by_text("You are invited")).to_be_visible()
    event.shot("invited", hen)
    people.enter_bot(hen, hen.url, "gallina's bot")
    event.site.manage("shell", "-v0", "-c", f"NAMES, TOKEN = {INVITED}, {token!r}\n{ENTER}")

    event.go("edit/")
    event.shot("edit")
    page.select_option("[name=admission]", "everyone")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("12 places are left")
    event.site.manage("shell", "-v0", "-c", f"NAMES, TOKEN = {OTHERS}, ''\n{ENTER}")
    fox.goto(event.address)
    expect(fox.locator("main")).to_contain_text("The tournament is full: it takes 25 bots")
    event.shot("full", fox)
    event.go("edit/")
    page.fill("[name=entrants_most]", "26")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("1 place is left")
    people.enter_bot(fox, event.address, "volpe's bot")


def start(event: Event, hen: Page) -> None:
    page = event.go()
    page.get_by_role("button", name="Close entries").click()
    expect(page.locator("main .page-head [data-state=locked]")).to_be_visible()
    event.shot("closed")
    hen.goto(f"{event.address}fairness/")
    hen.fill("[name=text]", "4 1 5 2 6")
    hen.get_by_role("button", name="Add your own randomness").click()
    expect(hen.locator(".nonces")).to_contain_text("4 1 5 2 6")
    event.go().get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("main .page-head [data-state=running]")).to_be_visible()
    event.shot("round-waits")


def the_swiss(event: Event, spectator: Page) -> None:
    """Its rounds, with a swap, a void, a replay, and a disqualification that is taken back."""
    swap(event)
    event.begin_round(1)
    spectator.goto(event.address)
    event.shot("running", spectator)
    event.wait_for(OPEN.format(number=1), 0)
    event.wait_for(DRAWN.format(number=2))
    event.rule("Void", "The network of the hall was down.", round="Round 1", table="0")
    event.play_round(2)
    event.wait_for(DRAWN.format(number=3))
    event.rule("Play again", "A cable was loose.", round="Round 2", table="1")
    event.wait_for(OPEN.format(number=2), 0)
    drawn = event.tables(3)
    event.rule("Disqualify", "Taken for another bot.", entry="Clover")
    row = event.go().locator("table.standings tr", has_text="Clover")
    expect(row).to_contain_text("disqualified")
    event.shot("disqualified")
    assert event.tables(3) != drawn
    page = event.go("rulings/")
    line = page.locator(".ruling-log li", has_text="Taken for another bot.")
    line.get_by_role("link", name="Take back").click()
    event.confirm("Take back", "It was not that one.")
    event.shot("rulings")
    assert event.tables(3) == drawn
    for number in range(3, ROUNDS + 1):
        event.play_round(number)
    event.go()
    event.shot("swiss-played")


def swap(event: Event) -> None:
    """Two bots of different tables change places in the round that waits."""
    page = event.go("rounds/1/arrange/")
    names = [page.locator(".fixtures > li").nth(table).locator(".name").first.inner_text() for table in (0, 1)]
    before = event.tables(1)
    for field, name in zip(("one", "other"), names, strict=True):
        page.select_option(f"[name={field}]", label=name)
    page.get_by_role("button", name="Change places").click()
    despite = page.get_by_role("button", name="Change places anyway")
    expect(despite.or_(page.get_by_text("have changed places."))).to_be_visible()
    if despite.is_visible():
        event.shot("swap-breaks-rules")
        despite.click()
    expect(page.get_by_text("have changed places.")).to_be_visible()
    event.shot("swapped")
    assert event.tables(1) != before


def the_knockout(event: Event) -> None:
    for number in range(ROUNDS + 1, ROUNDS + FINAL_ROUNDS + 1):
        event.wait_for(DRAWN.format(number=number))
        event.go()
        event.shot(f"knockout-round-{number}-waits")
        event.play_round(number)
    event.wait_for(FINISHED)


def the_end(event: Event, hen: Page, tmp_path: Path) -> None:
    """Everybody sees the podium; the proof holds at home, by the head that the page shows."""
    hen.goto(event.address)
    expect(hen.locator(".podium li")).to_have_count(3)
    expect(hen.get_by_text("All 26 bots, across all stages")).to_be_visible()
    event.shot("podium", hen)
    hen.get_by_text("All 26 bots, across all stages").click()
    event.shot("final-ranking", hen)
    hen.get_by_role("link", name="Fairness").click()
    head = hen.locator("#head").inner_text()
    hen.goto(event.address)
    hen.locator(".downloads > summary").click()
    with hen.expect_download() as taken:
        hen.locator("main").get_by_role("link", name="Proof", exact=True).click()
    proof = tmp_path / "proof.zip"
    taken.value.save_as(proof)
    checked = subprocess.run([PECK, "verify", proof, "--head", head], check=True, capture_output=True, text=True)
    assert NAME in checked.stdout, checked.stdout
