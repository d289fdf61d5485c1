"""Marks and sources as files, and similar sources."""

import csv
import io
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from assignments.models import Assignment, HandIn
from assignments.selectors.exports import assignment_sources_similar
from bots.similarity import similarity_lines, similarity_sketch_of
from groups.models import RosterRow
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.assignments.factories import GREEDY, all_decided, assignment_in, past_due, student_in
from tests.groups.factories import member_in
from tests.matches.factories import BRISK

pytestmark = pytest.mark.django_db
RENAMED = GREEDY.replace(b"view", b"given")


def get(assignment: Assignment, name: str, *more: int, query: str = "", person: Any = None, status: int = 200) -> Any:
    client = Client()
    client.force_login(person or assignment.organiser)
    address = reverse(f"assignments:{name}", args=[assignment.group.slug, assignment.pk, *more])
    answer = client.get(address + query)
    assert answer.status_code == status
    return answer


def table(answer: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(b"".join(answer.streaming_content).decode())))


@pytest.fixture
def assignment() -> Assignment:
    made = assignment_in(title="=1+1 Homework", late_penalty=10)
    student_in(made, name="=cmd()", roster_id="+7", cohort="10b")
    absent = UserFactory()
    member_in(made.group, absent, name="Absent", roster_id="8")
    RosterRow.objects.create(group=made.group, name="Not Joined", roster_id="9")
    past_due(made)
    all_decided(made)
    return made


def test_marks_are_csv_in_which_no_cell_is_a_formula(assignment: Assignment) -> None:
    header, marked, absent, expected = table(get(assignment, "marks-file"))
    one = dict(zip(header, marked, strict=True))
    assert (one["roster_id"], one["name"], one["cohort"], one["points"]) == ("'+7", "'=cmd()", "10b", "1.0")
    assert dict(zip(header, absent, strict=True))["points"] == "0"
    assert dict(zip(header, expected, strict=True))["status"] == "not_joined"
    assert get(assignment, "marks-file", query="?bom=1").getvalue()[:3] == b"\xef\xbb\xbf"


def test_moodle_and_canvas_import_the_marks(assignment: Assignment) -> None:
    moodle = table(get(assignment, "marks-file", query="?form=moodle"))
    assert moodle[0] == ["ID number", "Full name", "'=1+1 Homework"]
    assert moodle[1:] == [["'+7", "'=cmd()", "1.0"], ["8", "Absent", "0"], ["9", "Not Joined", ""]]
    canvas = table(get(assignment, "marks-file", query="?form=canvas"))
    assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "'=1+1 Homework"]
    assert canvas[1] == ["    Points Possible", "", "", "", "", "1"]
    assert canvas[2] == ["'=cmd()", "", "'+7", "", "", "1.0"]


def test_all_sources_are_one_zip_in_the_layout_of_dolos(assignment: Assignment) -> None:
    with zipfile.ZipFile(io.BytesIO(get(assignment, "sources").getvalue())) as archive:
        names = set(archive.namelist())
        [info] = list(csv.DictReader(io.StringIO(archive.read("info.csv").decode())))
        assert names == {"info.csv", info["filename"]}
        assert archive.read(info["filename"]).startswith(GREEDY)
    student = HandIn.objects.get().student_id
    assert info["filename"] == f"cmd-{student}/bot.py"
    assert (info["full_name"], info["label"]) == ("'=cmd()", "10b")


def test_similar_sources_are_a_list_of_pairs_for_staff_alone() -> None:
    assignment = assignment_in()
    one, other = student_in(assignment, GREEDY, name="Ann"), student_in(assignment, RENAMED, name="Bea")
    student_in(assignment, BRISK, name="Cem")
    best = assignment_sources_similar(assignment)[0]
    assert ({best.one.name, best.other.name}, best.share) == ({"Ann", "Bea"}, 1.0)
    page = get(assignment, "similar")
    assert_clean_page(page)
    assert "100\u00a0%" in page.content.decode()
    side = get(assignment, "beside", one.pk, other.pk)
    assert_clean_page(side)
    assert "<mark>" in side.content.decode()
    get(assignment, "beside", one.pk, UserFactory().pk, status=404)
    for name, more in (("similar", ()), ("beside", (one.pk, other.pk)), ("sources", ()), ("marks-file", ())):
        get(assignment, name, *more, person=one, status=403)
        get(assignment, name, *more, person=UserFactory(is_organiser=True), status=404)


def test_lines_in_common_are_found_under_other_names() -> None:
    first, second = similarity_lines({"bot.py": GREEDY}, {"bot.py": b"only_this = 1\n" + RENAMED})
    code = next(number for number, line in enumerate(GREEDY.split(b"\n"), 1) if line.startswith(b"def "))
    assert ("bot.py", code) in first
    assert ("bot.py", 1) not in second
    assert ("bot.py", code + 1) in second
    assert similarity_sketch_of({"bot.py": GREEDY}) == similarity_sketch_of({"bot.py": RENAMED})
