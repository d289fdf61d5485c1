"""A result message processes recent results. Older ones are found at the end of a round and by the sweep."""

from datetime import timedelta

import pytest
from django.utils import timezone

from matches.models import Match, MatchState
from tests.matches.factories import leased
from tests.tournaments.factories import finish_match, running_tournament
from tournaments.models import ChainLink, Tournament
from tournaments.services import tournament_pause
from tournaments.services.tournament_chain import RECENT
from tournaments.tasks import tournament_match_finished_task, tournaments_tend_task

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _unsent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def results_logged(cup: Tournament) -> int:
    return ChainLink.objects.filter(tournament=cup, kind="result").count()


def finished_before(match: Match) -> None:
    """Finish a match longer ago than ``RECENT``, of which no message has come."""
    finish_match(match, [1.0, 0.0])
    Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - RECENT - timedelta(seconds=5))


def waiting(cup: Tournament) -> list[Match]:
    return list(Match.objects.filter(fixture__round__tournament=cup, state=MatchState.QUEUED).order_by("pk"))


def test_a_result_whose_message_was_lost_is_found_by_the_sweep() -> None:
    cup = running_tournament(6, format="swiss", rounds=2)
    old, new, _last = waiting(cup)
    finished_before(old)
    finish_match(new, [1.0, 0.0])
    tournament_match_finished_task(new.pk)
    assert results_logged(cup) == 1
    tournaments_tend_task()
    assert results_logged(cup) == 2


def test_with_the_last_of_a_round_all_are_found() -> None:
    cup = running_tournament(6, format="swiss", rounds=2)
    first, second, last = waiting(cup)
    finished_before(first)
    finished_before(second)
    finish_match(last, [1.0, 0.0])
    tournament_match_finished_task(last.pk)
    assert results_logged(cup) == 3
    assert cup.rounds.count() == 2


def test_a_message_that_comes_late_finds_all_of_a_paused_tournament_which_no_sweep_tends() -> None:
    cup = running_tournament(6, format="swiss", rounds=2)
    first = waiting(cup)[0]
    leased(first)
    tournament_pause(tournament=cup)
    finished_before(first)
    tournaments_tend_task()
    assert results_logged(cup) == 0
    tournament_match_finished_task(first.pk)
    assert results_logged(cup) == 1
