"""Whose upload is checked next: authors take turns, one version of each at a time."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from bots import checks
from bots.deletion import bot_delete, version_delete
from bots.models import BotVersion, CheckTurn, VersionState
from tests.bots.factories import AuthorFactory, BotFactory, BotVersionFactory

pytestmark = pytest.mark.django_db


def uploads(owner: Any, count: int, **fields: Any) -> list[BotVersion]:
    return BotVersionFactory.create_batch(count, bot=BotFactory(owner=owner, **fields), open=True)


def owner_of(version_id: int) -> Any:
    return BotVersion.objects.get(pk=version_id).bot.owner


def served(workers: int, most: int) -> Iterable[Any]:
    """Owners in the order in which their checks begin, so many at a time."""
    running: list[tuple[int, int]] = []
    for _ in range(most):
        if len(running) == workers:
            version_id, attempt = running.pop(0)
            assert checks.version_check_accept(version_id=version_id, attempt=attempt, report={})
        claim = checks.version_claim()
        if claim is None:
            return
        running.append(claim)
        yield owner_of(claim[0])


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("already", [0, 3, 60])
def test_an_author_waits_for_two_checks_at_most_in_a_burst_of_five_others(workers: int, already: int) -> None:
    for author in AuthorFactory.create_batch(5):
        uploads(author, 20)
    order = served(workers, 100)
    assert len([next(iter(order)) for _ in range(already)]) == already
    sixth = AuthorFactory()
    uploads(sixth, 1)
    following = [next(iter(order)) for _ in range(3)]
    assert sixth in following[:2]


def test_authors_take_turns_and_each_ones_uploads_go_in_order() -> None:
    one, other = AuthorFactory.create_batch(2)
    firsts = uploads(one, 3)
    uploads(other, 3)
    order = list(served(1, 6))
    assert order[0::2] == [order[0]] * 3
    assert order[1::2] == [order[1]] * 3
    assert {order[0], order[1]} == {one, other}
    begun = sorted(firsts, key=lambda version: BotVersion.objects.get(pk=version.pk).check_started_at)
    assert begun == firsts


def test_one_version_of_an_author_is_checked_at_a_time() -> None:
    author = AuthorFactory()
    first, second = uploads(author, 1)[0], uploads(author, 1)[0]
    claim = checks.version_claim()
    assert claim == (first.pk, 1)
    assert checks.version_claim() is None
    assert checks.version_check_begin(version_id=second.pk) is None
    assert checks.version_check_refuse(version_id=first.pk, attempt=1, report={})
    assert checks.version_claim() == (second.pk, 1)


def test_house_bots_are_checked_side_by_side_and_hold_up_nobody() -> None:
    house = AuthorFactory()
    uploads(house, 3, is_house=True)
    assert all(checks.version_claim() for _ in range(2))
    guest = uploads(AuthorFactory(), 1)[0]
    assert checks.version_claim() == (guest.pk, 1)
    assert checks.version_claim() is not None


def test_the_database_holds_one_check_for_each_author() -> None:
    author = AuthorFactory()
    one, other = uploads(author, 2)
    BotVersion.objects.filter(pk=one.pk).update(state=VersionState.CHECKING, checked_for=author)
    with pytest.raises(IntegrityError), transaction.atomic():
        BotVersion.objects.filter(pk=other.pk).update(state=VersionState.CHECKING, checked_for=author)
    with pytest.raises(IntegrityError), transaction.atomic():
        BotVersion.objects.filter(pk=one.pk).update(state=VersionState.QUEUED)


def test_a_sweep_wakes_a_worker_for_each_author_whose_turn_may_come(django_capture_on_commit_callbacks: Any) -> None:
    busy, other = AuthorFactory.create_batch(2)
    uploads(busy, 5)
    assert checks.version_claim() is not None
    uploads(other, 5)
    BotVersionFactory()
    with patch("bots.checks.current_app.send_task") as send, django_capture_on_commit_callbacks(execute=True):
        assert checks.version_checks_wake() == 1
    send.assert_called_once_with("matches.qualify_version", expires=checks.STALE)


def test_an_authors_turn_of_long_ago_is_forgotten() -> None:
    """Who uploads now and then is not behind those who never did."""
    regular = AuthorFactory()
    CheckTurn.objects.create(author=regular, served_at=timezone.now() - timedelta(hours=1))
    for author in AuthorFactory.create_batch(5):
        uploads(author, 20)
    uploads(regular, 1)
    assert next(iter(served(1, 1))) == regular


def test_a_version_that_is_deleted_while_it_is_checked_frees_its_authors_turn() -> None:
    author = AuthorFactory()
    first, second = uploads(author, 2)
    assert checks.version_claim() == (first.pk, 1)
    assert bot_delete(bot=first.bot)
    assert checks.version_claim() is None
    again = uploads(author, 1)[0]
    assert checks.version_claim() == (again.pk, 1)
    second.refresh_from_db()
    assert second.state == VersionState.DELETED


@pytest.mark.parametrize("how", ["bot", "version", "both"])
def test_nobody_deletes_their_way_to_the_front(how: str) -> None:
    """Each check that is thrown away has had its turn: one who throws them away has every second at most."""
    other, thrower = AuthorFactory.create_batch(2)
    uploads(other, 20)
    order = []
    for _ in range(6):
        if not BotVersion.objects.filter(bot__owner=thrower, state=VersionState.QUEUED).exists():
            uploads(thrower, 1)
        claim = checks.version_claim()
        assert claim is not None
        version = BotVersion.objects.get(pk=claim[0])
        order.append(owner_of(claim[0]))
        if order[-1] == other:
            assert checks.version_check_accept(version_id=claim[0], attempt=claim[1], report={})
        if order[-1] == thrower and how != "bot":
            assert version_delete(version=version)
        if order[-1] == thrower and how != "version":
            assert bot_delete(bot=version.bot)
    assert order.count(thrower) == 3
