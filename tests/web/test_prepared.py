"""Prepared files: made once by a worker that may end at any moment, charged to who asks, dropped when unused."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.arena.factories import UserFactory
from tests.arena.prepared import make_files
from web.models import PreparedFile, PreparedPiece, PreparedState
from web.prepared import services
from web.prepared.services import (
    KINDS,
    Beat,
    PreparedKind,
    QueueFull,
    prepared_file,
    prepared_file_make_next,
    prepared_file_order,
    prepared_file_pieces,
    prepared_files_tend,
)

pytestmark = pytest.mark.django_db
KIND = "tests"
PIECES = [b"ab", b"cd", b"", b"ef"]


class Killed(BaseException):
    """The process ends here: nothing after it runs."""


class Subject:
    """What the files are of: its ``revision``, and what happens before each piece."""

    def __init__(self) -> None:
        self.revision: str | None = "1"
        self.made = 0
        self.before: Any = lambda _number: None

    def make(self, _subject: int, _name: str, beat: Beat) -> Iterator[bytes]:
        self.made += 1
        for number, piece in enumerate(PIECES):
            self.before(number)
            beat()
            yield piece


@pytest.fixture
def subject(monkeypatch: pytest.MonkeyPatch) -> Subject:
    one = Subject()
    monkeypatch.setitem(KINDS, KIND, PreparedKind(lambda _subject: one.revision, one.make))
    monkeypatch.setattr(services, "PIECE", 2)
    return one


def ask(by: Any = None, number: int = 1) -> PreparedFile:
    return prepared_file_order(kind=KIND, subject=number, name="a.zip", by=by or UserFactory(), ordered=lambda: None)


def test_it_is_made_once_for_all_and_again_when_it_is_another(subject: Subject) -> None:
    assert [ask().state for _ in range(3)] == ["waiting"] * 3
    make_files()
    file = ask()
    assert (file.state, file.size, b"".join(prepared_file_pieces(file))) == ("ready", 6, b"abcdef")
    subject.revision = "2"
    assert prepared_file(KIND, 1, "a.zip") is None
    assert ask().state == "waiting"
    make_files()
    assert subject.made == 2
    assert prepared_file(KIND, 1, "a.zip")
    assert list(prepared_file_pieces(file)) == [], "what somebody reads ends where it becomes another file"
    subject.revision = None  # not to be had any more
    prepared_files_tend()
    assert not PreparedFile.objects.exists()
    assert not PreparedPiece.objects.exists()


@pytest.mark.parametrize("at", range(len(PIECES)))
def test_a_worker_killed_at_any_piece_leaves_nothing_and_another_makes_it(subject: Subject, at: int) -> None:
    def kill(number: int) -> None:
        if number == at:
            raise Killed

    ask()
    subject.before = kill
    with pytest.raises(Killed):
        prepared_file_make_next(stopping=lambda: False)
    assert not prepared_file_make_next(stopping=lambda: False), "one is being made, as far as anybody knows"
    PreparedFile.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    subject.before = lambda _number: None
    make_files()
    assert b"".join(prepared_file_pieces(ask())) == b"abcdef"


def test_a_worker_that_lost_its_lease_writes_nothing_and_one_that_is_to_end_hands_it_back(subject: Subject) -> None:
    ask()
    stolen = False

    def steal(number: int) -> None:
        nonlocal stolen
        if number == 1 and not stolen:
            stolen = True
            PreparedFile.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
            assert prepared_file_make_next(stopping=lambda: False)

    subject.before = steal
    assert not prepared_file_make_next(stopping=lambda: False)
    assert (subject.made, b"".join(prepared_file_pieces(ask()))) == (2, b"abcdef")
    subject.revision = "2"
    ask()
    calls = iter([False, True])
    assert not prepared_file_make_next(stopping=lambda: next(calls))
    assert PreparedFile.objects.get().state == PreparedState.WAITING


def test_what_fails_or_kills_is_given_up_and_may_be_asked_for_later(subject: Subject) -> None:
    def fail(_number: int) -> None:
        raise ZeroDivisionError

    ask()
    subject.before = fail
    make_files()
    assert ask().state == PreparedState.FAILED
    PreparedFile.objects.update(made_at=timezone.now() - timedelta(hours=1))
    prepared_files_tend()

    def kill(_number: int) -> None:
        raise Killed

    subject.before = kill
    ask()
    for _ in range(services.BROKEN_MOST):
        with pytest.raises(Killed):
            prepared_file_make_next(stopping=lambda: False)
        PreparedFile.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert not prepared_file_make_next(stopping=lambda: False)
    assert ask().state == PreparedState.FAILED


def test_places_are_charged_to_who_asks_and_room_to_what_is_used_least(
    subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = UserFactory()
    for number in range(services.PLACES):
        ask(person, number)
        ask(person, number)
    with pytest.raises(QueueFull):
        ask(person, 5)
    ask(UserFactory(), 5)
    with pytest.raises(IntegrityError), transaction.atomic():
        PreparedFile.objects.update(state="making", leased_until=timezone.now())  # two at a time
    make_files()
    ask(person, 6)
    make_files()
    PreparedFile.objects.filter(subject=0).update(used_at=timezone.now() - services.UNUSED_FOR - timedelta(minutes=1))
    PreparedFile.objects.filter(subject=1).update(used_at=timezone.now() - timedelta(hours=2))
    monkeypatch.setattr(services, "STORED_BYTES_MOST", 12)
    prepared_files_tend()
    assert set(PreparedFile.objects.values_list("subject", flat=True)) == {5, 6}
    monkeypatch.setattr(services, "FILE_BYTES_MOST", 3)
    ask(person, 7)
    make_files()
    assert PreparedFile.objects.get(subject=7).state == PreparedState.FAILED
    assert not PreparedPiece.objects.filter(file__subject=7).exists()
