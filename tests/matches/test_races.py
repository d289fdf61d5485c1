"""Changes of matches that wait for a worker's change of the same match: they see the match as the worker left it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from celery import current_app
from django.db.models import QuerySet
from django.utils import timezone

from matches.airing.services import broadcast_announce
from matches.challenges.services import challenge_accept, challenge_create, challenge_decline
from matches.models import Match, MatchState, Seat
from matches.queue.leases import lease_take
from matches.services import match_cancel, match_hold, match_release, match_seats_forfeit
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.matches.factories import BRISK, MatchFactory
from tests.racing import after_waiting, on_postgres

pytestmark = [on_postgres, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current_app, "send_task", lambda *_given, **_named: None)


def by_seat(match: Match) -> QuerySet[Match]:
    """The match by a condition on another table, as contests name their matches."""
    return Match.objects.filter(seats__index=0, pk=match.pk)


def taken(match: Match) -> Callable[[], object]:
    return lambda: lease_take(match_ids=[match.pk], worker="here:1")


def test_a_match_that_has_just_finished_is_not_cancelled() -> None:
    match = MatchFactory.create(running=True)

    def finish() -> None:
        Match.objects.filter(pk=match.pk).update(
            state=MatchState.FINISHED, finished_at=timezone.now(), lease_expires_at=None
        )

    assert after_waiting(lambda: match_cancel(matches=by_seat(match)), finish) == 0
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED


def test_a_match_that_a_worker_has_just_taken_is_not_held() -> None:
    match = MatchFactory.create()
    assert after_waiting(lambda: match_hold(matches=by_seat(match)), taken(match)) == 0
    match.refresh_from_db()
    assert match.state == MatchState.RUNNING


def test_a_match_that_was_just_cancelled_is_not_released() -> None:
    match = MatchFactory.create(state=MatchState.HELD)
    assert (
        after_waiting(lambda: match_release(matches=by_seat(match)), lambda: match_cancel(matches=by_seat(match))) == 0
    )
    match.refresh_from_db()
    assert match.state == MatchState.CANCELLED


def test_the_broadcast_of_a_match_that_a_worker_has_just_taken_does_not_change() -> None:
    match = MatchFactory.create()
    at = timezone.now() + timedelta(days=1)
    assert (
        after_waiting(lambda: broadcast_announce(matches=by_seat(match), tempo="story", premieres_at=at), taken(match))
        == 0
    )
    match.refresh_from_db()
    assert (match.state, match.tempo, match.premieres_at) == (MatchState.RUNNING, "", None)


def test_a_seat_of_a_match_that_a_worker_has_just_taken_is_not_forfeited() -> None:
    match = MatchFactory.create()
    assert after_waiting(lambda: match_seats_forfeit(seats=Seat.objects.filter(match=match.pk)), taken(match)) == 0
    assert not Seat.objects.filter(match=match.pk, has_forfeited=True).exists()


def test_a_challenge_whose_match_a_worker_has_just_taken_is_not_declined() -> None:
    mine, theirs = (
        BotVersionFactory.create(bot=BotFactory.create(challenged_by="ask"), source=BRISK).bot for _ in range(2)
    )
    challenge = challenge_create(author=mine.owner, bot=mine, opponent=theirs)
    assert challenge_accept(challenge=challenge)
    challenge.refresh_from_db()
    match = challenge.match
    assert match is not None
    assert not after_waiting(lambda: challenge_decline(challenge=challenge), taken(match))
    match.refresh_from_db()
    assert match.state == MatchState.RUNNING
