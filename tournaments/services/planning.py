"""When rounds begin and are shown: decided before they are drawn or after, until they begin."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.models import Broadcast
from tournaments.hook_events import rounds_notify
from tournaments.models import FINAL, Round, RoundPlan, Tournament, TournamentState
from tournaments.selectors.rounds.plans import AHEAD_MOST, Calendar, places_of, round_at
from tournaments.services.chaining import planned_append
from tournaments.services.premieres import PremiereRefused, premiere_check, round_premiere_set
from tournaments.services.publishing import rounds_publish
from tournaments.services.transitions import announce_later, tournament_locked

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
    """Plan the ``place``th round of the stage of that number, drawn or not: when it begins (None: as the calendar of
    the tournament says), from when on it is shown, and at which ``tempo`` (None: as soon as it is played, at the
    tournament's). ``FINAL`` is the place of a knockout's final. The same plan twice changes nothing.

    Raises:
        WrongState: the tournament is over.
        PremiereRefused: no such round; times that have passed, are too far away or in the wrong order; no such tempo.
        TooLateForPremiere: the round has begun.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *TO_COME)
        chosen = tournament.stages.filter(number=stage).first()
        if chosen is None or not 0 <= place <= PLACE_MOST or (place == FINAL and not chosen.kind.has_bracket):
            raise PremiereRefused("place", _("There is no such round."))
        played = round_at(chosen, place)
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
        planned_append(tournament.pk, stage=stage, place=place, **wanted)
        if played is not None:
            rounds_replan(tournament)
            played.refresh_from_db()
            round_premiere_set(played=played, premieres_at=premieres_at, tempo=tempo, is_told=True)
        announce_later(tournament.pk)


def rounds_replan(tournament: Tournament) -> None:
    """Give the rounds that are drawn and wait the times that the calendar and the plans say now. One that would wait
    for nothing begins with the next sweep; who may look at it follows from whether the organiser is to see it first."""
    waiting = list(tournament.rounds.filter(started_at__isnull=True).select_related("stage").order_by("number"))
    published = []
    for stage in dict.fromkeys(played.stage for played in waiting):
        stage.tournament = tournament
        calendar = Calendar(stage)
        mine = [played for played in waiting if played.stage_id == stage.pk]
        before = tournament.rounds.filter(number__lt=mine[0].number).order_by("number").last()
        calendar.due = before.starts_at if before else None
        places = places_of(stage)
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
        rounds_notify(tournament.pk, published)


def _check(wanted: Mapping[str, Any], played: Round | None) -> None:
    starts_at, now = wanted["starts_at"], timezone.now()
    if starts_at is not None and not now < starts_at <= now + AHEAD_MOST:
        sentence = _("A round begins in the future, at most %(days)d days ahead.")
        raise PremiereRefused("starts_at", sentence % {"days": AHEAD_MOST.days})
    begins = starts_at or (played.starts_at if played else None)
    if wanted["premieres_at"] is not None:
        premiere_check(wanted["premieres_at"], wanted["tempo"], begins)
