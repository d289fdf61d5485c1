"""An act of the timeline is moved to another time, or no longer comes by itself."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.errors import TournamentError
from tournaments.models import Tournament, TournamentState
from tournaments.selectors.entering.editing import edit_basis
from tournaments.selectors.rounds.clock import AHEAD_MOST, TOURNAMENT_ACTS, acts_to_come
from tournaments.services.ceremonies import PACE, ceremony_announce
from tournaments.services.editing import tournament_edit
from tournaments.services.sources import sources_move
from tournaments.services.transitions import tournament_locked


class MoveRefused(TournamentError):
    """The act cannot be moved there."""

    code = "invalid"
    status = 400


def act_move(*, tournament: Tournament, act: str, when: datetime | None) -> None:
    """Have one of ``selectors.rounds.timeline.MOVABLE`` come at another time; with None it waits for its organiser (the
    closing of entries for the start). The same call twice changes nothing.

    Raises:
        MoveRefused: it has happened already, or the time has passed, is too far away or in the wrong order.
        EditRefused, WrongState, CeremonyRefused, SourcesRefused: see ``tournament_edit``, ``ceremony_announce`` and
            ``sources_move``.
    """
    if act == "ceremony":
        ceremony = tournament.ceremony_or_none
        ceremony_announce(tournament=tournament, planned_at=when, pace=ceremony.pace if ceremony else PACE)
        return
    if act == "sources":
        sources_move(tournament=tournament, when=when)
        return
    column = TOURNAMENT_ACTS[act].at
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *TournamentState)
        if act not in acts_to_come(tournament):
            raise MoveRefused(_("This has already happened, so it cannot be changed."))
        if getattr(tournament, column) == when:
            return
        now = timezone.now()
        if when is not None and not now < when <= now + AHEAD_MOST:
            raise MoveRefused(_("Choose a time in the future, at most two years ahead."))
        times = {name: getattr(tournament, one.at) for name, one in TOURNAMENT_ACTS.items()} | {act: when}
        if when is not None and not _are_in_order(times["opens"], times["closes"], times["starts"]):
            raise MoveRefused(_("Keep the order: entries open, entries close, the tournament starts."))
        tournament_edit(tournament=tournament, basis=edit_basis(tournament), **{column: when})


def _are_in_order(opens: datetime | None, closes: datetime | None, starts: datetime | None) -> bool:
    """Tell whether entries open before they close and before the start, and close by the start; as on the form."""
    open_first = opens is None or all(opens < later for later in (closes, starts) if later is not None)
    return open_first and (closes is None or starts is None or closes <= starts)
