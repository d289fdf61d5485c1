"""Questions to organisers: who asks, reads and answers them, who gets a notice, and what stays private."""

from datetime import timedelta
from typing import Any, Final

import pytest
from django.db.models import Q
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from announcements.models import Question
from announcements.questions.services import (
    A_DAY,
    OPEN_MOST,
    AnsweredAlready,
    AnsweredMeanwhile,
    StaysPublished,
    TooManyQuestions,
    question_answer,
    question_ask,
    question_delete,
)
from announcements.subjects import Subject, announcement_subject_kind
from arena.accounts.deletion import account_delete
from groups.services import group_member_leave
from hooks.models import Delivery
from notices.models import Notice
from notices.selectors import notice_line_of
from tests.announcements.factories import question_of
from tests.announcements.test_announcements import of_each_kind, signed_in, subject
from tests.announcements.test_api import send
from tests.arena.factories import UserFactory
from tests.groups.factories import GroupFactory, member_in
from tests.hooks.factories import hook_of
from tests.tournaments.factories import EntryFactory, TournamentFactory

pytestmark = pytest.mark.django_db
KINDS: Final = ["tournament", "league", "series", "group"]
TEXT: Final = "May a bot write files?"


def answer(question: Question, by: Any, text: str = "No.", *, is_published: bool = False, edits: int = 0) -> Question:
    found = announcement_subject_kind(question.subject).find(by, Q(pk=question.subject_id))
    assert found is not None
    return question_answer(question=question, subject=found, by=by, answer=text, is_published=is_published, edits=edits)


def page_for(person: Any, kind: str, slug: str) -> str:
    client = signed_in(person) if person else Client()
    return client.get(reverse("announcements:questions", args=[kind, slug])).content.decode()


def kinds_notified(person: Any) -> list[str]:
    return list(Notice.objects.filter(person=person).order_by("pk").values_list("kind", flat=True))


def test_the_asker_is_hidden_from_an_arbiter_in_a_group_with_aliases() -> None:
    group, asker, arbiter = GroupFactory(uses_aliases=True), UserFactory(username="Klarname"), UserFactory()
    for number, person in enumerate((asker, arbiter)):
        member_in(group, person, alias=f"Pirol {number}")
    cup = TournamentFactory(organiser=group.created_by, audience="group", group=group)
    cup.arbiters.add(arbiter)
    signed_in(asker).post(reverse("announcements:ask", args=["tournament", cup.slug]), {"text": TEXT})
    address = reverse("api-announcements:questions", args=["tournament", cup.slug])
    for reader, sees in ((arbiter, False), (cup.organiser, True), (UserFactory(is_staff=True), True)):
        for text in (page_for(reader, "tournament", cup.slug), send(reader, "get", address).content.decode()):
            assert TEXT in text
            assert ("Klarname" in text) == sees


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_and_a_private_answer_are_seen_by_the_asker_and_the_organisers(kind: str) -> None:
    row, organiser, author = of_each_kind()[kind]
    other = UserFactory()
    if kind == "group":
        member_in(row, other)
    page = signed_in(author).post(reverse("announcements:ask", args=[kind, row.slug]), {"text": TEXT})
    assert page.status_code == 302
    one = Question.objects.get()
    [notice] = Notice.objects.filter(person=organiser)
    assert notice_line_of(notice).text == f"{row.name}: somebody has a question for the organisers."
    assert notice_line_of(notice).path == reverse("announcements:questions", args=[kind, row.slug])
    typed = {"answer": "No, **never**.", "edits": 0}
    assert signed_in(organiser).post(reverse("announcements:answer", args=[one.pk]), typed).status_code == 302
    for reader in (organiser, author):
        assert TEXT in page_for(reader, kind, row.slug)
        assert "No, <strong>never</strong>." in page_for(reader, kind, row.slug)
    assert author.username in page_for(organiser, kind, row.slug)
    assert TEXT not in page_for(other, kind, row.slug)
    assert signed_in(other).get(reverse("announcements:answer", args=[one.pk])).status_code == 404
    assert send(other, "get", reverse("api-announcements:question", args=[one.pk])).status_code == 404
    assert kinds_notified(author) == ["question.answered"]
    assert kinds_notified(other) == []
    assert not any(TEXT in str(notice.data) for notice in Notice.objects.all())


@pytest.mark.parametrize("kind", KINDS)
def test_a_published_answer_is_for_everybody_without_the_name_of_the_asker(kind: str) -> None:
    row, organiser, author = of_each_kind()[kind]
    asker = UserFactory(username="curious-crow")
    if kind == "group":
        member_in(row, asker)
    one = question_ask(subject=subject(kind, row), by=asker, text=TEXT)
    answer(one, organiser, is_published=True)
    readers = [author] if kind == "group" else [author, None]
    for reader in readers:
        page = page_for(reader, kind, row.slug)
        assert TEXT in page
        assert "curious-crow" not in page
    api = send(author, "get", reverse("api-announcements:questions", args=[kind, row.slug])).json()["results"]
    assert [(found["answer"], found["asker"]) for found in api] == [("No.", None)]
    assert kinds_notified(author) == ["question.published"]
    assert kinds_notified(asker) == ["question.answered"]
    [notice] = Notice.objects.filter(person=author)
    assert notice_line_of(notice).text == f"{row.name}, a question answered for everybody: {TEXT}"


def test_a_private_answer_is_published_later_once() -> None:
    cup, author, asker = TournamentFactory(), UserFactory(), UserFactory()
    EntryFactory(tournament=cup, owner=author)
    one = question_ask(subject=subject("tournament", cup), by=asker, text=TEXT)
    answer(one, cup.organiser)
    answer(one, cup.organiser, "No!", is_published=True, edits=1)
    answer(one, cup.organiser, "No!!", is_published=True, edits=2)
    assert kinds_notified(author) == ["question.published"]
    assert kinds_notified(asker) == ["question.answered"]
    with pytest.raises(StaysPublished):
        answer(one, cup.organiser, edits=3)
    one.refresh_from_db()
    assert (one.answer, one.edits) == ("No!!", 3)


def test_the_second_of_two_simultaneous_answers_is_shown_the_first() -> None:
    cup, arbiter = TournamentFactory(), UserFactory()
    cup.arbiters.add(arbiter)
    one = question_of(cup, UserFactory())
    answer(one, cup.organiser, "FIRST")
    with pytest.raises(AnsweredMeanwhile):
        answer(one, arbiter, "SECOND")
    address = reverse("announcements:answer", args=[one.pk])
    page = signed_in(arbiter).post(address, {"answer": "SECOND", "edits": 0})
    assert page.status_code == 422
    shown = page.content.decode()
    assert "FIRST" in shown
    assert "SECOND" in shown
    assert 'name="edits" value="1"' in shown
    assert kinds_notified(one.asker) == ["question.answered"]
    one.refresh_from_db()
    assert one.answer == "FIRST"
    assert signed_in(arbiter).post(address, {"answer": "SECOND", "edits": 1}).status_code == 302


@pytest.mark.parametrize("kind", KINDS)
def test_only_those_who_run_it_answer_and_they_do_not_ask(kind: str) -> None:
    row, organiser, author = of_each_kind()[kind]
    outsider, staff = UserFactory(), UserFactory(is_staff=True)
    one = question_ask(subject=subject(kind, row), by=author, text=TEXT)
    for person, asking, answering in (
        (author, 302, 403),
        (outsider, 404 if kind == "group" else 302, 404),
        (organiser, 403, 302),
        (staff, 403, 302),
    ):
        client, edits = signed_in(person), Question.objects.get(pk=one.pk).edits
        assert client.post(reverse("announcements:ask", args=[kind, row.slug]), {"text": "x"}).status_code == asking
        typed = {"answer": "x", "edits": edits}
        assert client.post(reverse("announcements:answer", args=[one.pk]), typed).status_code == answering
    signed_out = Client().post(reverse("announcements:ask", args=[kind, row.slug]), {"text": "x"})
    assert "/accounts/login" in signed_out["Location"]


def test_a_person_has_few_open_questions_and_few_a_day() -> None:
    cup, asker = TournamentFactory(), UserFactory()
    about = subject("tournament", cup)
    first, *_others = [question_ask(subject=about, by=asker, text=str(number)) for number in range(OPEN_MOST)]
    page = signed_in(asker).post(reverse("announcements:ask", args=["tournament", cup.slug]), {"text": "more"})
    assert page.status_code == 422
    assert "questions of yours are waiting" in page.content.decode()
    answer(first, cup.organiser)
    question_ask(subject=about, by=asker, text="one more")
    others = [subject("tournament", TournamentFactory()) for _ in range(A_DAY)]
    for other in others[: A_DAY - OPEN_MOST - 1]:
        question_ask(subject=other, by=asker, text="x")
    with pytest.raises(TooManyQuestions):
        question_ask(subject=others[-1], by=asker, text="x")
    assert Question.objects.count() == A_DAY
    Question.objects.update(created_at=timezone.now() - timedelta(days=1))
    question_ask(subject=others[-1], by=asker, text="tomorrow")


def test_the_asker_deletes_an_open_question_and_its_notice() -> None:
    cup, asker = TournamentFactory(), UserFactory()
    about = subject("tournament", cup)
    one, two = (question_ask(subject=about, by=asker, text=text) for text in "ab")
    address = reverse("announcements:question-delete", args=[one.pk])
    assert signed_in(UserFactory()).post(address).status_code == 404
    assert signed_in(asker).post(address).status_code == 302
    assert [notice.data["question"] for notice in Notice.objects.all()] == [two.pk]
    answer(two, cup.organiser, is_published=True)
    with pytest.raises(AnsweredAlready):
        question_delete(question=two, subject=about)
    assert signed_in(UserFactory()).post(reverse("announcements:question-delete", args=[two.pk])).status_code == 403
    assert signed_in(cup.organiser).post(reverse("announcements:question-delete", args=[two.pk])).status_code == 302
    assert not Question.objects.exists()
    assert not Notice.objects.exists()


def test_deleting_an_account_keeps_published_questions_without_the_name() -> None:
    cup, asker = TournamentFactory(), UserFactory()
    public = question_of(cup, asker, answer="No.", is_published=True)
    question_of(cup, asker, text="PRIVATE", answer="No.")
    question_of(cup, asker, text="OPEN")
    account_delete(person=asker)
    assert [(one.pk, one.asker) for one in Question.objects.all()] == [(public.pk, None)]
    assert TEXT in page_for(None, "tournament", cup.slug)
    assert "deleted account" in page_for(cup.organiser, "tournament", cup.slug)


def test_deleting_the_account_of_who_answered_keeps_the_answer() -> None:
    cup, arbiter = TournamentFactory(), UserFactory()
    cup.arbiters.add(arbiter)
    one = question_of(cup, UserFactory())
    answer(one, arbiter)
    account_delete(person=arbiter)
    assert Question.objects.get().answer == "No."


def test_a_former_member_sees_no_answer_and_gets_no_notice() -> None:
    group, person = GroupFactory(), UserFactory()
    member_in(group, person)
    one = question_ask(subject=subject("group", group), by=person, text=TEXT)
    group_member_leave(group=group, person=person)
    answer(one, group.created_by)
    assert kinds_notified(person) == []
    assert send(person, "get", reverse("api-announcements:question", args=[one.pk])).status_code == 404


def test_a_webhook_announces_a_question_without_its_text() -> None:
    cup = TournamentFactory()
    hook = hook_of(cup.organiser)
    type(hook).objects.update(kinds=["question.asked"])
    question_ask(subject=subject("tournament", cup), by=UserFactory(username="curious-crow"), text="SECRET")
    [sent] = Delivery.objects.all()
    assert cup.name in sent.body
    assert "SECRET" not in sent.body
    assert "curious-crow" not in sent.body


def test_the_organiser_sees_on_the_page_how_many_are_open() -> None:
    cup = TournamentFactory()
    question_of(cup, UserFactory())
    question_of(cup, UserFactory(), answer="No.")
    address = reverse("tournaments:detail", args=[cup.slug])
    assert "1 open" in signed_in(cup.organiser).get(address).content.decode()
    assert reverse("announcements:questions", args=["tournament", cup.slug]) in Client().get(address).content.decode()


def test_hostile_questions_and_answers_stay_text() -> None:
    cup = TournamentFactory()
    question_of(
        cup,
        None,
        text="<script>alert(1)</script>",
        answer="<img src=x onerror=alert(1)> [a](javascript:alert(1))",
        is_published=True,
    )
    page = page_for(None, "tournament", cup.slug)
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert 'href="javascript' not in page


def test_the_api_asks_answers_and_deletes() -> None:
    cup, asker = TournamentFactory(), UserFactory()
    listed = reverse("api-announcements:questions", args=["tournament", cup.slug])
    made = send(asker, "post", listed, {"text": TEXT})
    assert (made.status_code, made.json()["is_mine"], made.json()["asker"]) == (201, True, None)
    one = made["Location"]
    refused = send(asker, "patch", one, {"answer": "x", "edits": 0})
    assert refused.status_code == 403
    read = send(cup.organiser, "get", one).json()
    assert (read["asker"], read["edits"], read["answered_at"]) == (asker.username, 0, None)
    answered = send(cup.organiser, "patch", one, {"answer": "No.", "is_published": True, "edits": 0})
    assert (answered.status_code, answered.json()["edits"]) == (200, 1)
    again = send(cup.organiser, "patch", one, {"answer": "Yes.", "edits": 0})
    assert (again.status_code, again.json()["code"]) == (409, "edited")
    private = send(cup.organiser, "patch", one, {"answer": "No.", "edits": 1})
    assert (private.status_code, private.json()["code"]) == (409, "published")
    assert [row["answer"] for row in Client().get(listed).json()["results"]] == ["No."]
    taken = send(asker, "delete", one)
    assert (taken.status_code, taken.json()["code"]) == (409, "answered")
    assert send(cup.organiser, "delete", one).status_code == 204


@pytest.mark.parametrize("data", [{}, {"text": ""}, {"text": "a" * 1001}, {"text": "a\0"}, {"text": ["a"]}])
def test_bad_questions_are_refused(data: Any) -> None:
    cup = TournamentFactory()
    listed = reverse("api-announcements:questions", args=["tournament", cup.slug])
    assert send(UserFactory(), "post", listed, data).status_code == 400
    assert send(None, "post", listed, {"text": "a"}).status_code == 401


def test_a_subject_is_found_by_staff_alone_when_it_is_a_draft() -> None:
    cup = TournamentFactory(state="draft")
    assert isinstance(subject("tournament", cup), Subject)
    assert signed_in(UserFactory()).get(reverse("announcements:ask", args=["tournament", cup.slug])).status_code == 404
