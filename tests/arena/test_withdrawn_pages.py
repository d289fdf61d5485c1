"""Data that is no longer public: a busy site serves no cached page that may show it."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from django.core.cache import caches
from django.db.models import Q

from announcements.questions.services import question_answer, question_delete
from announcements.services import announcement_create, announcement_delete, announcement_update
from announcements.subjects import Subject, announcement_subject_kind
from groups.services import group_create, group_update
from teams.services import team_member_leave
from tests.announcements.factories import announced, announcement_later, question_of
from tests.arena.factories import UserFactory
from tests.teams.factories import team_of
from tests.tournaments.factories import running_tournament
from web.page_cache import SITE
from web.topics import topic_states

pytestmark = pytest.mark.django_db
EDITED: Final = {"title": "New", "text": "", "is_pinned": False, "edits": 0}


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    yield
    for cache in caches.all():
        cache.clear()


def subject_of(cup: Any) -> Subject:
    found = announcement_subject_kind("tournament").find(cup.organiser, Q(pk=cup.pk))
    assert found is not None
    return found


def announcement_deleted() -> Callable[[], object]:
    one = announced(running_tournament(2))
    return lambda: announcement_delete(announcement=one)


def announcement_edited() -> Callable[[], object]:
    one = announced(running_tournament(2))
    return lambda: announcement_update(announcement=one, **EDITED)


def published_question() -> dict[str, Any]:
    cup = running_tournament(2)
    return {"question": question_of(cup, UserFactory(), is_published=True, answer="Yes."), "subject": subject_of(cup)}


def question_deleted() -> Callable[[], object]:
    given = published_question()
    return lambda: question_delete(**given)


def answer_edited() -> Callable[[], object]:
    given = published_question() | {"by": UserFactory(), "answer": "No.", "is_published": True, "edits": 0}
    return lambda: question_answer(**given)


def group_unlisted() -> Callable[[], object]:
    owner = UserFactory(is_organiser=True)
    named: dict[str, Any] = {"by": owner, "name": "Hens", "kind": "class", "uses_aliases": False}
    group = group_create(is_listed=True, **named)
    return lambda: group_update(group=group, is_listed=False, **named)


def team_dissolved() -> Callable[[], object]:
    captain = UserFactory()
    team = team_of(captain)
    return lambda: team_member_leave(team=team, person=captain)


def announcement_published() -> Callable[[], object]:
    subject = subject_of(running_tournament(2))
    return lambda: announcement_create(subject=subject, by=UserFactory(), title="New")


def scheduled_announcement_deleted() -> Callable[[], object]:
    one = announcement_later(running_tournament(2))
    return lambda: announcement_delete(announcement=one)


def answer_published() -> Callable[[], object]:
    cup = running_tournament(2)
    given = {"question": question_of(cup, UserFactory()), "subject": subject_of(cup), "by": cup.organiser}
    return lambda: question_answer(**given, answer="Yes.", is_published=True, edits=0)


HIDE: Final = (
    announcement_deleted,
    announcement_edited,
    question_deleted,
    answer_edited,
    group_unlisted,
    team_dissolved,
)
ADD: Final = (announcement_published, scheduled_announcement_deleted, answer_published)


@pytest.mark.parametrize("prepare", [*HIDE, *ADD], ids=lambda one: one.__name__)
def test_all_stored_pages_are_of_a_site_that_was_once_something_is_hidden(
    prepare: Callable[[], Callable[[], object]], django_capture_on_commit_callbacks: Any
) -> None:
    act = prepare()
    before = topic_states([SITE])
    with django_capture_on_commit_callbacks(execute=True):
        act()
    assert (topic_states([SITE]) != before) == (prepare in HIDE)
