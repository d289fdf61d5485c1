"""The pages and the API of assignments, for students, staff and everybody else."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assignments.models import Assignment, DueExtension, HandIn, Marking, ReferenceMark
from assignments.services import assignments_tend, marks_publish
from matches.models import Match
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.assignments.factories import (
    all_decided,
    assignment_in,
    decided,
    handed_in,
    house_version,
    past_due,
    play_all,
    student_in,
)
from tests.bots.factories import BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory, member_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh() -> None:
    cache.clear()


def client_of(person: Any) -> Client:
    client = Client()
    if person:
        client.force_login(person)
    return client


def page(person: Any, name: str, assignment: Assignment, *more: Any, status: int = 200) -> str:
    answer = client_of(person).get(reverse(f"assignments:{name}", args=[assignment.group.slug, assignment.pk, *more]))
    assert answer.status_code == status, name
    return " ".join(answer.content.decode().split())


def send(person: Any, name: str, assignment: Assignment, *more: Any, **data: Any) -> Any:
    address = reverse(f"assignments:{name}", args=[assignment.group.slug, assignment.pk, *more])
    return client_of(person).post(address, data)


def api(person: Any, method: str, path: str, data: Any = None) -> Any:
    headers = {"authorization": f"Token {token_of(person)}"} if person else {}
    sent = {} if data is None else {"data": data, "content_type": "application/json"}
    return getattr(Client(), method)(f"/api/assignments/{path}", headers=headers, **sent)


def test_a_student_hands_in_and_sees_practice_then_marks_when_published() -> None:
    assignment = assignment_in(text="Beat it.", late_days=2, late_penalty=10)
    student = UserFactory()
    member_in(assignment.group, student)
    assert "Upload a bot" in page(student, "detail", assignment)
    version = BotVersionFactory(bot__owner=student, bot__name="Early Hen", source=student_source())
    assert send(student, "hand-in", assignment, bot=version.bot_id).status_code == 302
    assert HandIn.objects.get().bot == version.bot
    assignments_tend()
    assert "being played" in page(student, "detail", assignment)
    play_all()
    shown = page(student, "detail", assignment)
    assert "Share in practice" in shown
    assert "95 % interval" in shown
    assert assignment.commitment in shown
    assert bytes(assignment.secret).hex() not in shown
    past_due(assignment)
    play_all()
    hidden = page(student, "detail", assignment)
    assert "being marked" in hidden
    assert ">met<" not in hidden
    mark = ReferenceMark.objects.get()
    match_page = reverse("matches:detail", args=[mark.match_id])
    assert client_of(student).get(match_page).status_code == 404
    assert client_of(assignment.organiser).get(match_page).status_code == 200
    marks_publish(assignment=assignment)
    shown = page(student, "detail", assignment)
    assert ">met<" in shown
    assert "Points: 1" in shown
    assert assignment.title in client_of(student).get(match_page).content.decode()
    other = student_in(assignment_in(assignment.group))
    assert client_of(other).get(match_page).status_code == 404


def student_source() -> bytes:
    from tests.assignments.factories import GREEDY

    return GREEDY


def test_staff_see_the_matrix_and_act_on_a_student() -> None:
    assignment = assignment_in(late_days=1)
    ann = student_in(assignment, name="Ann Early", roster_id="7")
    bea = student_in(assignment, name="Bea Late")
    owner: Any = assignment.organiser
    staff = UserFactory()
    member_in(assignment.group, staff, "staff")
    assert "Open the marks" in page(owner, "detail", assignment)
    assert "Open the marks" not in page(ann, "detail", assignment)
    until = (assignment.due_at + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    assert send(owner, "student", assignment, bea.pk, act="extend", due_at=until, reason="").status_code == 422
    assert send(owner, "student", assignment, bea.pk, act="extend", due_at=until, reason="ill").status_code == 302
    assert DueExtension.objects.get().by == owner
    past_due(assignment)
    mark = ReferenceMark.objects.get()
    decided(mark, "too_close")
    shown = page(staff, "marks", assignment)
    for words in ("Ann Early", "Bea Late", "undecided", "more time", "The games of 1 student left a mark open"):
        assert words in shown
    assert "Ann Early" in page(staff, "student", assignment, ann.pk)
    assert client_of(staff).get(reverse("matches:detail", args=[mark.match_id])).status_code == 200
    assert (
        client_of(ann).post(reverse("assignments:marks", args=[assignment.group.slug, assignment.pk])).status_code
        == 403
    )
    assert send(staff, "marks", assignment, reason="").status_code == 422
    fields = {"act": f"decide-{mark.pk}", "ruling": "met", "reason": "close enough"}
    assert send(staff, "student", assignment, ann.pk, **fields).status_code == 302
    assert send(staff, "student", assignment, ann.pk, **fields).status_code == 422
    assert "1 student is marked" in page(staff, "marks", assignment)
    assert send(staff, "publish", assignment).status_code == 302
    assert Marking.objects.get().published_at is not None
    assert send(owner, "student", assignment, ann.pk, act="renew", reason="a ruling").status_code == 302
    all_decided(assignment, "second_better")
    assert "was met" in page(owner, "marks", assignment)
    assert "was met" not in page(ann, "detail", assignment), "the new marks are not published"
    send(owner, "publish", assignment)
    assert "was met" in page(ann, "detail", assignment)


def test_an_assignment_is_created_changed_and_deleted_on_its_pages() -> None:
    group = GroupFactory()
    owner: Any = group.created_by
    reference = house_version()
    address = reverse("assignments:create", args=[group.slug])
    shown = client_of(owner).get(address).content.decode()
    assert "Reference bots" in shown
    calls = {
        label: ("optional" in text) for label, text in re.findall(r'<label for="id_(\w+)">(.*?)</label>', shown, re.S)
    }
    assert [name for name in calls if name.endswith(("_1", "_2")) and calls[name]] == ["reference_2"]
    now = timezone.now()
    fields = {
        "title": "Beat the house",
        "game": "pickomino",
        "zone": "Europe/Berlin",
        "opens_at": (now - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M"),
        "due_at": (now + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M"),
        "grace_minutes": 10,
        "late_days": 0,
        "team_size": 1,
        "late_penalty": 10,
        "attempts_a_day": 5,
        "reference_1": "",
    }
    assert client_of(owner).post(address, fields).status_code == 422
    response = client_of(owner).post(address, fields | {"threshold_1": 3, "reference_1": reference.pk})
    assert [*response.context["form"].errors] == ["threshold_1"]
    chosen = {"reference_1": reference.pk, "threshold_1": 70, "points_1": "", "threshold_2": ""}
    assert client_of(owner).post(address, fields | chosen).status_code == 302
    made = Assignment.objects.get()
    assert [(one.threshold, one.points) for one in made.references.all()] == [(70, 1)]
    assert "New assignment" in client_of(owner).get(reverse("groups:detail", args=[group.slug])).content.decode()
    changed = {name: value for name, value in fields.items() if name not in ("game", "zone", "opens_at", "reference_1")}
    assert send(owner, "edit", made, **changed | {"title": "Another"}).status_code == 302
    assert send(owner, "edit", made, **changed | {"due_at": "2001-01-01T00:00"}).status_code == 422
    assert Assignment.objects.get().title == "Another"
    assert send(owner, "delete", made).status_code == 302
    assert Assignment.objects.count() == 0


def test_students_and_outsiders_have_no_access_to_the_work_of_others() -> None:
    assignment = assignment_in()
    student, other = student_in(assignment), student_in(assignment)
    past_due(assignment)
    outsider = UserFactory(is_organiser=True)
    for name, more in (("marks", ()), ("student", (other.pk,)), ("edit", ())):
        page(student, name, assignment, *more, status=403)
        page(outsider, name, assignment, *more, status=404)
    for name, more in (("publish", ()), ("delete", ()), ("student", (other.pk,))):
        assert send(student, name, assignment, *more, act="renew", reason="x").status_code == 403
        assert send(outsider, name, assignment, *more).status_code == 404
    page(outsider, "detail", assignment, status=404)
    assert send(outsider, "hand-in", assignment, bot="").status_code == 404
    assert other.username not in page(student, "detail", assignment)
    page(assignment.organiser, "student", assignment, outsider.pk, status=404)
    hidden = assignment_in(assignment.group, title="Not yet", opens_at=timezone.now() + timedelta(hours=1))
    page(student, "detail", hidden, status=404)
    group = reverse("groups:detail", args=[assignment.group.slug])
    assert "Not yet" not in client_of(student).get(group).content.decode()
    assert "Next deadline" not in client_of(student).get(group).content.decode()  # it is over
    assignment_in(assignment.group, title="Still open")
    assert "Next deadline" in client_of(student).get(group).content.decode()
    assert "Next deadline" not in client_of(assignment.organiser).get(group).content.decode()
    assert "Not yet" in client_of(assignment.organiser).get(group).content.decode()


def test_its_pages_are_clean() -> None:
    assignment = assignment_in(text="Line one.\n\nLine <two>.", late_days=1, late_penalty=5)
    student = student_in(assignment)
    assignments_tend()
    past_due(assignment)
    decided(ReferenceMark.objects.get(), "undecided")
    owner: Any = assignment.organiser
    for person, name, more in (
        (student, "detail", ()),
        (owner, "detail", ()),
        (owner, "marks", ()),
        (owner, "edit", ()),
        (owner, "student", (student.pk,)),
    ):
        address = reverse(f"assignments:{name}", args=[assignment.group.slug, assignment.pk, *more])
        assert_clean_page(client_of(person).get(address))
    assert_clean_page(client_of(owner).get(reverse("assignments:create", args=[assignment.group.slug])))


def test_the_api_hands_in_reads_and_marks() -> None:
    assignment = assignment_in()
    owner: Any = assignment.organiser
    student, outsider = UserFactory(), UserFactory()
    member_in(assignment.group, student, roster_id="s-1")
    version = BotVersionFactory(bot__owner=student, source=student_source())
    at = f"{assignment.pk}/"
    assert [one["title"] for one in api(student, "get", "").json()["results"]] == ["Beat the house"]
    assert api(outsider, "get", "").json()["results"] == []
    assert api(outsider, "get", at).status_code == 404
    assert api(student, "get", at).json()["secret"] is None
    assert api(student, "post", f"{at}hand-in/", {"bot": "no-such"}).status_code == 409
    assert api(student, "post", f"{at}hand-in/", {"bot": version.bot.slug}).json()["status"] == "handed_in"
    assert api(student, "delete", f"{at}hand-in/").status_code == 204
    handed_in(assignment, student)
    later = (assignment.due_at + timedelta(days=1)).isoformat()
    given = {"username": student.username, "due_at": later, "reason": "ill"}
    assert api(student, "post", f"{at}extensions/", given).status_code == 403
    assert api(owner, "post", f"{at}extensions/", given).status_code == 200
    past_due(assignment, days=3)
    mark = ReferenceMark.objects.get()
    decided(mark, "too_close")
    [own] = api(student, "get", f"{at}marks/").json()["results"]
    assert (own["status"], own["marks"], own["points"]) == ("marking", [], None)
    [row] = api(owner, "get", f"{at}marks/").json()["results"]
    assert (row["roster_id"], row["status"]) == ("s-1", "undecided")
    decision = f"{at}marks/{student.username}/{mark.reference_id}/decide/"
    assert api(student, "post", decision, {"ruling": "met", "reason": "x"}).status_code == 403
    assert api(owner, "post", decision, {"ruling": "met", "reason": "x"}).json()["points"] == 1
    assert api(owner, "post", f"{at}marks/decide-all/", {"reason": "the share counts"}).json() == {"count": 0}
    assert api(owner, "post", f"{at}marks/publish/").json() == {"count": 1}
    [own] = api(student, "get", f"{at}marks/").json()["results"]
    assert [one["outcome"] for one in own["marks"]] == ["met"]
    assert api(owner, "post", f"{at}marks/{student.username}/renew/", {"reason": "again"}).json()["status"] == "marking"
    assert api(owner, "delete", at).status_code == 409
    assert Match.objects.filter(state="queued").count() == 1


def test_the_api_creates_and_changes() -> None:
    group = GroupFactory()
    owner: Any = group.created_by
    reference = house_version()
    values = {
        "group": group.slug,
        "title": "Over the API",
        "game": "pickomino",
        "opens_at": timezone.now().isoformat(),
        "due_at": (timezone.now() + timedelta(days=1)).isoformat(),
        "references": [{"bot": reference.bot.slug, "version": 1, "threshold": 60}],
    }
    assert api(UserFactory(), "post", "", values).status_code == 404
    assert api(owner, "post", "", values | {"references": []}).status_code == 409
    made = api(owner, "post", "", values)
    assert made.status_code == 201, made.content
    assert made.json()["references"][0]["points"] == 1
    at = f"{made.json()['id']}/"
    assert api(owner, "patch", at, {"title": "Changed"}).json()["title"] == "Changed"
    assert api(owner, "patch", at, {"due_at": "2001-01-01T00:00:00Z"}).status_code == 409
    assert api(owner, "delete", at).status_code == 204
