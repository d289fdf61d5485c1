"""Plan when rounds begin and when they are shown. A round can be planned before or after it is drawn, until it begins.

A premiere is the time from which all matches of a round are shown, all tables at once.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.airing.services import AHEAD_MOST as PREMIERE_AHEAD_MOST
from matches.airing.services import broadcast_announce, broadcast_premiere_allowed, broadcast_premiere_move
from matches.models import Broadcast, Match
from tournaments.errors import TournamentError
from tournaments.hook_events import tournament_rounds_event_publish
from tournaments.models import FINAL, PLAYING, Round, RoundPlan, Tournament, TournamentState
from tournaments.selectors.rounds.plans import AHEAD_MOST, Calendar, round_plan_drawn_at, round_plan_table_places
from tournaments.services.publishing import rounds_publish
from tournaments.services.tournament_chain import tournament_chain_plan_append
from tournaments.services.transitions import tournament_announce_later, tournament_locked

PLACE_MOST: Final = 5000
TO_COME: Final = tuple(
    state for state in TournamentState if state not in (TournamentState.FINISHED, TournamentState.CANCELLED)
)


def round_plan_set(
    *,
    tournament: Tournament,
    stage: int,
    place: int,
    starts_at: datetime | None = None,
    premieres_at: datetime | None = None,
    tempo: str = Broadcast.NONE,
) -> None:
    """Plan the round at ``place`` of the stage with the number ``stage``. The round need not be drawn yet.

    ``place`` counts from 1; ``FINAL`` is the final of a knockout. ``starts_at`` is when the round begins; None means
    the time in the calendar of the tournament. ``premieres_at`` is the time from which the round is shown, at the tempo
    ``tempo``. If it is None, the round is shown as soon as it is played, at the tempo of the tournament. Repeating a
    call changes nothing.

    Raises:
        WrongState: the tournament is over.
        PremiereRefused: the stage, place or tempo is invalid, or a time has passed, is too far away or in the wrong
            order.
        TooLateForPremiere: the round has begun.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *TO_COME)
        chosen = tournament.stages.filter(number=stage).first()
        if chosen is None or not 0 <= place <= PLACE_MOST or (place == FINAL and not chosen.kind.has_bracket):
            raise PremiereRefused("place", _("There is no such round."))
        played = round_plan_drawn_at(chosen, place)
        before = RoundPlan.objects.filter(tournament=tournament, stage=stage, place=place)
        wanted: dict[str, Any] = {
            "starts_at": starts_at,
            "premieres_at": premieres_at,
            "tempo": tempo if premieres_at else "",
        }
        if wanted == (before.values(*wanted).first() or {"starts_at": None, "premieres_at": None, "tempo": ""}):
            return
        _check(wanted, played)
        before.delete()
        if any(wanted.values()):
            RoundPlan.objects.create(tournament=tournament, stage=stage, place=place, **wanted)
        tournament_chain_plan_append(tournament.pk, stage=stage, place=place, **wanted)
        if played is not None:
            rounds_replan(tournament)
            played.refresh_from_db()
            round_plan_premiere_set(played=played, premieres_at=premieres_at, tempo=tempo, is_told=True)
        tournament_announce_later(tournament.pk)


def rounds_replan(tournament: Tournament) -> None:
    """Update the start times of waiting rounds from the calendar and the plans.

    A round that has no reason to wait any more begins with the next sweep. If the setting that the organiser reviews
    rounds has changed, the audience of waiting rounds changes; so it is updated too.
    """
    waiting = list(tournament.rounds.filter(started_at__isnull=True).select_related("stage").order_by("number"))
    published = []
    for stage in dict.fromkeys(played.stage for played in waiting):
        stage.tournament = tournament
        calendar = Calendar(stage)
        mine = [played for played in waiting if played.stage_id == stage.pk]
        before = tournament.rounds.filter(number__lt=mine[0].number).order_by("number").last()
        calendar.due = before.starts_at if before else None
        places = round_plan_table_places(stage)
        for played in mine:
            place, tables = places[played.number]
            due = calendar.starts_at(played.number, calendar.plan(place, tables))
            if due is None and not tournament.has_round_review:
                due = timezone.now()
            if due != played.starts_at:
                Round.objects.filter(pk=played.pk, started_at__isnull=True).update(starts_at=due)
                published.append(played.number)
    if waiting:
        rounds_publish(tournament)
    if published and not tournament.has_round_review:
        tournament_rounds_event_publish(tournament.pk, published)


def _check(wanted: Mapping[str, Any], played: Round | None) -> None:
    starts_at, now = wanted["starts_at"], timezone.now()
    if starts_at is not None and not now < starts_at <= now + AHEAD_MOST:
        sentence = _("A round must begin in the future, at most %(days)d days ahead.")
        raise PremiereRefused("starts_at", sentence % {"days": AHEAD_MOST.days})
    begins = starts_at or (played.starts_at if played else None)
    if wanted["premieres_at"] is not None:
        _premiere_check(wanted["premieres_at"], wanted["tempo"], begins)


class PremiereRefused(TournamentError):
    """The round cannot have this premiere. ``field`` is the field of the form beside which the message is shown."""

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


def round_plan_premiere_set(
    *, played: Round, premieres_at: datetime | None, tempo: str = Broadcast.NONE, is_told: bool = False
) -> None:
    """Show the matches of a round from ``premieres_at`` on, at the tempo ``tempo``. None cancels the premiere.

    A round that has begun keeps its tempo. Its premiere can be moved or cancelled until the premiere begins. If the
    premiere is cancelled after the round has begun, the matches are shown as soon as they are played. Each call
    replaces the values of earlier calls, and repeating a call changes nothing. With ``is_told``, the change is not
    appended to the chain, because the caller has done so already.

    Raises:
        WrongState: the tournament is neither running nor paused.
        PremiereRefused: the time has passed, is too far away or before the round begins, or the tempo is unknown.
        TooLateForPremiere: the round has begun without a premiere, or its premiere has begun.
    """
    with transaction.atomic():
        tournament_locked(played.tournament_id, *PLAYING)
        played.refresh_from_db()
        before = (played.premieres_at, played.tempo)
        if not round_plan_premiere_may_change(played):
            raise TooLateForPremiere(played.number)
        if premieres_at is not None:
            _premiere_check(premieres_at, None if played.started_at else tempo, played.starts_at)
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
            broadcast_premiere_move(matches=matches, premieres_at=premieres_at)
        played.refresh_from_db()
        if not is_told and before != (played.premieres_at, played.tempo):
            stage, place = played.stage.number, round_plan_table_places(played.stage)[played.number][0]
            plans = RoundPlan.objects.filter(tournament=played.tournament_id, stage=stage, place=place)
            plans.update(premieres_at=played.premieres_at, tempo=played.tempo)
            tournament_chain_plan_append(
                played.tournament_id,
                stage=stage,
                place=place,
                starts_at=played.starts_at,
                premieres_at=played.premieres_at,
                tempo=played.tempo,
            )
        tournament_announce_later(played.tournament_id)


def _premiere_check(premieres_at: datetime, tempo: str | None, starts_at: datetime | None) -> None:
    """Check the time and the tempo of a premiere.

    For a round that has begun, ``tempo`` must be None, and only the time is checked.

    Raises:
        PremiereRefused: see ``round_plan_premiere_set``.
    """
    if not broadcast_premiere_allowed(premieres_at=premieres_at):
        sentence = _("A premiere must be in the future, at most %(days)d days ahead.") % {
            "days": PREMIERE_AHEAD_MOST.days
        }
        raise PremiereRefused("premieres_at", sentence)
    if tempo is not None and starts_at is not None and premieres_at < starts_at:
        raise PremiereRefused("premieres_at", _("The round begins later than that: choose a time after its beginning."))
    if tempo is not None and (tempo not in Broadcast.values or not tempo):
        raise PremiereRefused("tempo", _("Choose how the matches are broadcast."))


def round_plan_premiere_may_change(played: Round) -> bool:
    """Return whether the premiere of the round can be set or changed."""
    return (
        played.tournament.state in PLAYING
        and Round.objects.filter(Q(started_at__isnull=True) | Q(premieres_at__gt=timezone.now()), pk=played.pk).exists()
    )
