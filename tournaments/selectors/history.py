"""The rounds of a Swiss drawn so far, as the next one is drawn from them."""

from tournaments.facts import contenders_at, past_rounds, results
from tournaments.formats import Contender
from tournaments.models import Stage
from tournaments.selectors.corrections import corrections_of
from tournaments.selectors.results import byes_of, entrants_of
from tournaments.selectors.tables import byes_given, tables_of
from tournaments.standings.results import tallied


def contenders_of(stage: Stage, present: set[int]) -> list[Contender]:
    """What is known of the ``present`` entries from the stage so far. Points are those of the finished matches."""
    entrants, held = entrants_of(stage), corrections_of(stage.tournament)
    tables = tables_of(stage, entrants, annulled=[one for one in entrants.values() if held.annulled(one)])
    played = results(tables, held, stage.players_per_table)
    tallies = tallied(list(entrants.values()), played, byes_of(stage))
    points = {entry: tally.points for entry, tally in tallies.items()}
    rounds = past_rounds(stage.played.values_list("number", flat=True), tables, byes_given(stage))
    return contenders_at(points, rounds, present, stage.players_per_table)
