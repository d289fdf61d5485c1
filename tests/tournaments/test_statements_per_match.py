"""Database statements from the claim of matches to the result workers: what each match of a large tournament costs
beside its games.
"""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Contest, Match, MatchState
from matches.worker.playing import worker_play_claim
from tests.matches.in_process import InProcessCage
from tests.tournaments.factories import running_tournament
from tournaments.tasks import tournament_match_finished_task

pytestmark = pytest.mark.django_db

WORKER = 26  # a claim that is written once; begins and ends of transactions are among them
RESULTS_WORKER = 17  # a message, while matches of the round are undecided


@pytest.fixture(autouse=True)
def _no_cage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.worker.playing.worker_process_cage", InProcessCage)
    for written_every in ("WRITTEN_EVERY", "LOG_WRITTEN_EVERY"):
        monkeypatch.setattr(f"matches.worker.playing.{written_every}", 600.0)  # a busy machine writes no more often
    monkeypatch.setattr("matches.queue.dispatch._messages_waiting", lambda: 0)
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@pytest.mark.parametrize("tables", [1, 5])
def test_claim_and_results_of_many_matches_take_as_many_statements_as_of_one(tables: int) -> None:
    running_tournament(2 * tables, format="swiss", rounds=1, blocks=1)
    Contest.objects.update(block_seconds=0.1)
    with CaptureQueriesContext(connection) as queries:
        assert worker_play_claim()
    assert Match.objects.filter(state=MatchState.FINISHED).count() == tables
    assert len(queries) == WORKER


@pytest.mark.parametrize("results", [1, 5])
def test_many_results_take_as_many_statements_as_one(results: int) -> None:
    running_tournament(12, format="swiss", rounds=1, blocks=1)
    Contest.objects.update(block_seconds=10.0 / results)
    assert worker_play_claim()
    finished = Match.objects.filter(state=MatchState.FINISHED)
    assert finished.count() == results
    with CaptureQueriesContext(connection) as statements:
        tournament_match_finished_task(finished[0].pk)
    assert len(statements) == RESULTS_WORKER
