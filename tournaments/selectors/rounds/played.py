"""The rounds of a stage for two that are over, as FIDE's rules and its report file see them."""

from math import inf

from tournaments.facts import rounds_played
from tournaments.models import Stage
from tournaments.selectors.rounds.knockout import byes_of
from tournaments.selectors.rounds.tables import tables_of
from tournaments.selectors.rulings.corrections import corrections_of
from tournaments.selectors.standings.results import entrants_of
from tournaments.standings import Corrections
from tournaments.trf import RoundPlayed


def rounds_played_of(stage: Stage, before: float = inf, held: Corrections | None = None) -> list[RoundPlayed]:
    """Return every round, or those ``before`` one, up to the first with a match that is not decided; see
    ``facts.rounds_played``. ``held``: as if the rulings were these instead of those that were made."""
    held = corrections_of(stage.tournament) if held is None else held
    tables = [table for table in tables_of(stage, entrants_of(stage), held=held) if table.match not in held.undone]
    rounds = [number for number in stage.played.values_list("number", flat=True) if number < before]
    return rounds_played(rounds, tables, byes_of(stage, held), held)
