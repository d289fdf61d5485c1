"""The rounds of a Swiss drawn so far, as the next one is drawn from them."""

from collections import defaultdict
from collections.abc import Mapping

from matches.models import Seat as MatchSeat
from tournaments.formats import Contender, Past, contenders
from tournaments.models import Bye, Tournament
from tournaments.selectors.results import byes_of, results_of
from tournaments.standings.results import tallied


def contenders_of(tournament: Tournament, entrants: Mapping[int, int], present: set[int]) -> list[Contender]:
    """What is known of the ``present`` entries; ``entrants`` gives the entry of each version, those that left included.

    Points are those of the finished matches.
    """
    tallies = tallied(list(entrants.values()), results_of(tournament, entrants), byes_of(tournament))
    scores = {entry: tally.points for entry, tally in tallies.items() if entry in present}
    return contenders(scores, _rounds(tournament, entrants), tournament.players_per_table)


def _rounds(tournament: Tournament, entrants: Mapping[int, int]) -> list[Past]:
    seats = MatchSeat.objects.filter(match__fixture__tournament=tournament).order_by("index")
    tables: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number, table, version in seats.values_list("match__fixture__round", "match__fixture__table", "version_id"):
        tables[number, table].append(entrants[version])
    byes = list(Bye.objects.filter(tournament=tournament).values_list("round", "entry_id"))
    return [
        Past(
            tuple(tuple(seating) for (of, _), seating in sorted(tables.items()) if of == number),
            tuple(entry for of, entry in byes if of == number),
        )
        for number in range(1, tournament.drawn + 1)
    ]
