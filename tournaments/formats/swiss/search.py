"""The search for the cheapest tables of a Swiss round.

With few players, all tables are tried. If several rounds are equally cheap, the one is chosen in which most players get
a seat that they want.

With more players, score groups are cut into tables in order. Then players are swapped as long as a swap lowers the
cost. This ends in a local optimum. At tables of two to four, the optimum is close to the best round. At larger tables,
players have many earlier opponents, so most swaps would cause a rematch. Then some swaps must raise the cost before
others can lower it. So at tables of five and more, simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) follows.

The same lot must give the same tables on all machines. So iterations are limited instead of time, random numbers are
read from a stream of SHAKE-256, and the costs and temperatures of the annealing are integers.
"""

from collections.abc import Collection, Sequence
from hashlib import shake_256
from itertools import combinations, groupby, islice
from math import inf, log
from operator import itemgetter
from struct import unpack
from typing import Final

from tournaments.formats.seating import Sizes
from tournaments.formats.swiss.pairing_cost import Candidates, Tables
from tournaments.formats.swiss.seat_balance import swiss_seats_dealt_in_balance, swiss_seats_unmet_at

FEW: Final = 12  # players; so many can form the tables in at most 15,400 ways
SEAT: Final = 1e-6  # the cost of a seat that its player does not want; all other costs are higher


def swiss_cheapest_tables(field: Candidates, sizes: Sizes, known: float = inf) -> tuple[Tables, list[int]] | None:
    """Return the cheapest tables and byes; None if all cost more than ``known``.

    ``known`` is the cost of a round that was found before, with the first choice of byes. Byes go to the players with
    the fewest byes; among these, to those with the lowest scores. A player with a higher score gets the bye only if
    this gives fewer rematches.
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
    """Searches by branch and bound. Each step takes the first player without a table, and tries all companions."""

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
                cost = field.total([table]) + SEAT * swiss_seats_unmet_at(table, field.wishes)
                self.fill(rest, remaining, [*tables, table], spent + cost)


WINDOW: Final = 4  # a swap looks for a partner at so many tables above and below
PASSES: Final = 12
LEAST_GAIN: Final = 1e-9


def swiss_tables_cut(field: Candidates, players: Sequence[int], sizes: Sequence[int]) -> Tables:
    """Cut players into tables, in order.

    Before that, players with equal points are reordered so that the players of a table want different seats. The small
    tables go to the players that have sat at the fewest small tables; among these, to the last in the order.
    """
    large, small = max(sizes), min(sizes)
    seats = small * sum(size < large for size in sizes)
    apart = set(sorted(players, key=lambda player: (field.short[player], -player))[:seats])
    rest = swiss_seats_dealt_in_balance(field, [player for player in players if player not in apart], large)
    tables = [rest[start : start + large] for start in range(0, len(rest), large)]
    lower = sorted(apart)
    tables += [lower[start : start + small] for start in range(0, seats, small)]
    return sorted(tables, key=lambda table: sum(table) / len(table))


def swiss_tables_improve(field: Candidates, tables: Tables) -> None:
    """Swap players between tables, in place, as long as a swap makes the round cheaper.

    Most players look for a partner at the nearest tables only. For a player that would meet an opponent again, the
    number of tables grows with every pass. For a player that would sit at a small table again, all tables are tried.
    """
    todo: Collection[int] = range(len(tables))
    for number in range(PASSES):
        changed: set[int] = set()
        for table in todo:
            for place in range(len(tables[table])):
                other = _swap(field, tables, table, place, number)
                if other is not None:
                    changed |= {table, other}
        if not changed:
            return
        todo = sorted({near for table in changed for near in range(max(0, table - 1), min(len(tables), table + 2))})


def _swap(field: Candidates, tables: Tables, number: int, place: int, passed: int) -> int | None:
    """Make the best swap for one player. Return the number of the other table, or None if no swap lowers the cost."""
    cost, seats = field.cost, field.seats
    table = tables[number]
    player = table[place]
    rest = table[:place] + table[place + 1 :]
    short = len(table) < seats
    now = cost(player, rest, short)
    if now <= LEAST_GAIN:
        return None
    window = WINDOW * (1 + passed) if now >= field.repeat else WINDOW
    if short and field.short[player]:
        window = len(tables)
    best, found = -LEAST_GAIN, None
    for there in range(max(0, number - window), min(len(tables), number + window + 1)):
        if there == number:
            continue
        other_table = tables[there]
        other_short = len(other_table) < seats
        for where, other in enumerate(other_table):
            change = cost(other, rest, short) - now
            if change >= best:
                continue
            others = other_table[:where] + other_table[where + 1 :]
            change += cost(player, others, other_short) - cost(other, others, other_short)
            if change < best:
                best, found = change, (there, where)
    if found is None:
        return None
    there, where = found
    table[place], tables[there][where] = tables[there][where], player
    return there


FROM: Final = 5  # seats at a table from which on annealing is used
ITERATIONS: Final = 850  # iterations for each player
MOST: Final = 300_000  # iterations for all players together, which take half a second of one core
STEPS: Final = 100  # steps in which the temperature falls to 0
EXCHANGE_WINDOW: Final = 10  # the partner for an exchange is drawn from so many tables above and below
SHARE: Final = 2  # the first temperature is the mean cost per player, divided by this
FINE: Final = 1 << 20  # scores are rounded to integers between 0 and this
SCALE: Final = 1024

# 256 equally likely numbers with an exponential distribution, in units of 1/SCALE. An exchange is made if it costs at
# most the temperature times one of these numbers, which is Metropolis' rule. Before rounding, no number is near half an
# integer, so all machines round to the same integers.
WAITS: Final = tuple(round(-SCALE * log((2 * each + 1) / 512)) for each in range(256))


def swiss_tables_anneal(field: Candidates, tables: Tables, seed: bytes) -> None:
    """Exchange players between tables, in place, to make score gaps smaller.

    The same ``seed`` gives the same exchanges. No exchange raises the cost of rematches, second small tables or
    forbidden pairs. Then ``swiss_tables_improve`` is applied. It may raise one of these costs if a higher one falls. If
    the result is not cheaper than before, the tables stay as they were.
    """
    before = field.total(tables)
    spread = field.scores[0] - field.scores[-1]
    if not spread or len(tables) < 2:
        return
    walk = _Walk(field, tables, spread)
    if not walk.heat():
        return
    walk.cool(seed)
    found = walk.found()
    swiss_tables_improve(field, found)
    if field.total(found) < before:
        tables[:] = found


class _Walk:
    """The tables as sets of players, with the sums from which the cost of an exchange is computed."""

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
        """Return the first temperature; 0 if no table has score gaps.

        The temperature is proportional to the squared gaps, because gaps are wider in later rounds.
        """
        gaps = sum(
            len(table) * sum(self.scores[player] ** 2 for player in table) - total**2
            for table, total in zip(self.tables, self.sums, strict=True)
        )
        return gaps // (SHARE * len(self.players))

    def cool(self, seed: bytes) -> None:
        players, scores, table_of, tables, sums = self.players, self.scores, self.table_of, self.tables, self.sums
        barred, count, reach = self.barred, len(players), EXCHANGE_WINDOW * self.field.seats
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
                # The squared gaps at a table of n players add up to n times the sum of the squared scores, minus the
                # square of the sum of the scores.
                rise = scores[other] - scores[one]
                change = 2 * rise * (sums[there] - sums[here] - rise)
                if self.uneven:
                    larger = len(tables[here]) - len(tables[there])
                    change += larger * rise * (scores[one] + scores[other])
                if change * SCALE > temperature * WAITS[luck & 255]:
                    continue
                new_opponents = barred[one].isdisjoint(tables[there]) and barred[other].isdisjoint(tables[here])
                if (new_opponents and not self.uneven) or self._free(one, other, here, there):
                    tables[here].remove(one)
                    tables[here].add(other)
                    tables[there].remove(other)
                    tables[there].add(one)
                    table_of[one], table_of[other] = there, here
                    sums[here] += rise
                    sums[there] -= rise

    def found(self) -> Tables:
        """Return the current tables, the best scores first."""
        return sorted((sorted(table) for table in self.tables), key=lambda table: sum(table) / len(table))

    def _free(self, one: int, other: int, here: int, there: int) -> bool:
        """Return whether an exchange raises only the cost of score gaps, or no cost."""
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
