"""The matches of a round are shown to everyone from a time on, all tables at once."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.airing.services import AHEAD_MOST, broadcast_announce, premiere_allowed, premiere_move
from matches.models import Broadcast, Match
from tournaments.errors import TournamentError
from tournaments.models import PLAYING, Round, RoundPlan
from tournaments.selectors.rounds.plans import places_of
from tournaments.services.chaining import planned_append
from tournaments.services.transitions import announce_later, tournament_locked


class PremiereRefused(TournamentError):
    """The round cannot have this premiere. ``field``: of the form, beside which the sentence belongs."""

    code = "invalid"
    status = 400

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


class TooLateForPremiere(TournamentError):
    """The round is being played, or its premiere has begun."""

    def __init__(self, number: int) -> None:
        super().__init__(
            _("Round %(number)d has begun: only a premiere that was announced before can be moved until it begins.")
            % {"number": number}
        )


def round_premiere_set(
    *, played: Round, premieres_at: datetime | None, tempo: str = Broadcast.NONE, is_told: bool = False
) -> None:
    """Show the matches of a round from ``premieres_at`` on at ``tempo``; None calls the premiere off.

    A round that has begun keeps its tempo; a premiere of it may be moved or called off until it begins. One that was
    called off then is shown as soon as it has been played. Whatever was said before, the last call holds; the same call
    twice changes nothing. ``is_told``: in the chain already.

    Raises:
        WrongState: the tournament is neither running nor paused.
        PremiereRefused: a time that has passed, is too far away or before the round begins, or no such tempo.
        TooLateForPremiere: the round has begun without a premiere, or its premiere has.
    """
    with transaction.atomic():
        tournament_locked(played.tournament_id, *PLAYING)
        played.refresh_from_db()
        before = (played.premieres_at, played.tempo)
        if not premiere_may_change(played):
            raise TooLateForPremiere(played.number)
        if premieres_at is not None:
            premiere_check(premieres_at, None if played.started_at else tempo, played.starts_at)
        rounds = Round.objects.filter(pk=played.pk)
        matches = Match.objects.filter(fixture__round=played)
        if played.started_at is None:
            rounds.filter(started_at__isnull=True).update(
                premieres_at=premieres_at, tempo=tempo if premieres_at else Broadcast.NONE
            )
            played.refresh_from_db()
            broadcast_announce(matches=matches, tempo=played.shown_at, premieres_at=premieres_at)
        else:
            kept = played.tempo if premieres_at else Broadcast.NONE
            rounds.filter(premieres_at__gt=timezone.now()).update(premieres_at=premieres_at, tempo=kept)
            premiere_move(matches=matches, premieres_at=premieres_at)
        played.refresh_from_db()
        if not is_told and before != (played.premieres_at, played.tempo):
            stage, place = played.stage.number, places_of(played.stage)[played.number][0]
            plans = RoundPlan.objects.filter(tournament=played.tournament_id, stage=stage, place=place)
            plans.update(premieres_at=played.premieres_at, tempo=played.tempo)
            planned_append(
                played.tournament_id,
                stage=stage,
                place=place,
                starts_at=played.starts_at,
                premieres_at=played.premieres_at,
                tempo=played.tempo,
            )
        announce_later(played.tournament_id)


def premiere_check(premieres_at: datetime, tempo: str | None, starts_at: datetime | None) -> None:
    """Refuse a time that cannot be; ``tempo`` and when the round begins count until it has begun (None).

    Raises:
        PremiereRefused: see ``round_premiere_set``.
    """
    if not premiere_allowed(premieres_at=premieres_at):
        sentence = _("A premiere is in the future, at most %(days)d days ahead.") % {"days": AHEAD_MOST.days}
        raise PremiereRefused("premieres_at", sentence)
    if tempo is not None and starts_at is not None and premieres_at < starts_at:
        raise PremiereRefused("premieres_at", _("The round begins later than that: choose a time after its beginning."))
    if tempo is not None and (tempo not in Broadcast.values or not tempo):
        raise PremiereRefused("tempo", _("Choose how the matches are broadcast."))


def premiere_may_change(played: Round) -> bool:
    """Tell whether the round may be given a premiere, or another one."""
    return (
        played.tournament.state in PLAYING
        and Round.objects.filter(Q(started_at__isnull=True) | Q(premieres_at__gt=timezone.now()), pk=played.pk).exists()
    )
