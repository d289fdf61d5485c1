"""Who may play, and that nobody else can write."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from matches.models import Fault, Game, Match, MatchLog, MatchState
from matches.queue.leases import (
    PLATFORM_FAULTS_AT_MOST,
    WORKERS_LOST_AT_MOST,
    Lease,
    lease_return,
    lease_take,
    leases_beat,
    leases_expire,
    leases_release,
)
from matches.queue.result_writing import MatchResult, match_results_write
from matches.referee import GameResult
from matches.services import match_cancel, match_release
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import CRASHES, MatchFactory, games_of, leased, written

pytestmark = pytest.mark.django_db


def played(match: Match) -> list[GameResult]:
    """The games of ``match``, played in this process."""
    return games_of(match)


def replaced(match: Match, *, blocks: int) -> Match:
    """The match with more blocks, of which others are played later."""
    Match.objects.filter(pk=match.pk).update(blocks=blocks)
    match.refresh_from_db()
    return match


def lapse(match: Match) -> None:
    """The worker sends no more heartbeats."""
    Match.objects.filter(pk=match.pk).update(lease_expires_at=timezone.now() - timedelta(seconds=1))


def state(match: Match) -> str:
    match.refresh_from_db()
    return match.state


def test_one_of_two_workers_gets_the_match() -> None:
    match = MatchFactory()
    first, second = (lease_take(match_ids=[match.pk], worker=worker) for worker in ("a", "b"))
    assert first == [Lease(match.pk, 1, "a")]
    assert second == []
    assert state(match) == MatchState.RUNNING


@pytest.mark.parametrize("other", [MatchState.HELD, MatchState.CANCELLED])
def test_a_match_that_does_not_wait_is_not_leased(other: MatchState) -> None:
    assert lease_take(match_ids=[MatchFactory(state=other).pk, 10**6], worker="a") == []


def test_a_beat_renews_the_lease_and_says_when_it_is_lost() -> None:
    match = MatchFactory()
    lease = leased(match)
    lapse(match)
    assert leases_beat([lease])
    assert leases_expire() == 0
    match_cancel(matches=Match.objects.all())
    assert not leases_beat([lease])


def test_leases_renewed_together_are_each_checked_by_attempt_and_worker() -> None:
    first, second, stolen, again = (MatchFactory() for _ in range(4))
    mine = [leased(first, "a"), leased(second, "a")]
    lost = leased(stolen, "b")
    void = leased(again, "a")
    assert leases_release([void], begun=True) == 1
    newer = leased(again, "a")
    assert newer.attempt == 2
    swapped = [replace(lost, worker="a"), void, replace(mine[0], attempt=2), replace(mine[1], blocks_stored=1)]
    assert not leases_beat(swapped)
    assert leases_beat([*mine, newer, *swapped]) == {first.pk, second.pk, again.pk}


def test_results_written_together_have_their_own_times_and_lost_ones_are_not_written() -> None:
    begun = [MatchFactory(blocks=blocks) for blocks in (1, 1, 2, 1, 1)]
    leases = [leased(match, "a") for match in begun]
    results = [
        MatchResult(lease, match, games_of(match), duration_ms=10 + number)
        for number, (lease, match) in enumerate(zip(leases, begun, strict=True))
    ]
    results[4] = replace(results[4], match=replaced(begun[4], blocks=2))  # a slice of it
    lapse(begun[1])
    assert leases_expire() == 1
    leased(begun[1], "a")
    assert match_results_write(results, worker_speed=1000.0) == {begun[0].pk, begun[2].pk, begun[3].pk, begun[4].pk}
    assert match_results_write(results, worker_speed=1000.0) == frozenset()
    states = Match.objects.order_by("pk").values_list("state", "duration_ms", "blocks_played", "blocks_kept")
    finished, running, queued = MatchState.FINISHED, MatchState.RUNNING, MatchState.QUEUED
    assert list(states) == [
        (finished, 10, 1, 0),
        (running, None, None, 0),
        (finished, 12, 2, 0),
        (finished, 13, 1, 0),
        (queued, 14, None, 1),
    ]
    assert not begun[1].games.exists()


@pytest.mark.parametrize("next_worker", ["a", "b"])
def test_an_expired_lease_goes_to_the_next_worker_and_the_late_finisher_writes_nothing(next_worker: str) -> None:
    match = MatchFactory(seats=[BotVersionFactory(source=CRASHES), BotVersionFactory()])
    late = leased(match, "a")
    lapse(match)
    assert leases_expire() == 1
    again = leased(match, next_worker)
    assert again.attempt == late.attempt + 1
    games = played(match)
    assert not written(late, games)
    assert not leases_beat([late])
    assert not lease_return(late, "too late")
    assert not Game.objects.exists()
    assert state(match) == MatchState.RUNNING
    assert written(again, games)
    assert state(match) == MatchState.FINISHED
    assert {game.attempt for game in match.games.all()} == {2}


def test_matches_that_were_not_begun_go_back_and_nothing_is_held_against_them() -> None:
    mine, lost = leased(MatchFactory(), "a"), leased(MatchFactory(), "a")
    match_cancel(matches=Match.objects.filter(pk=lost.match_id))
    assert leases_release([mine, lost]) == 1
    match = Match.objects.get(pk=mine.match_id)
    assert (match.state, match.attempt, match.platform_faults, match.workers_lost) == ("queued", 1, 0, 0)
    assert leased(match, "b").attempt == 1


def test_a_result_is_written_once_however_often_it_is_delivered() -> None:
    match = MatchFactory(seats=[BotVersionFactory(source=CRASHES), BotVersionFactory()], blocks=2)
    lease = leased(match)
    MatchLog.objects.create(match=match, attempt=1, game=0, seed=b"s")
    games = played(match)
    assert written(lease, games)
    before = list(Game.objects.values()), list(Fault.objects.values()), list(match.seats.values())
    assert not written(lease, games)
    assert lease_take(match_ids=[match.pk], worker="b") == []
    assert (list(Game.objects.values()), list(Fault.objects.values()), list(match.seats.values())) == before
    assert len(before[0]) == len(before[1]) == 4
    assert not MatchLog.objects.exists()
    crasher, sound = match.seats.all()
    assert (crasher.score, crasher.wins, crasher.faulty_games, crasher.places) == (0.0, 0, 4, [2, 2, 2, 2])
    assert (sound.score, sound.wins, sound.faulty_games, sound.places) == (4.0, 4, 0, [1, 1, 1, 1])
    assert crasher.points == 0
    fault = Fault.objects.filter(seat=crasher).first()
    assert fault is not None
    assert (fault.verdict, fault.exception, fault.detail) == ("crashed", "ValueError", "no idea")
    assert fault.view is not None


def test_a_match_that_was_called_off_takes_no_result() -> None:
    match = MatchFactory()
    lease = leased(match)
    match_cancel(matches=Match.objects.all())
    assert not written(lease, played(match))
    assert state(match) == MatchState.CANCELLED


def test_faults_of_the_platform_queue_the_match_again_until_somebody_must_look() -> None:
    match = MatchFactory()
    for fault in range(1, PLATFORM_FAULTS_AT_MOST):
        assert lease_return(leased(match), f"the zygote died {fault}")
        assert state(match) == MatchState.QUEUED
        assert match.platform_faults == fault
    assert lease_return(leased(match), "the zygote died again")
    assert state(match) == MatchState.HELD
    assert match.last_platform_fault == "the zygote died again"
    assert match_release(matches=Match.objects.all()) == 1
    assert leased(match).attempt == PLATFORM_FAULTS_AT_MOST + 1


def test_a_match_outlives_many_killed_workers_but_not_any_number() -> None:
    match = MatchFactory()
    for loss in range(1, WORKERS_LOST_AT_MOST + 1):
        assert state(match) == MatchState.QUEUED
        leased(match)
        lapse(match)
        assert leases_expire() == 1
        match.refresh_from_db()
        assert (match.platform_faults, match.workers_lost) == (0, loss)
    assert state(match) == MatchState.HELD
    assert WORKERS_LOST_AT_MOST > 4 * PLATFORM_FAULTS_AT_MOST
    assert match_release(matches=Match.objects.all()) == 1
    match.refresh_from_db()
    assert match.workers_lost == 0


def test_a_match_waits_longer_after_each_failure_but_never_over_half_a_minute() -> None:
    match = MatchFactory()
    waits = []
    for _ in range(8):
        leased(match)
        lapse(match)
        leases_expire()
        match.refresh_from_db()
        waits.append(round((match.dispatch_at - timezone.now()).total_seconds()))
    assert waits == [0, 4, 8, 16, 30, 30, 30, 30]


def test_a_worker_that_falls_silent_is_a_fault_of_the_platform() -> None:
    match, other = MatchFactory(), MatchFactory()
    leased(match, "a")
    leased(other, "b")
    lapse(match)
    assert leases_expire() == 1
    assert state(match) == MatchState.QUEUED
    assert state(other) == MatchState.RUNNING
    assert "worker a was not heard of" in match.last_platform_fault
    assert leases_expire() == 0


def test_the_contest_is_notified_after_the_commit(
    django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(
        "matches.queue.dispatch.current_app.send_task", lambda task, args, countdown: sent.append((task, args))
    )
    match = MatchFactory(of_contest=True)
    lease = leased(match)
    games = played(match)
    with django_capture_on_commit_callbacks(execute=True):
        assert written(lease, games)
        assert not written(lease, games)
        assert sent == []
    assert sent == [("tests.result", [match.pk])]
