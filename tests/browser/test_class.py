"""A class of thirty in fifteen teams, from an empty site to marks and a cup, by the pages alone.

``EVENT_SHOTS=DIR`` stores a picture of every state at both widths. The teacher's acts are counted and timed, see
``class_walk``. Two waits are left out: the due time and the start of the cup, which are moved on the site.
"""

import csv
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.catalogue import GAMES
from tests.browser import people
from tests.browser.class_walk import Walk
from tests.browser.event import ACCEPTED, FINISHED, SHOTS, Event
from tests.browser.running import Site, site

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3000)]

TEACHER: Final = "mrs-fowler"
TEACHER_MINUTES: Final = 10
CLASS: Final = "Computing 11a"
TASK: Final = "Beat the house"
CUP: Final = "End of term cup"
STUDENTS: Final = (
    *("Ada Ash", "Ben Birch", "Cem Cedar", "Dora Dahl", "Emil Elm", "Fay Fern", "Gus Gorse", "Hana Holt", "Ivo Ilex"),
    *("Jun Jasper", "Kai Kelp", "Lea Larch", "Mia Moss", "Nils Nut", "Ola Oak", "Pia Pine", "Quin Quay", "Rosa Reed"),
    *("Sam Sorrel", "Tia Thorn", "Udo Ulme", "Vera Vine", "Wim Weed", "Xena Xylo", "Yara Yew", "Zoe Zinnia"),
    *("Åsa Åker", "Ömer Öztürk", "Élodie Étang", "Łucja Łąka"),
)
TEAMS: Final = 15
SOURCES: Final = {bot.name: bot.source() for bot in GAMES["pickomino"].house_bots}
WRITTEN: Final = ("greedy", "cautious", "random")  # what the teams have found out, in turn
HOUSE: Final = """
from arena.demo import demo_account_ensure, demo_house_bots_ensure
demo_house_bots_ensure(house=demo_account_ensure())
"""
MARKED: Final = """
SELECT count(DISTINCT m.id) FROM assignments_marking m WHERE NOT EXISTS (
  SELECT 1 FROM assignments_referencemark r JOIN matches_match g ON g.id = r.match_id
  WHERE r.marking_id = m.id AND g.state NOT IN ('finished', 'cancelled'))
"""
DUE_NOW: Final = """
from assignments.models import Assignment
from tests.assignments.factories import pass_time
pass_time(Assignment.objects.get(), hours=49)
"""
START_NOW: Final = """
from datetime import timedelta
from tests.tournaments.time_travel import pass_time
pass_time(timedelta(hours=26))
"""


@pytest.fixture(scope="module")
def place() -> Iterator[Site]:
    """Nobody is there yet but the house bots, which ``manage.py demo`` brings."""
    with site("--no-demo", "--workers", "2") as running:
        running.shell(HOUSE)
        yield running


def test_a_class_of_thirty_goes_from_an_empty_site_to_marks_and_a_cup(
    somebody: Callable[[], Page], place: Site, tmp_path: Path
) -> None:
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
    event = Event(somebody(), place)
    teacher = Walk(event.page)
    with teacher.stage("sign up"):
        becomes_organiser(teacher, event, somebody())
    with teacher.stage("the group and its roster"):
        brings_the_list(teacher, event)
    with teacher.stage("slips"):
        slips = prints_slips(teacher, event)
    with teacher.stage("the assignment"):
        sets_the_task(teacher, event)
    class_ = [joins(somebody(), event, number, slips[number]) for number in range(len(STUDENTS))]
    for number in range(TEAMS):
        work_together(event, number, class_[2 * number], class_[2 * number + 1], tmp_path)
    event.wait_for(ACCEPTED, TEAMS + place.count("SELECT count(*) FROM bots_bot WHERE is_house"))
    with teacher.stage("a look before it is due"):
        teacher.open("/groups/computing-11a/")
        event.shot("group-in-full")
        teacher.link(TASK)
        teacher.link("Marks")
        expect(event.page.locator("table.matrix")).to_contain_text("Team 15")
        event.shot("handed-in")
    place.shell(DUE_NOW)
    event.wait_for(MARKED, TEAMS)
    with teacher.stage("marks"):
        publishes(teacher, event, tmp_path / "marks.csv")
    class_[1].goto("/groups/computing-11a/")
    class_[1].get_by_role("link", name=TASK).first.click()
    expect(class_[1].get_by_text("Your marks")).to_be_visible()
    event.shot("mark-of-a-student", class_[1])
    with teacher.stage("the cup"):
        plans_the_cup(teacher, event)
    for number in range(TEAMS):
        people.enter_bot(class_[2 * number], event.address, f"Bot {number + 1}")
    event.shot("cup-entered", class_[0])
    place.shell(START_NOW)
    event.wait_for(FINISHED)
    with teacher.stage("the end"):
        teacher.open(event.address)
        event.shot("cup-over")
        teacher.link("Certificates")
        expect(event.page.locator("article.certificate")).to_have_count(TEAMS)
        event.shot("certificates")
    print(teacher.report())
    if SHOTS:
        (Path(SHOTS) / "teacher.txt").write_text(teacher.report())
    assert teacher.seconds < TEACHER_MINUTES * 60, teacher.report()


def becomes_organiser(teacher: Walk, event: Event, staff: Page) -> None:
    """Sign up and request it; the staff of the site grants it."""
    teacher.open("/")
    event.shot("empty-site")
    teacher.link("Sign up")
    for field, text in {
        "username": TEACHER,
        "email": f"{TEACHER}@example.org",
        "password1": people.PASSWORD,
        "password2": people.PASSWORD,
    }.items():
        teacher.fill(field, text)
    teacher.button("Create account")
    event.shot("teacher-signed-up")
    teacher.open("/groups/")
    event.shot("groups-before")
    teacher.open("/organisers/")
    teacher.fill("reason", "I teach computing in year 11.")
    teacher.button("Ask to become an organiser")
    event.shot("asked")
    people.sign_in(staff, "organiser", event.site.organiser_password)
    event.site.shell(
        "from arena.accounts.models import User; from contests.models import OrganiserRequest;"
        " from contests.services import organiser_request_decide;"
        " organiser_request_decide(request_id=OrganiserRequest.objects.get().pk, granted=True,"
        " by=User.objects.get(username='organiser'))"
    )


def brings_the_list(teacher: Walk, event: Event) -> None:
    page = teacher.page
    teacher.open("/groups/")
    teacher.link("New group")
    event.shot("group-form")
    teacher.fill("name", CLASS)
    teacher.button("Create group")
    event.shot("group")
    teacher.link("Roster")
    event.shot("roster")
    lines = [f"{name},{1001 + number},11a" for number, name in enumerate(STUDENTS)]
    teacher.fill("text", "\n".join(["name,id,class", *lines]), pasted=True)
    teacher.button("Preview")
    event.shot("roster-preview")
    teacher.button("Apply")
    expect(page.locator("main table tbody tr")).to_have_count(len(STUDENTS))
    event.shot("roster-applied")


def prints_slips(teacher: Walk, event: Event) -> list[str]:
    """The codes, in the order of the roster."""
    teacher.button("Print codes")
    slips = teacher.page.locator(".slip")
    expect(slips).to_have_count(len(STUDENTS))
    event.shot("slips")
    codes = {}
    for slip in slips.all():
        codes[slip.locator("span").first.inner_text().split(" · ")[0]] = slip.locator(".slip-code").inner_text()
    return [codes[name] for name in STUDENTS]


def sets_the_task(teacher: Walk, event: Event) -> None:
    page = teacher.page
    teacher.open("/groups/computing-11a/")
    teacher.link("New assignment")
    event.shot("assignment-form")
    now = timezone.now()
    teacher.fill("title", TASK)
    teacher.fill("text", "Write a bot in pairs. It should beat the two bots below.")
    teacher.fill("due_at", f"{now + timedelta(days=2):%Y-%m-%dT%H:%M}")
    teacher.fill("team_size", "2")
    for number, (bot, share) in enumerate((("Scatterbrain", "60"), ("Early Bird", "55")), 1):
        if number > 1:
            teacher.click(page.get_by_role("button", name="Add a bot to beat"))
        label = page.locator(f"[name=reference_{number}] option", has_text=bot).first.inner_text()
        teacher.choose(f"reference_{number}", label)
        teacher.fill(f"threshold_{number}", share)
    event.shot("assignment-filled")
    teacher.button("Create assignment")
    expect(page.get_by_text("The assignment was created.", exact=True)).to_be_visible()
    event.shot("assignment")


def joins(page: Page, event: Event, number: int, code: str) -> Page:
    """A student types the code of the slip and signs up."""
    page.goto("/join/")
    page.fill("[name=code]", code)
    page.get_by_role("button", name="Next").click()
    page.get_by_role("link", name="Sign up and join").click()
    people.fill_sign_up(page, f"student{number + 1}")
    page.get_by_role("button", name=re.compile("Join as")).click()
    expect(page.get_by_role("link", name=TASK).first).to_be_visible()
    if number == 0:
        event.shot("joined", page)
    return page


def work_together(event: Event, number: int, one: Page, other: Page, tmp_path: Path) -> None:
    """Two students found a team; one uploads its bot, and the other hands it in."""
    one.goto("/teams/new/")
    one.fill("[name=name]", f"Team {number + 1}")
    one.get_by_role("button", name="Create team").click()
    one.get_by_role("button", name="Create link").click()
    other.goto(one.locator("#shown").inner_text())
    other.get_by_role("button", name=re.compile("Join")).click()
    if number == 0:
        event.shot("team", one)
    one.get_by_role("link", name="New bot").first.click()
    one.fill("[name=name]", f"Bot {number + 1}")
    one.select_option("[name=game]", "pickomino")
    file = tmp_path / f"bot{number + 1}.py"
    file.write_bytes(SOURCES[WRITTEN[number % len(WRITTEN)]] + f"# team {number + 1}\n".encode())
    people.choose_file(one, file)
    one.get_by_role("button", name="Create and check it").click()
    other.goto("/groups/computing-11a/")
    other.get_by_role("link", name=TASK).first.click()
    if number == 0:
        event.shot("before-handing-in", other)
    other.get_by_role("button", name="Hand in").click()
    expect(other.get_by_text("hands in together")).to_be_visible()
    if number == 0:
        event.shot("handed-in-by-a-student", other)


def publishes(teacher: Walk, event: Event, file: Path) -> None:
    page = teacher.page
    teacher.open("/groups/computing-11a/")
    teacher.link(TASK)
    teacher.link("Marks")
    event.shot("marks")
    if page.get_by_text("left a mark open").count():
        teacher.click(page.get_by_text("Decide all by their shares"))
        teacher.fill("reason", "too close, so the share counts")
        event.shot("undecided")
        teacher.button("Decide all")
    teacher.button("Publish marks")
    event.shot("marks-published")
    teacher.clicks += 1
    with page.expect_download() as download:
        page.get_by_role("link", name="Marks as CSV").click()
    download.value.save_as(file)
    rows = list(csv.DictReader(file.read_text("utf-8-sig").splitlines()))
    assert len(rows) == len(STUDENTS)
    assert {row["status"] for row in rows} == {"published"}
    assert {row["roster_id"] for row in rows} == {str(1001 + number) for number in range(len(STUDENTS))}
    marks = {row["team"]: row["points"] for row in rows}
    assert len(marks) == TEAMS, "both of a team have the same mark"
    assert len(set(marks.values())) > 1


def plans_the_cup(teacher: Walk, event: Event) -> None:
    page = teacher.page
    teacher.open("/groups/computing-11a/")
    teacher.link("New tournament")
    teacher.click(page.get_by_role("button", name=re.compile("A quick cup")))
    expect(page.locator("[name=entrants_most]")).to_have_value("16")
    teacher.click(page.get_by_role("link", name="Continue"))
    now = timezone.now()
    teacher.fill("name", CUP)
    expect(page.locator("[name=audience] option:checked")).to_have_text(f"Members of {CLASS}")
    teacher.fill("entries_close_at", f"{now + timedelta(hours=25):%Y-%m-%dT%H:%M}")
    teacher.fill("first_round_at", f"{now + timedelta(hours=26):%Y-%m-%dT%H:%M}")
    event.shot("cup-form")
    teacher.click(page.get_by_role("link", name="Continue"))
    teacher.button("Create the draft")
    event.address = page.url
    event.shot("cup-draft")
    teacher.button("Open entries")
    event.shot("cup-open")
