"""The rounds of a Swiss drawn so far, as the next one is drawn from them."""

from collections.abc import Collection
from math import inf

from tournaments.facts import contenders_at, past_rounds, results
from tournaments.formats import RankedEntrant
from tournaments.models import Stage
from tournaments.selectors.rounds.tables import byes_given, tables_of
from tournaments.selectors.rulings.corrections import corrections_of
from tournaments.selectors.standings.results import byes_of, entrants_of
from tournaments.standings import Corrections, tallied


def contenders_of(
    stage: Stage, present: Collection[int], before: float = inf, held: Corrections | None = None
) -> list[RankedEntrant]:
    """Return what is known of the ``present`` entries from the stage so far, or from its rounds ``before`` one. Points
    are those of the finished matches. ``held``: as if the rulings were these instead of those that were made."""
    entrants = entrants_of(stage)
    held = corrections_of(stage.tournament) if held is None else held
    tables = tables_of(stage, entrants, annulled=[one for one in entrants.values() if held.annulled(one)], held=held)
    tables = [table for table in tables if table.round < before and table.match not in held.undone]
    played = results(tables, held, stage.players_per_table)
    tallies = tallied(list(entrants.values()), played, [bye for bye in byes_of(stage) if bye.round < before])
    points = {entry: tally.points for entry, tally in tallies.items()}
    numbers = [number for number in stage.played.values_list("number", flat=True) if number < before]
    rounds = past_rounds(numbers, tables, byes_given(stage))
    return contenders_at(points, rounds, present, stage.players_per_table)
