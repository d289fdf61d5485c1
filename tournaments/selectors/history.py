"""The rounds of a Swiss drawn so far, as the next one is drawn from them."""

from collections import defaultdict
from collections.abc import Mapping

from matches.models import Seat as MatchSeat
from tournaments.formats import Contender, Past, contenders
from tournaments.models import Bye, Stage
from tournaments.selectors.results import byes_of, entrants_of, results_of
from tournaments.standings.results import tallied


def contenders_of(stage: Stage, present: set[int]) -> list[Contender]:
    """What is known of the ``present`` entries from the stage so far. Points are those of the finished matches."""
    entrants = entrants_of(stage)
    tallies = tallied(list(entrants.values()), results_of(stage, entrants), byes_of(stage))
    scores = {entry: tally.points for entry, tally in tallies.items() if entry in present}
    return contenders(scores, _rounds(stage, entrants), stage.players_per_table)


def _rounds(stage: Stage, entrants: Mapping[int, int]) -> list[Past]:
    seats = MatchSeat.objects.filter(match__fixture__round__stage=stage).order_by("index")
    tables: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, table, version in seats.values_list(
        "match__fixture__round__number", "match__fixture__table", "version_id"
    ):
        tables[number][table].append(entrants[version])
    byes = list(Bye.objects.filter(round__stage=stage).values_list("round__number", "entry_id"))
    return [
        Past(
            tuple(tuple(seating) for _, seating in sorted(tables[number].items())),
            tuple(entry for of, entry in byes if of == number),
        )
        for number in stage.played.values_list("number", flat=True)
    ]
