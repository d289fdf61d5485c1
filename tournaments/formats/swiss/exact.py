"""The cheapest tables of a Swiss round for a few players, by trying them all; of equally cheap ones those at which most
get a seat they want."""

from itertools import combinations, groupby
from math import inf
from operator import itemgetter
from typing import Final

from tournaments.formats.sizes import Sizes
from tournaments.formats.swiss.pairing_cost import Candidates, Tables
from tournaments.formats.swiss.seat_balance import unmet_at

FEW: Final = 12  # players: up to here there are at most 15,400 ways to form the tables
SEAT: Final = 1e-6  # for each unwanted seat: less than any cost there is


def cheapest(field: Candidates, sizes: Sizes, known: float = inf) -> tuple[Tables, list[int]] | None:
    """Return tables and byes that cost no more than ``known``, the cost of tables with the first choice of byes, and
    none cost less; None if all cost more.

    Byes go to those who had the fewest, then to the lowest scores; only fewer rematches are worth a higher one.
    """
    players = range(len(field.scores))
    fewest = sorted(field.byes)[sizes.byes - 1] if sizes.byes else 0
    must = {player for player in players if field.byes[player] < fewest}
    may = [player for player in players if field.byes[player] <= fewest]
    choices = sorted(
        (sum(field.scores[player] for player in byes), byes)
        for byes in combinations(may, sizes.byes)
        if must <= set(byes)
    )
    search = _ExactSearch(field, known + SEAT * len(players))
    for _, group in groupby(choices, key=itemgetter(0)):
        for _, byes in group:
            search.byes = list(byes)
            search.fill([player for player in players if player not in byes], list(sizes.tables), [], 0.0)
        search.best = search.best // field.repeat * field.repeat
        if search.best == 0:
            break
    return search.found


class _ExactSearch:
    """Branch and bound: the first player without a table gets one, with every choice of companions."""

    def __init__(self, field: Candidates, known: float) -> None:
        self.field = field
        self.best = known
        self.byes: list[int] = []
        self.found: tuple[Tables, list[int]] | None = None

    def fill(self, left: list[int], sizes: list[int], tables: Tables, spent: float) -> None:
        if spent >= self.best - 1e-9:
            return
        if not left:
            self.best, self.found = spent, (list(tables), self.byes)
            return
        field = self.field
        for size in sorted(set(sizes), reverse=True):
            remaining = sizes.copy()
            remaining.remove(size)
            for companions in combinations(left[1:], size - 1):
                table = [left[0], *companions]
                rest = [player for player in left if player not in table]
                cost = field.total([table]) + SEAT * unmet_at(table, field.wishes)
                self.fill(rest, remaining, [*tables, table], spent + cost)
