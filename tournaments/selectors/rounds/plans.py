"""The plans of a tournament: when its rounds begin, and which acts happen automatically at a set time.

Rounds are identified by their place in a stage, so a plan can be for a round that is not drawn yet. A round begins at
the time in its plan, or else at the time in the calendar of the tournament.

Each act has the column of its time, and the conditions for which it waits. From these, the sweep finds the acts that
are due, and the timeline finds the acts that are to come. So both follow the same rules.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final, Protocol

from django.db.models import Q, QuerySet
from django.utils import timezone

from tournaments.models import (
    ENTERING,
    FINAL,
    Ceremony,
    Fixture,
    Publication,
    Round,
    RoundPlan,
    Stage,
    Tournament,
    TournamentState,
)
from tournaments.workload import workload_plan_of_stage


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round at a ``place`` of a ``stage``, drawn or not.

    Rounds are numbered through all stages; ``number`` is 0 until the round is drawn. If the round has ``begun``, its
    plan cannot change. Times and tempo are those of the round. If it is not drawn yet, they are those of its plan.
    """

    stage: Stage
    place: int
    number: int
    begun: bool
    starts_at: datetime | None
    premieres_at: datetime | None
    tempo: str

    @property
    def is_final(self) -> bool:
        return self.place == FINAL


def round_plans_of(tournament: Tournament, playing: int | None = None) -> list[PlannedRound]:
    """Return all drawn rounds, and the rounds to come.

    Rounds to come are included if the number of bots determines how many there are. ``playing`` is the number of bots
    that take part, if the caller has counted them already.
    """
    goes_on = any(stage.finished_at is None for stage in tournament.stages.all())
    planned = {(plan.stage, plan.place): plan for plan in tournament.plans.all()} if goes_on else {}
    entries = tournament.entries.filter(is_withdrawn=False).count() if playing is None else playing
    found: list[PlannedRound] = []
    for stage in tournament.stages.all():
        drawn = list(stage.played.order_by("number"))
        places = [place for place, _ in _places(stage, [one.number for one in drawn]).values()]
        found += [_drawn(stage, place, played) for place, played in zip(places, drawn, strict=True)]
        if stage.finished_at is None:
            coming = workload_plan_of_stage(stage, min(entries, stage.entrants or entries))
            before_final = (coming.rounds if coming else 0) - stage.kind.final_rounds
            to_come = [*range(len(drawn) + 1, before_final + 1)]
            to_come += [FINAL] if stage.kind.has_bracket and FINAL not in places else []
            found += [_coming(stage, place, planned.get((stage.number, place))) for place in to_come]
    return found


def round_planned_at(tournament: Tournament, stage: int, place: int) -> PlannedRound | None:
    """Return the round at ``place`` of the stage with the number ``stage``; None if there is none."""
    return next((one for one in round_plans_of(tournament) if (one.stage.number, one.place) == (stage, place)), None)


def round_plan_table_places(stage: Stage) -> dict[int, tuple[int, Sequence[Mapping[str, Any]]]]:
    """Return two values for each drawn round of the stage, by number: its place, and the reasons of its tables.

    The place of a knockout's final is ``FINAL``. Only knockouts have reasons here. Takes at most two queries.
    """
    return _places(stage, list(stage.played.order_by("number").values_list("number", flat=True)))


def _places(stage: Stage, numbers: Sequence[int]) -> dict[int, tuple[int, Sequence[Mapping[str, Any]]]]:
    tables: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
    if stage.kind.has_bracket:
        kept = Fixture.objects.filter(round__stage=stage, reasons__isnull=False)
        for number, reasons in kept.order_by("round__number", "table").values_list("round__number", "reasons"):
            tables[number].append(reasons or {})
    return {
        number: (FINAL if stage.kind.has_final(tables[number]) else place, tables[number])
        for place, number in enumerate(numbers, start=1)
    }


def round_plan_drawn_at(stage: Stage, place: int) -> Round | None:
    """Return the round at a place of the stage; None if it is not drawn. Of two grand finals, return the last."""
    number = max((number for number, (at, _) in round_plan_table_places(stage).items() if at == place), default=None)
    rounds = Round.objects.select_related("tournament", "stage")
    return None if number is None else rounds.get(tournament=stage.tournament_id, number=number)


def _drawn(stage: Stage, place: int, played: Round) -> PlannedRound:
    begins = played.started_at or played.starts_at  # the organiser may start a round early
    begun = played.started_at is not None
    return PlannedRound(stage, place, played.number, begun, begins, played.premieres_at, played.tempo)


def _coming(stage: Stage, place: int, plan: RoundPlan | None) -> PlannedRound:
    if plan is None:
        return PlannedRound(stage, place, 0, False, None, None, "")
    return PlannedRound(stage, place, 0, False, plan.starts_at, plan.premieres_at, plan.tempo)


class Planned(Protocol):
    """A plan that may have a start time."""

    @property
    def starts_at(self) -> datetime | None: ...


class Calendar:
    """The plans for the rounds of a stage, read once for all rounds that are drawn together."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.tournament = stage.tournament
        last = self.tournament.rounds.order_by("number").last()
        self.due = last.starts_at if last else None  # when the round before is due

    @cached_property
    def plans(self) -> Mapping[int, RoundPlan]:
        """The plans by place."""
        plans = RoundPlan.objects.filter(tournament=self.stage.tournament_id, stage=self.stage.number)
        return {plan.place: plan for plan in plans}

    def plan(self, place: int, tables: Sequence[Mapping[str, Any]]) -> RoundPlan | None:
        """Return the plan of the round at ``place``, if there is one. ``tables`` has the reasons of the tables."""
        if FINAL in self.plans and self.stage.kind.has_final(tables):
            return self.plans[FINAL]
        return self.plans.get(place)

    def starts_at(self, number: int, plan: Planned | None) -> datetime | None:
        """Return when round ``number`` begins: at the time in its plan, or else at the time in the calendar.

        Without a plan, a round never begins before the previous round is due. A plan may have moved the previous round
        to a later time than that in the calendar. Then this round begins at least ``round_minutes`` minutes after it.
        Call this method in the order of the rounds.
        """
        planned = plan.starts_at if plan else None
        by_calendar, before = (self.tournament.round_starts_at(one) for one in (number, number - 1))
        minutes = self.tournament.round_minutes
        if planned is None and by_calendar is not None and self.due is not None and minutes:
            was_late = before is None or self.due > before
            by_calendar = max(by_calendar, self.tournament.minutes_later(self.due, minutes if was_late else 0))
        self.due = planned or by_calendar
        return self.due


REMINDED_BEFORE: Final = timedelta(days=1)
AHEAD_MOST: Final = timedelta(days=730)  # the limit for all announced times


@dataclass(frozen=True, slots=True)
class ClockAct:
    """An act on rows of ``model`` at the time in the column ``at``.

    ``to_come`` is the condition under which the act can still happen. When its time has come, the act waits for the
    condition ``ready``. With ``is_due_without``, a row without a time waits only for ``ready``.
    """

    model: Any
    at: str
    to_come: Q
    ready: Q
    is_due_without: bool = False

    def due(self) -> QuerySet[Any]:
        """Return the rows on which the act is due now."""
        has_come = Q(**{f"{self.at}__lte": timezone.now()})
        if self.is_due_without:
            has_come |= Q((self.at, None))
        found: QuerySet[Any] = self.model.objects.filter(self.to_come & self.ready & has_come)
        return found


OPEN: Final = ClockAct(Tournament, "entries_open_at", Q(state=TournamentState.DRAFT), Q())
CLOSE: Final = ClockAct(
    *(Tournament, "entries_close_at", Q(state__in=[TournamentState.DRAFT, TournamentState.OPEN])),
    Q(state=TournamentState.OPEN),
)
START: Final = ClockAct(  # ``Tournament.is_due`` has further conditions
    *(Tournament, "first_round_at", Q(state__in=ENTERING)),
    Q(state__in=[TournamentState.OPEN, TournamentState.LOCKED]),
)
ROUND: Final = ClockAct(
    *(Round, "starts_at", Q(started_at__isnull=True)),
    Q(tournament__state=TournamentState.RUNNING, tournament__has_round_review=False),
)
CEREMONY: Final = ClockAct(
    *(Ceremony, "planned_at", Q(started_at__isnull=True)),
    Q(tournament__state=TournamentState.FINISHED),
)
SOURCES: Final = ClockAct(
    *(Tournament, "sources_at", Q(releases_sources=True, sources_released_at=None, sources_by_hand=False)),
    Q(state=TournamentState.FINISHED, publication=Publication.EVERYONE),
    is_due_without=True,
)


TOURNAMENT_ACTS: Final = {"opens": OPEN, "closes": CLOSE, "starts": START}


def entries_reminder_planned_at(tournament: Tournament) -> datetime | None:
    """Return when people are reminded that entries close.

    These people are members of the group, and followers, who have not entered. Return None if entries have no deadline,
    or if the tournament was created less than a day before the deadline.
    """
    closes = tournament.entries_close_at
    if closes is None:
        return None
    when = closes - REMINDED_BEFORE
    return when if tournament.created_at <= when else None
