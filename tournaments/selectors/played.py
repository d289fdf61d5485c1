"""The rounds of a stage for two that are over, as FIDE's rules and its report file see them."""

from tournaments.facts import rounds_played
from tournaments.models import Stage
from tournaments.selectors.corrections import corrections_of
from tournaments.selectors.results import entrants_of
from tournaments.selectors.tables import byes_given, tables_of
from tournaments.trf import RoundPlayed


def rounds_played_of(stage: Stage) -> list[RoundPlayed]:
    """Every round up to the first with a match that is not decided; see ``facts.rounds_played``."""
    tables = tables_of(stage, entrants_of(stage))
    rounds = stage.played.values_list("number", flat=True)
    return rounds_played(rounds, tables, byes_given(stage), corrections_of(stage.tournament))
