"""What pages are told about matches and the queue."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from matches.models import Match, MatchState, WorkerPresence
from matches.pages.match_page import match_page_faults_of
from matches.queue.worker_status import worker_gone, worker_seen, worker_status_denied, workers_forget, workers_slots_up
from matches.selectors import matches_recent, matches_running, matches_system_status
from matches.services import match_release
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import CRASHES, FinishedMatchFactory, MatchFactory

pytestmark = pytest.mark.django_db


def test_the_status_counts_what_waits() -> None:
    worker_seen(name="w@host")
    MatchFactory.create_batch(2)
    MatchFactory(running=True)
    status = matches_system_status()
    assert (status.queued, status.running, status.workers, status.paused_reason) == (2, 1, 1, "")


def test_a_match_that_was_held_waits_since_it_was_let_go() -> None:
    match = MatchFactory(state=MatchState.HELD)
    long_ago = timezone.now() - timedelta(hours=1)
    Match.objects.filter(pk=match.pk).update(created_at=long_ago, released_at=long_ago)
    match_release(matches=Match.objects.all())
    match.refresh_from_db()
    assert match.released_at > long_ago + timedelta(minutes=59)


def test_nothing_waits_and_nobody_is_there() -> None:
    status = matches_system_status()
    assert (status.queued, status.workers, status.paused_reason) == (0, 0, "")


def test_the_status_says_why_nothing_is_played() -> None:
    MatchFactory()
    assert matches_system_status().paused_reason == "Matches are paused: no worker is running."
    worker_status_denied(name="w@host", missing=["landlock: not in this kernel. Use Linux 5.13 or newer."])
    status = matches_system_status()
    assert status.paused_reason == "Matches are paused: this machine cannot cage bots. Missing: landlock"
    assert status.missing == ("landlock: not in this kernel. Use Linux 5.13 or newer.",)
    worker_seen(name="other@host")
    assert (matches_system_status().paused_reason, matches_system_status().missing) == ("", ())


def test_a_worker_that_is_seen_again_costs_two_questions_and_tells_of_its_clock_when_that_moves(
    django_assert_num_queries: Any,
) -> None:
    worker_seen(name="w@host")
    with django_assert_num_queries(2):
        worker_seen(name="w@host")
    WorkerPresence.objects.update(clock_ahead=7.0)
    worker_seen(name="w@host")
    assert abs(WorkerPresence.objects.get().clock_ahead) < 1


def test_a_worker_counts_while_it_is_seen() -> None:
    worker_seen(name="w@host")
    WorkerPresence.objects.update(seen_at=timezone.now() - timedelta(minutes=1))
    assert (workers_slots_up(), matches_system_status().workers) == (0, 1), "it may be late under load"
    WorkerPresence.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    assert matches_system_status().workers == 0
    worker_seen(name="w@host")
    assert matches_system_status().workers == 1
    worker_gone(name="w@host")
    assert matches_system_status().workers == 0


def test_workers_unseen_for_a_day_are_forgotten() -> None:
    worker_seen(name="old")
    WorkerPresence.objects.update(seen_at=timezone.now() - timedelta(days=2))
    worker_seen(name="new")
    workers_forget()
    assert [worker.name for worker in WorkerPresence.objects.all()] == ["new"]


def test_recent_matches_come_newest_first_in_few_queries(django_assert_num_queries: object) -> None:
    first, second = FinishedMatchFactory(), FinishedMatchFactory()
    running = MatchFactory(running=True)
    with django_assert_num_queries(2):  # type: ignore[operator]
        recent = list(matches_recent()[:5])
        assert [str(seat.version.bot.owner) for match in recent for seat in match.seats.all()]
    assert recent == [second, first]
    assert list(matches_running()) == [running]


def test_faults_are_shown_to_their_author_alone() -> None:
    crasher = BotVersionFactory(source=CRASHES)
    match = FinishedMatchFactory(blocks=4, seats=[crasher, BotVersionFactory()])
    opponent = match.seats.get(index=1).version.bot.owner_id
    # Of eight games two are more than a fifth: the rest it had forfeited, which is no new fault to look at.
    assert match_page_faults_of(match=match, owners={crasher.bot.owner_id}).count() == 2
    assert not match_page_faults_of(match=match, owners={opponent}).exists()
    assert not match_page_faults_of(match=match, owners=()).exists()
