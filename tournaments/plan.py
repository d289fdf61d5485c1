"""What a number of entries will have to play: known before the start, because it depends on no one's name."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tournaments.formats.format import Plan
from tournaments.models import Stage, Tournament

MAX_ENTRIES: Final = 5000


def plan_of(tournament: Tournament, entries: int) -> Plan | None:
    """Return what ``entries`` bots will play in all stages, or None while they do not fill a table of the first."""
    return plan_of_stages(list(tournament.stages.all()), entries)


def plan_of_stage(stage: Stage, entries: int) -> Plan | None:
    """Return what ``entries`` bots will play in one stage, or None while they do not fill a table."""
    return stage.kind.plan(stage.terms, entries)


def plan_of_stages(stages: Sequence[Stage], entries: int) -> Plan | None:
    """Return the same for stages that need not be saved."""
    plans: list[Plan] = []
    for stage in stages:
        plan = plan_of_stage(stage, min(entries, stage.entrants or entries))
        if plan is None:
            break
        plans.append(plan)
    if not plans:
        return None
    return replace(
        plans[0],
        rounds=sum(plan.rounds for plan in plans),
        matches=sum(plan.matches for plan in plans),
        games=sum(plan.games for plan in plans),
        seats=max(stage.players_per_table for stage in stages),
    )
