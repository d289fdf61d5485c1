"""What wakes tournaments up. The database is the truth: losing any of these messages costs seconds, never a result."""

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
    tournament_analyses_schedule,
    tournament_chain_results_append,
    tournament_chain_results_publish,
    tournament_snapshots_refresh,
    tournaments_tend,
)
from tournaments.services.ceremonies import TASK as CEREMONY_TASK

SWEPT_WITHIN: Final = timedelta(seconds=15)  # a sweep comes every ten


@shared_task(name=TOURNAMENT.finished_task)
def tournament_match_finished_task(match_id: int) -> None:
    """Show new results of the tournament of this match and go on with it; who forfeited too many goes;
    after the last of a round the next is drawn. While others are to come, what finished long ago and whose message was
    lost is left to the sweep, which tends running tournaments alone."""
    dispatch_result_read(match_id=match_id)
    for tournament in Tournament.objects.filter(rounds__fixtures__match=match_id):
        recent_only = tournament.state == TournamentState.RUNNING and is_stage_round_undecided(tournament.pk)
        tournament_chain_results_append(tournament_id=tournament.pk, recent_only=recent_only)
        entries_withdraw_forfeiters(tournament_id=tournament.pk, recent_only=recent_only)
        tournament_analyses_schedule(tournament=tournament)
        if recent_only or not tournament_advance(tournament_id=tournament.pk):
            tournament_chain_results_publish(tournament_id=tournament.pk)


@shared_task(name="tournaments.sweep", expires=10)
def tournaments_tend_task() -> None:
    """Do what a lost message left undone, every few seconds."""
    tournaments_tend()
    sweep_matches_begun_announce(begun_since=timezone.now() - SWEPT_WITHIN)


@shared_task(name=CEREMONY_TASK)
def ceremony_tend_task(tournament_id: int) -> None:
    """Go on with a ceremony whose time has come."""
    ceremony_tend(tournament_id=tournament_id)


@shared_task(name=REFRESH_TASK, expires=EXPIRES)
def tournament_snapshots_refresh_task(what: str, pk: int) -> None:
    """Refresh a snapshot of a tournament: see ``standings_snapshot_refresh_send``."""
    tournament_snapshots_refresh(what=what, pk=pk)


@shared_task(name="tournaments.make_lately", expires=EXPIRES)
def tournament_snapshots_refresh_task_0_1(what: str, pk: int) -> None:
    """Refresh a snapshot upon the message of a site of the release before."""
    tournament_snapshots_refresh(what=what, pk=pk)
