"""Tables of five and more: simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) after the swaps.

Swaps that each gain something stop at tables that no single swap makes better. At tables of two to four these are close
to the best; at larger ones every player has so many earlier opponents that most swaps are blocked, and some have to
cost something before others gain.

Whoever knows the lot must come to the same tables on any machine: iterations are counted instead of time, chance is
read from a stream of SHAKE-256, and costs and temperatures are whole numbers.
"""

from hashlib import shake_256
from itertools import islice
from math import log
from struct import unpack
from typing import Final

from tournaments.formats.swiss.pairing_cost import Candidates, Tables
from tournaments.formats.swiss.swaps import improve

FROM: Final = 5  # seats
ITERATIONS: Final = 850  # for each player,
MOST: Final = 300_000  # for all together: half a second of one core
STEPS: Final = 100  # of the temperature, down to nothing
WINDOW: Final = 10  # tables up and down in which a partner for an exchange is drawn
SHARE: Final = 2  # it begins with one part in so many of what a player costs on average
FINE: Final = 1 << 20  # scores are rounded to one part in so many of the field's spread
SCALE: Final = 1024

# Exponential waiting times in units of 1/SCALE, each as likely: an exchange that costs less than the temperature times
# one of them is made, which is Metropolis' rule. None lies near a half, so every machine rounds them alike.
WAITS: Final = tuple(round(-SCALE * log((2 * each + 1) / 512)) for each in range(256))


def anneal(field: Candidates, tables: Tables, seed: bytes) -> None:
    """Exchange players between tables, in place, so that score gaps become smaller; the same ``seed`` makes the same
    exchanges. No exchange makes rematches, second short tables or forbidden pairs weigh more than before; those of
    ``improve``, which follow, may take the lesser of these for the greater. Tables that would cost more than before are
    left as they were."""
    before = field.total(tables)
    spread = field.scores[0] - field.scores[-1]
    if not spread or len(tables) < 2:
        return
    walk = _Walk(field, tables, spread)
    if not walk.heat():
        return
    walk.cool(seed)
    found = walk.found()
    improve(field, found)
    if field.total(found) < before:
        tables[:] = found


class _Walk:
    """Tables as sets of players, and what an exchange of two costs."""

    def __init__(self, field: Candidates, tables: Tables, spread: float) -> None:
        self.field = field
        self.scores = [round((score - field.scores[-1]) / spread * FINE) for score in field.scores]
        self.tables = [set(table) for table in tables]
        self.short = [len(table) < field.seats for table in tables]
        self.uneven = len({len(table) for table in tables}) > 1
        self.sums = [sum(self.scores[player] for player in table) for table in tables]
        self.table_of = {player: number for number, table in enumerate(tables) for player in table}
        self.players = sorted(self.table_of)
        self.barred = [frozenset(met).union(apart) for met, apart in zip(field.met, field.apart, strict=True)]

    def heat(self) -> int:
        """Return the temperature to begin with: in proportion to the squares of the gaps, so that it means the same in
        a field's first rounds and in its last. Nothing if no table has any.
        """
        gaps = sum(
            len(table) * sum(self.scores[player] ** 2 for player in table) - total**2
            for table, total in zip(self.tables, self.sums, strict=True)
        )
        return gaps // (SHARE * len(self.players))

    def cool(self, seed: bytes) -> None:
        players, scores, table_of, tables, sums = self.players, self.scores, self.table_of, self.tables, self.sums
        barred, count, reach = self.barred, len(players), WINDOW * self.field.seats
        each = min(MOST, ITERATIONS * count) // STEPS
        heat, stream = self.heat(), shake_256(seed)
        draws = unpack(f"<{3 * each * STEPS}H", stream.digest(6 * each * STEPS))
        chances = zip(draws[::3], draws[1::3], draws[2::3], strict=True)
        for step in range(STEPS):
            temperature = heat * (STEPS - step) ** 2 // STEPS**2
            for who, partner, luck in islice(chances, each):
                first = who * count >> 16
                second = first + (partner * (2 * reach + 1) >> 16) - reach
                if not 0 <= second < count:
                    continue
                one, other = players[first], players[second]
                here, there = table_of[one], table_of[other]
                if here == there:
                    continue
                # The squares of the gaps at a table of n add up to n times the sum of squares less the sum squared.
                rise = scores[other] - scores[one]
                change = 2 * rise * (sums[there] - sums[here] - rise)
                if self.uneven:
                    larger = len(tables[here]) - len(tables[there])
                    change += larger * rise * (scores[one] + scores[other])
                if change * SCALE > temperature * WAITS[luck & 255]:
                    continue
                strangers = barred[one].isdisjoint(tables[there]) and barred[other].isdisjoint(tables[here])
                if (strangers and not self.uneven) or self._free(one, other, here, there):
                    tables[here].remove(one)
                    tables[here].add(other)
                    tables[there].remove(other)
                    tables[there].add(one)
                    table_of[one], table_of[other] = there, here
                    sums[here] += rise
                    sums[there] -= rise

    def found(self) -> Tables:
        """Return the tables as they stand, the best scores first."""
        return sorted((sorted(table) for table in self.tables), key=lambda table: sum(table) / len(table))

    def _free(self, one: int, other: int, here: int, there: int) -> bool:
        """Tell whether an exchange makes nothing but gaps weigh more."""
        mine, theirs = self.tables[here], self.tables[there]
        field = self.field
        if self.short[here] != self.short[there]:
            leaves, comes = (one, other) if self.short[here] else (other, one)
            if field.short[comes] > field.short[leaves]:
                return False
        rest, others = mine - {one}, theirs - {other}
        if len(field.apart[one] & others) + len(field.apart[other] & rest) > len(field.apart[one] & rest) + len(
            field.apart[other] & others
        ):
            return False
        now = field.meetings(one, rest) + field.meetings(other, others)
        return field.meetings(one, others) + field.meetings(other, rest) <= now
