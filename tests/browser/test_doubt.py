"""Somebody who doubts a pairing, a tie-break and a result finds why on the site, and checks all of it at home."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import people
from tests.browser.running import Site
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.timeout(420)]

PLAYED_MS = 150_000
PECK = Path(sys.executable).with_name("peck")


def begin(site: Site, name: str, *, entrants: int, min_action_ms: int, rounds: int) -> str:
    """A Swiss that its participants alone may follow; its address."""
    code = f"print(cast.begin({name!r}, cast.DOUBTERS[:{entrants}], rounds={rounds}, min_action_ms={min_action_ms},"
    return site.shell(f"{code} tie_breaks=['buchholz', 'wins', 'lot'], publication='participants'))")


def number(text: str) -> float:
    """As the standings write it: "2½"."""
    return float(text.replace("½", ".5"))


def test_an_entrant_who_doubts_finds_every_reason_and_proves_the_result_at_home(
    somebody: Callable[[], Page], place: Site, tmp_path: Path
) -> None:
    # There is a tie: if seven had different points, from 0 to 3, these were 10½ in all, and they are 12.
    cup = begin(place, "Doubters' Cup", entrants=7, min_action_ms=0, rounds=3)
    entrant, outsider, organiser = somebody(), somebody(), somebody()
    people.sign_in(entrant, "doubter", people.PASSWORD)
    people.sign_in(organiser, "organiser", place.organiser_password)
    entrant.goto(cup)
    expect(entrant.locator("main .page-head [data-state=finished]")).to_be_visible(timeout=PLAYED_MS)
    entrant.reload()

    doubt_a_pairing(entrant)
    watch_the_match(entrant)
    doubt_a_tie_break(entrant, cup)
    match = entrant_s_match(entrant, cup)
    find_nothing(outsider, cup, match)
    void(organiser, match, "The network of the hall was down.")
    read_the_ruling(entrant, cup, match)
    publish(organiser, cup)
    proof = take_the_proof(outsider, cup, tmp_path)
    checked = subprocess.run([PECK, "verify", proof], check=True, capture_output=True, text=True).stdout
    assert "18 games" in checked, checked  # three rounds of three tables, each seed from both seats


def doubt_a_pairing(entrant: Page) -> None:
    """Why these two: the reasons of the round, the own row marked, the bye explained."""
    entrant.get_by_role("link", name="Why these pairings (Round 3)").click()
    expect(entrant.get_by_role("heading", level=1)).to_have_text("Why these pairings: round 3")
    mine = entrant.locator("tr.mine, .pairing:has-text('Bye')").filter(has_text="Doubter's Bot")
    expect(mine).to_have_count(1)
    expect(entrant.locator(".pairing", has_text="Bye")).to_contain_text("nobody had had fewer")
    tables = entrant.locator(".pairing", has=entrant.locator("table"))
    expect(tables).to_have_count(3)
    for table in tables.all():
        expect(table).to_contain_text(re.compile(r"Score group: \d"))
        expect(table.locator("tbody tr")).to_have_count(2)
    if entrant.locator("tr.mine").count() == 0:  # it has the bye
        entrant.get_by_role("link", name="Round 2").click()
    expect(entrant.get_by_role("link", name="The match")).to_have_count(1)  # not those of others, for now
    entrant.get_by_role("link", name="The match").click()
    entrant.get_by_role("link", name="Why this pairing").click()
    expect(entrant).to_have_url(re.compile(r"/rounds/[23]/\?table=[123]#t[123]$"))


def watch_the_match(entrant: Page) -> None:
    entrant.locator(".pairing:target").get_by_role("link", name="The match").click()
    last = people.loaded(entrant)
    people.press(entrant, "End", f"{last} / {last}")
    expect(entrant.locator("table.games")).to_contain_text("Seed")


def doubt_a_tie_break(entrant: Page, cup: str) -> None:
    """What the numbers are made of, added up by hand."""
    entrant.goto(cup)
    entrant.get_by_role("link", name="How ties were broken").click()
    tie = entrant.locator(".comparison", has_text="Buchholz").first
    name = tie.get_by_role("link").first.inner_text()
    tie.get_by_role("link").first.click()
    expect(entrant.get_by_role("heading", level=1)).to_have_text(f"Tie-breaks of {name}")
    met = entrant.locator("main table tbody tr td:last-child")
    expect(met).to_have_count(3)  # opponents and a bye
    buchholz = entrant.locator(".facts dt:has(abbr:text-is('Buchholz')) + dd strong").inner_text()
    assert sum(map(number, met.all_inner_texts())) == number(buchholz)
    entrant.get_by_role("link", name="Ties").click()
    entrant.get_by_role("link", name="Doubters' Cup").click()
    entrant.get_by_role("link", name="Rulings").click()
    expect(entrant.get_by_text("No rulings")).to_be_visible()


def entrant_s_match(entrant: Page, cup: str) -> str:
    """The address of a match in which the entrant's bot plays."""
    entrant.goto(cup)
    table = entrant.locator(".fixtures > li", has_text="Doubter's Bot").filter(has=entrant.get_by_text("Replay"))
    return str(table.first.get_by_role("link", name="Replay").get_attribute("href"))


def find_nothing(outsider: Page, cup: str, match: str) -> None:
    """Before the results are everyone's."""
    outsider.goto(cup)
    expect(outsider.get_by_text("For now the organiser shows pairings and results to those")).to_be_visible()
    for path, status in ((f"{cup}rounds/3/", 403), (f"{cup}tie-breaks/", 403), (f"{cup}rulings/", 403), (match, 404)):
        answer = outsider.request.get(path)
        assert answer.status == status, path
        assert status == 404 or "has not published" in answer.text()
    assert outsider.request.get(f"{cup}export/proof.zip").status == 403


def void(organiser: Page, match: str, reason: str) -> None:
    """From the match's own page, with a look at what follows."""
    organiser.goto(match)
    organiser.get_by_role("link", name="Void").click()
    organiser.get_by_role("button", name="Preview effects").click()
    expect(organiser.get_by_role("heading", name="What follows")).to_be_visible()
    expect(organiser.locator("table.before-after")).to_be_visible()
    organiser.fill("[name=reason]", reason)
    organiser.get_by_role("button", name="Confirm ruling").click()
    expect(organiser.locator(".ruling-log")).to_contain_text(reason)


def read_the_ruling(entrant: Page, cup: str, match: str) -> None:
    entrant.goto(match)
    expect(entrant.locator(".notice")).to_contain_text("The network of the hall was down.")
    entrant.get_by_role("link", name="Ruling 1").click()
    expect(entrant.locator("#ruling1")).to_contain_text("The match does not count.")
    expect(entrant.locator("#ruling1")).to_contain_text("organiser")
    entrant.goto(cup)
    expect(entrant.locator(".fixtures .badge", has_text="void")).to_have_count(1)


def publish(organiser: Page, cup: str) -> None:
    organiser.goto(cup)
    manage = organiser.get_by_role("region", name="Manage")
    manage.locator(".menu > summary").click()
    manage.get_by_role("button", name="Everyone", exact=True).click()
    expect(manage.locator('[name="publication"][aria-pressed="true"]')).to_have_attribute("value", "everyone")


def take_the_proof(outsider: Page, cup: str, into: Path) -> Path:
    """As anybody may, once the results are everyone's."""
    outsider.goto(cup)
    expect(outsider.get_by_role("heading", name="Standings")).to_be_visible()
    outsider.locator(".downloads > summary").click()
    with outsider.expect_download() as download:
        outsider.get_by_role("link", name="Proof", exact=True).click()
    file = into / "proof.zip"
    download.value.save_as(file)
    return file


def test_a_participant_watches_live_what_others_may_not_look_at(somebody: Callable[[], Page], place: Site) -> None:
    entrant, outsider = somebody(), somebody()
    people.sign_in(entrant, "doubter", people.PASSWORD)
    cup = begin(place, "Behind the Fence", entrants=2, min_action_ms=150, rounds=1)
    entrant.goto(cup)
    live = entrant.locator(".fixtures").get_by_role("link", name="live")
    expect(live).to_be_visible(timeout=PLAYED_MS)
    match = str(live.get_attribute("href"))
    live.click()
    expect(entrant.locator(".rp-live")).to_be_visible()
    before = people.last_step(entrant)
    assert eventually(lambda: people.last_step(entrant) >= before + 5), "no events arrived"
    assert outsider.request.get(match).status == 404
