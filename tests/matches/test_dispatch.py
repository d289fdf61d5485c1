"""Few messages: workers are woken without a flood, and result workers get many results at once."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError

from matches.models import Contest, Match, MatchState
from matches.queue.dispatch import dispatch_result_on_commit, dispatch_result_read, dispatch_workers
from matches.queue.worker_status import worker_seen
from matches.tasks import matches_play, matches_sweep_task
from tests.matches.factories import MatchFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float | None]]:
    """The messages that wait: task and countdown."""
    messages: list[tuple[str, float | None]] = []
    send = "matches.queue.dispatch.current_app.send_task"
    monkeypatch.setattr(send, lambda task, args=(), countdown=None: messages.append((task, countdown)))
    monkeypatch.setattr("matches.queue.dispatch._messages_waiting", lambda: messages.count(("matches.play", None)))
    return messages


@pytest.fixture
def away() -> Iterator[None]:
    with patch("celery.Celery.send_task", side_effect=OperationalError("away")):
        yield


def test_there_are_never_more_messages_than_workers(broker: list[Any]) -> None:
    worker_seen(name="w@host", slots=5)
    assert dispatch_workers(100_000) == 5
    assert dispatch_workers(100_000) == 0
    assert len(broker) == 5


def test_a_sweep_wakes_workers_as_long_as_something_waits(broker: list[Any]) -> None:
    matches_sweep_task()
    assert broker == []
    MatchFactory(state=MatchState.HELD)
    MatchFactory(dispatch_at=timezone.now() + timedelta(minutes=1))
    matches_sweep_task()
    assert broker == []
    MatchFactory()
    matches_sweep_task()
    matches_sweep_task()
    assert broker == [("matches.play", None)] * 2


def test_a_worker_whose_time_is_over_sends_itself_the_next_message(broker: list[Any]) -> None:
    with (
        patch("matches.tasks.worker_play_claim", return_value=True),
        patch("matches.tasks.claim_slice_seconds", return_value=0),
    ):
        matches_play()
    assert broker == [("matches.play", None)]
    broker.clear()
    with patch("matches.tasks.worker_play_claim", side_effect=[True, True, False]) as worked:
        matches_play()
    assert worked.call_count == 3
    assert broker == []


def test_many_results_send_one_message(broker: list[Any], django_capture_on_commit_callbacks: Any) -> None:
    matches = [MatchFactory(of_contest=True) for _ in range(5)]

    def sent_for(match: Match) -> list[Any]:
        broker.clear()
        with django_capture_on_commit_callbacks(execute=True):
            dispatch_result_on_commit(match)
            assert broker == [], "sent before the commit"
        return [*broker]

    assert [sent_for(match) for match in matches[:3]] == [[("tests.result", None)], [], []]
    dispatch_result_read(match_id=matches[2].pk)
    assert sent_for(matches[3]) == [("tests.result", 1.0)], "there is one a second"
    assert sent_for(matches[4]) == []
    Contest.objects.update(news_at=timezone.now() - timedelta(minutes=1))
    assert sent_for(matches[0]) == [("tests.result", 1.0)], "the last message was lost"
    dispatch_result_read(match_id=matches[0].pk)
    Contest.objects.update(notified_at=timezone.now() - timedelta(minutes=1))
    assert sent_for(matches[1]) == [("tests.result", None)]


def test_a_message_that_was_lost_is_sent_again_though_no_result_comes_after_it(broker: list[Any]) -> None:
    """Else a contest whose last message was lost would have pending results for ever, and pages would say so."""
    match = MatchFactory(of_contest=True)
    Contest.objects.update(news_at=timezone.now())
    matches_sweep_task()
    assert ("tests.result", None) not in broker, "it may still be under way"
    Contest.objects.update(news_at=timezone.now() - timedelta(minutes=1))
    matches_sweep_task()
    matches_sweep_task()
    assert broker.count(("tests.result", None)) == 1, "not again at once"
    dispatch_result_read(match_id=match.pk)
    assert not Contest.objects.filter(news_at__isnull=False).exists()


def test_pending_results_of_a_contest_without_a_task_are_cleared(broker: list[Any]) -> None:
    match = MatchFactory(of_contest=True)
    Match.objects.filter(pk=match.pk).update(on_finished_task="")
    Contest.objects.update(news_at=timezone.now() - timedelta(minutes=1))
    matches_sweep_task()
    assert ("tests.result", None) not in broker
    assert not Contest.objects.filter(news_at__isnull=False).exists()


def test_an_unreachable_broker_causes_no_error(away: None, django_capture_on_commit_callbacks: Any) -> None:
    assert dispatch_workers(3) == 0
    with django_capture_on_commit_callbacks(execute=True):
        dispatch_result_on_commit(MatchFactory(of_contest=True))
    MatchFactory()
    matches_sweep_task()
