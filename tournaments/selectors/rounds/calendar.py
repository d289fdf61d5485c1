"""When rounds begin, by what is planned for them and by the calendar of the tournament."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Protocol

from tournaments.models import FINAL, RoundPlan, Stage


class Planned(Protocol):
    """What may have a time of its own."""

    @property
    def starts_at(self) -> datetime | None: ...


class Calendar:
    """What is planned for the rounds of a stage, read once for all that are drawn together."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.tournament = stage.tournament
        last = self.tournament.rounds.order_by("number").last()
        self.due = last.starts_at if last else None  # of the round before

    @cached_property
    def plans(self) -> Mapping[int, RoundPlan]:
        """The plans by place."""
        plans = RoundPlan.objects.filter(tournament=self.stage.tournament_id, stage=self.stage.number)
        return {plan.place: plan for plan in plans}

    def plan(self, place: int, tables: Sequence[Mapping[str, Any]]) -> RoundPlan | None:
        """Return the plan of the ``place``th round, which has these tables."""
        if FINAL in self.plans and self.stage.kind.has_final(tables):
            return self.plans[FINAL]
        return self.plans.get(place)

    def starts_at(self, number: int, plan: Planned | None) -> datetime | None:
        """Return when round ``number`` begins: as planned; else by the tournament's calendar, and not before its
        minutes have gone by since the round before was due. Ask in the order of the rounds."""
        planned = plan.starts_at if plan else None
        by_calendar, before = (self.tournament.round_starts_at(one) for one in (number, number - 1))
        minutes = self.tournament.round_minutes
        if planned is None and by_calendar is not None and self.due is not None and minutes:
            was_late = before is None or self.due > before
            by_calendar = max(by_calendar, self.tournament.minutes_later(self.due, minutes if was_late else 0))
        self.due = planned or by_calendar
        return self.due
