"""What a number of entries will have to play: known before the start, because it depends on no one's name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from tournaments.formats import EntrantsError, round_robin, table_sizes
from tournaments.formats.knockout import EliminationType, Part
from tournaments.formats.knockout import plan_of as plan_of_bracket
from tournaments.models import Format, Stage, Tournament

MAX_ENTRIES: Final = 100


@dataclass(frozen=True, slots=True)
class Plan:
    """``games`` counts every game of every match; ``least`` and ``most``: how often two bots meet in a round robin with
    which it begins."""

    rounds: int
    matches: int
    games: int
    least: int | None = None
    most: int | None = None
    byes: int = 0  # a round
    seats: int = 2  # of the largest table


def plan_of(tournament: Tournament, entries: int) -> Plan | None:
    """What ``entries`` bots will play in all stages, or None while they do not fill a table of the first."""
    return plan_of_stages(list(tournament.stages.all()), entries)


def plan_of_stages(stages: Sequence[Stage], entries: int) -> Plan | None:
    """The same for stages that need not be saved."""
    plans: list[Plan] = []
    for stage in stages:
        plan = stage_plan_of(stage, min(entries, stage.entrants or entries))
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


def stage_plan_of(stage: Stage, entries: int) -> Plan | None:
    """What ``entries`` bots will play (in a Swiss, if none leaves or comes), or None while they do not fill a table."""
    if stage.is_swiss:
        return _plan_of_swiss(stage, entries)
    if stage.is_knockout:
        return _plan_of_knockout(stage, entries)
    shape = _shape(entries, stage.players_per_table)
    if shape is None:
        return None
    rounds, matches, met = shape
    games = matches * stage.blocks * stage.players_per_table
    return Plan(rounds, matches, games, met.start, met.stop - 1)


def _plan_of_swiss(stage: Stage, entries: int) -> Plan | None:
    sizes = table_sizes(entries, stage.players_per_table, stage.smallest_table)
    if sizes is None:
        return None
    games = stage.rounds * sum(sizes.tables) * stage.blocks
    return Plan(stage.rounds, stage.rounds * len(sizes.tables), games, byes=sizes.byes)


def _plan_of_knockout(stage: Stage, entries: int) -> Plan | None:
    """The most there can be: a second grand final is played only if the first one asks for it."""
    if entries < stage.smallest_field:
        return None
    if stage.in_heats:
        return _plan_of_heats(stage, entries)
    kind = EliminationType.DOUBLE if stage.format == Format.DOUBLE_ELIMINATION else EliminationType.SINGLE
    nodes = plan_of_bracket(kind, entries, stage.third_place)
    thirds = sum(node.place.part is Part.THIRD for node in nodes)
    matches = 2 * entries - 1 if kind is EliminationType.DOUBLE else entries - 1 + thirds
    games = matches * stage.blocks * stage.players_per_table
    return Plan(max(node.level for node in nodes), matches, games)


def _plan_of_heats(stage: Stage, entries: int) -> Plan:
    """If nobody leaves."""
    rounds, matches, seats, field = 0, 0, 0, entries
    while sizes := table_sizes(field, stage.players_per_table, stage.smallest_table):
        rounds, matches, seats = rounds + 1, matches + len(sizes.tables), seats + sum(sizes.tables)
        if field <= stage.players_per_table:
            break
        field = len(sizes.tables) * stage.going_on + sizes.byes
    return Plan(rounds, matches, seats * stage.blocks)


@lru_cache(maxsize=256)
def _shape(entries: int, seats: int) -> tuple[int, int, range] | None:
    try:
        schedule = round_robin(range(entries), seats, b"any")
    except EntrantsError:
        return None
    return len(schedule.rounds), sum(map(len, schedule.rounds)), schedule.meetings(range(entries))
