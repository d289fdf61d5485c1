"""A bot or a version that its author has deleted leaves what is not over; bots know nothing of tournaments."""

from django.db import transaction
from django.db.models import Q

from bots.models import VersionState
from matches.models import Seat as MatchSeat
from matches.services import seats_bar
from tournaments.models import Entry, Tournament, TournamentState, Withdrawal
from tournaments.services.leaving import entries_leave
from tournaments.services.redrawing import waiting_redraw
from tournaments.services.transitions import announce_later

OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)


def deleted_withdraw() -> int:
    """Withdraw every deleted bot, and every bot whose frozen version is deleted, from tournaments that are not over.
    Matches drawn for it that have not begun are lost. Return how many were withdrawn."""
    gone = Q(bot__deleted_at__isnull=False) | Q(version__state=VersionState.DELETED)
    entries = Entry.objects.filter(gone, is_withdrawn=False).exclude(tournament__state__in=OVER)
    return sum(_withdraw(entry) for entry in entries)


def entries_withdraw_ineligible(*, tournament_id: int) -> int:
    """Withdraw ineligible entries: those whose frozen version is no longer accepted. Call before pairing, so that the
    log records it first. Return how many were withdrawn."""
    entries = Entry.objects.filter(tournament=tournament_id, is_withdrawn=False, version__isnull=False)
    return sum(_withdraw(entry) for entry in entries.exclude(version__state=VersionState.ACCEPTED))


def _withdraw(entry: Entry) -> bool:
    with transaction.atomic():
        if Tournament.objects.select_for_update().get(pk=entry.tournament_id).state in OVER:
            return False
        if not entries_leave(
            entries=Entry.objects.filter(pk=entry.pk),
            why=Withdrawal.DELETED.value,
            withdrawn_because=Withdrawal.DELETED,
        ):
            return False
        drawn = Q(match__fixture__round__tournament=entry.tournament_id)
        seats_bar(seats=MatchSeat.objects.filter(drawn, version=entry.version_id))
        waiting_redraw(entry.tournament)
        announce_later(entry.tournament_id)
    return True
