"""Keeping two bots apart, from the next round on."""

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.errors import TournamentError
from tournaments.models import Entry, ForbiddenPair, Tournament, TournamentState
from tournaments.services.chaining import link_append
from tournaments.services.transitions import announce_later, locked

GOING = tuple(state for state in TournamentState if state not in (TournamentState.FINISHED, TournamentState.CANCELLED))


def keeps_apart(tournament: Tournament) -> bool:
    """Tell whether it has rounds drawn by standings still before it."""
    return any(stage.kind.draws_by_standings and stage.finished_at is None for stage in tournament.stages.all())


class PairRefused(TournamentError):
    """These two cannot be kept apart."""

    code = "cannot_keep_apart"


def pair_keep_apart(*, tournament: Tournament, one: Entry, other: Entry) -> ForbiddenPair:
    """Keep ``one`` and ``other`` apart from the next round that is drawn on: they meet only if no other round is found.
    Twice is once.

    Raises:
        WrongState: the tournament is over.
        PairRefused: one and the same, or an entry of another tournament; or no round will be drawn by
            standings. In a round robin a game left out would leave two bots with fewer points to win than everyone.
    """
    with transaction.atomic():
        locked(tournament.pk, *GOING)
        if one.pk == other.pk:
            raise PairRefused(_("Choose two different bots."))
        if {one.tournament_id, other.tournament_id} != {tournament.pk}:
            raise PairRefused(_("Both bots must have entered this tournament."))
        if not keeps_apart(tournament):
            sentence = _(
                "%(one)s and %(other)s cannot be kept apart here: in a round robin everyone meets everyone, and in a"
                " knockout the results say who meets. Withdraw one of them, or hold a Swiss instead."
            )
            raise PairRefused(sentence % {"one": one.bot.name, "other": other.bot.name})
        first, second = sorted((one, other), key=lambda entry: entry.pk)
        pair, created = ForbiddenPair.objects.get_or_create(tournament=tournament, one=first, other=second)
        if created:
            link_append(tournament.pk, "apart", {"one": first.pk, "other": second.pk})
            announce_later(tournament.pk)
    return pair


def pair_let_meet(*, pair: ForbiddenPair) -> None:
    """Let the two meet again.

    Raises:
        WrongState: the tournament is over.
    """
    with transaction.atomic():
        locked(pair.tournament_id, *GOING)
        if ForbiddenPair.objects.filter(pk=pair.pk).delete()[0]:
            link_append(pair.tournament_id, "meet", {"one": pair.one_id, "other": pair.other_id})
            announce_later(pair.tournament_id)
