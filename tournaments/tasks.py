"""The Celery tasks of tournaments. If a message is lost, the periodic sweep does the same within seconds."""

from datetime import timedelta
from typing import Final

from celery import shared_task
from django.utils import timezone

from matches.queue.dispatch import dispatch_result_read
from tournaments.models import Tournament, TournamentState
from tournaments.models.tournament import TOURNAMENT
from tournaments.selectors.rounds.stages import is_stage_round_undecided
from tournaments.selectors.standings.ranking import EXPIRES, REFRESH_TASK
from tournaments.services import (
    ceremony_tend,
    entries_withdraw_forfeiters,
    sweep_matches_begun_announce,
    tournament_advance,
    tournament_chain_results_append,
    tournament_chain_results_publish,
    tournament_luck_analyses_schedule,
    tournament_snapshots_refresh,
    tournaments_tend,
)
from tournaments.services.ceremonies import TASK as CEREMONY_TASK

SWEPT_WITHIN: Final = timedelta(seconds=15)  # longer than the ten seconds between two sweeps


@shared_task(name=TOURNAMENT.finished_task)
def tournament_match_finished_task(match_id: int) -> None:
    """Process a finished match.

    Append its result to the chain, withdraw bots that forfeited too many matches, and advance the tournament. While the
    round has undecided matches, only recently finished matches are looked at. The sweep finds older matches whose
    message was lost.
    """
    dispatch_result_read(match_id=match_id)
    for tournament in Tournament.objects.filter(rounds__fixtures__match=match_id):
        recent_only = tournament.state == TournamentState.RUNNING and is_stage_round_undecided(tournament.pk)
        tournament_chain_results_append(tournament_id=tournament.pk, recent_only=recent_only)
        entries_withdraw_forfeiters(tournament_id=tournament.pk, recent_only=recent_only)
        tournament_luck_analyses_schedule(tournament=tournament)
        if recent_only or not tournament_advance(tournament_id=tournament.pk):
            tournament_chain_results_publish(tournament_id=tournament.pk)


@shared_task(name="tournaments.sweep", expires=10)
def tournaments_tend_task() -> None:
    """Run the periodic sweep, which does what is due and what lost messages have left undone."""
    tournaments_tend()
    sweep_matches_begun_announce(begun_since=timezone.now() - SWEPT_WITHIN)


@shared_task(name=CEREMONY_TASK)
def ceremony_tend_task(tournament_id: int) -> None:
    """Do what is due in the ceremony of a tournament."""
    ceremony_tend(tournament_id=tournament_id)


@shared_task(name=REFRESH_TASK, expires=EXPIRES)
def tournament_snapshots_refresh_task(what: str, pk: int) -> None:
    """Refresh a snapshot of a tournament: see ``standings_snapshot_refresh_send``."""
    tournament_snapshots_refresh(what=what, pk=pk)


@shared_task(name="tournaments.make_lately", expires=EXPIRES)
def tournament_snapshots_refresh_task_0_1(what: str, pk: int) -> None:
    """Refresh a snapshot, for messages from processes of the previous release."""
    tournament_snapshots_refresh(what=what, pk=pk)
