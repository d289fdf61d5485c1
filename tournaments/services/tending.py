"""What happens to tournaments by itself: entries close, tournaments start, rounds begin; and the safety net for lost
messages."""

import logging
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from matches.models import Match, MatchState
from matches.services import match_hold
from tournaments.errors import TooFewEntries, TournamentError, WrongState
from tournaments.models import Tournament, TournamentState
from tournaments.services.chained_results import results_append
from tournaments.services.deleting import deleted_withdraw
from tournaments.services.forfeiting import forfeiters_withdraw
from tournaments.services.lifecycle import matches_begun, tournament_lock, tournament_start
from tournaments.services.postponing import start_miss
from tournaments.services.round_release import rounds_start_due
from tournaments.services.rounds import tournament_advance
from tournaments.services.transitions import announce_later
from tournaments.services.weekly_cups import weekly_cups_tend

logger = logging.getLogger(__name__)


def tournaments_tend() -> int:
    """Close the entries, start the tournaments, make the weekly cups and let the rounds go whose time has come. Beside
    it the safety net for lost messages: draw the rounds and finish the tournaments that are due, withdraw who forfeited
    too many matches or was deleted, and hold again what a platform fault has queued during a pause. Return how many
    moved on."""
    entries_close_due()
    tournaments_start_due()
    weekly_cups_tend()
    rounds_start_due()
    deleted_withdraw()
    for tournament_id in _ids(TournamentState.PAUSED):
        with transaction.atomic():
            if Tournament.objects.select_for_update().get(pk=tournament_id).state == TournamentState.PAUSED:
                match_hold(matches=matches_begun(tournament_id))
    return sum(_tend(tournament_id) for tournament_id in _ids(TournamentState.RUNNING))


def entries_close_due() -> int:
    """Close the entries whose deadline is over; how many were."""
    due = Tournament.objects.filter(state=TournamentState.OPEN, entries_close_at__lte=timezone.now())
    return sum(_close(tournament) for tournament in due)


def tournaments_start_due() -> int:
    """Start the tournaments whose time has come, or postpone what has too few bots; how many started."""
    due = Tournament.objects.filter(
        state__in=[TournamentState.OPEN, TournamentState.LOCKED], first_round_at__lte=timezone.now()
    )
    return sum(_start(tournament) for tournament in due if tournament.is_due)


def begun_announce(*, begun_since: datetime) -> None:
    """Tell who watches of matches that workers have taken: whoever takes one does not know of its tournament."""
    recent = Q(state=MatchState.RUNNING, started_at__gte=begun_since) | Q(
        state=MatchState.ON_AIR, airs_at__gte=begun_since
    )
    begun = Match.objects.filter(recent, fixture__isnull=False)
    for tournament_id in set(begun.values_list("fixture__round__tournament", flat=True)):
        announce_later(tournament_id, reload=False)


def _close(tournament: Tournament) -> bool:
    try:
        tournament_lock(tournament=tournament)
    except WrongState:  # somebody else was first
        return False
    except Exception:
        logger.exception("the entries of tournament %d were not closed", tournament.pk)
        return False
    return True


def _start(tournament: Tournament) -> bool:
    try:
        try:
            tournament_start(tournament=tournament, by_itself=True)
        except TooFewEntries as error:
            start_miss(tournament=tournament, entries=error.entries)
            return False
    except WrongState:  # somebody else was first, or gave it another time
        return False
    except TournamentError as error:  # tried again: the organiser's other events may leave room for it
        logger.info("tournament %d does not start by itself: %s", tournament.pk, error)
        return False
    except Exception:
        logger.exception("tournament %d was not started", tournament.pk)
        return False
    return True


def _tend(tournament_id: int) -> bool:
    """Keep the errors of one tournament from the others: log them and go on."""
    try:
        if results_append(tournament_id=tournament_id):
            announce_later(tournament_id, reload=False)
        forfeiters_withdraw(tournament_id=tournament_id)
        return tournament_advance(tournament_id=tournament_id)
    except Exception:
        logger.exception("tournament %d was not tended", tournament_id)
        return False


def _ids(state: TournamentState) -> list[int]:
    return list(Tournament.objects.filter(state=state).values_list("pk", flat=True))
