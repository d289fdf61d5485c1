"""The matches of a round are shown to everyone from a time on, all tables at once."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.airing.services import AHEAD_MOST, broadcast_announce, premiere_allowed, premiere_move
from matches.models import Broadcast, Match
from tournaments.errors import TournamentError
from tournaments.models import PLAYING, Round
from tournaments.services.transitions import announce_later, locked


class PremiereRefused(TournamentError):
    """The round cannot have this premiere. ``field``: of the form, beside which the sentence belongs."""

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


def round_premiere_set(*, played: Round, premiere: datetime | None, tempo: str = Broadcast.NONE) -> None:
    """Show the matches of a round from ``premiere`` on at ``tempo``; None calls the premiere off.

    A round that has begun keeps its tempo; a premiere of it may be moved or called off until it begins. One that was
    called off then is shown as soon as it has been played. Whatever was said before, the last call holds; the same call
    twice changes nothing.

    Raises:
        WrongState: the tournament is neither running nor paused.
        PremiereRefused: a time that has passed, is too far away or before the round begins, or no such tempo.
        TooLateForPremiere: the round has begun without a premiere, or its premiere has.
    """
    with transaction.atomic():
        locked(played.tournament_id, *PLAYING)
        played.refresh_from_db()
        if not premiere_may_change(played):
            raise TooLateForPremiere(played.number)
        if premiere is not None:
            _check(played, premiere, tempo)
        rounds = Round.objects.filter(pk=played.pk)
        matches = Match.objects.filter(fixture__round=played)
        if played.started_at is None:
            rounds.filter(started_at__isnull=True).update(
                premiere=premiere, tempo=tempo if premiere else Broadcast.NONE
            )
            played.refresh_from_db()
            broadcast_announce(matches=matches, tempo=played.shown_at, premiere=premiere)
        else:
            kept = played.tempo if premiere else Broadcast.NONE
            rounds.filter(premiere__gt=timezone.now()).update(premiere=premiere, tempo=kept)
            premiere_move(matches=matches, premiere=premiere)
        played.refresh_from_db()
        announce_later(played.tournament_id)


def _check(played: Round, premiere: datetime, tempo: str) -> None:
    if not premiere_allowed(premiere=premiere):
        sentence = _("A premiere is in the future, at most %(days)d days ahead.") % {"days": AHEAD_MOST.days}
        raise PremiereRefused("premiere", sentence)
    if played.started_at is None and played.starts_at is not None and premiere < played.starts_at:
        raise PremiereRefused("premiere", _("The round begins later than that: choose a time after its beginning."))
    if played.started_at is None and (tempo not in Broadcast.values or not tempo):
        raise PremiereRefused("tempo", _("Choose how the matches are broadcast."))


def premiere_may_change(played: Round) -> bool:
    """Tell whether the round may be given a premiere, or another one."""
    return (
        played.tournament.state in PLAYING
        and Round.objects.filter(Q(started_at__isnull=True) | Q(premiere__gt=timezone.now()), pk=played.pk).exists()
    )
