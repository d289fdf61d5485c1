"""Draw a Swiss round: entrants with equal points meet, and rematches are avoided as far as possible."""

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import Final

from games.contest_luck import contest_luck_lot
from tournaments.formats.pairings import (
    Float,
    PairedBye,
    PairedTable,
    RankedEntrant,
    Rematch,
    RoundPairings,
    SeatAssignment,
)
from tournaments.formats.seating import EntrantsError, Sizes, seating_table_sizes
from tournaments.formats.swiss.pairing_cost import swiss_cost_candidates, swiss_seating_of_least_cost
from tournaments.formats.swiss.search import (
    FEW,
    FROM,
    swiss_cheapest_tables,
    swiss_tables_anneal,
    swiss_tables_cut,
    swiss_tables_improve,
)
from tournaments.formats.swiss.seat_balance import swiss_seats_cap, swiss_seats_level

DRAWS: Final = 12  # shuffles that are tried at most; the first round without rematches is taken


def swiss_round(
    players: Collection[RankedEntrant],
    seats: int,
    smallest: int,
    secret: bytes,
    round_number: int,
    forbidden: Collection[frozenset[int]] = (),
    kin: Collection[frozenset[int]] = (),
    *,
    late: bool = False,
) -> RoundPairings:
    """Return the next round. The order of ``players`` does not matter.

    Score groups are shuffled by lots of the secret, and cut into tables from the top down. Then two players are swapped
    as long as this makes score gaps smaller, avoids a rematch, or avoids a second small table for a player. Avoiding a
    rematch or a second small table is always worth wider score gaps. At tables of five and more, annealing follows.
    With up to ``FEW`` players, all tables are tried instead, and the cheapest ones are taken.

    Two players of a pair in ``forbidden``, or of a group in ``kin``, meet only if no other round is found. To keep them
    apart, any number of rematches is accepted. In a ``late`` round, members of a group also meet if keeping them apart
    would cost more than the score gap of a win. Byes go to the players with the fewest byes so far; among these, to
    those with the lowest scores.

    At last, seats are balanced. The numbers of times that a player has had each seat differ by at most one, if there is
    a player with equal points to swap with (``seat_balance`` says how often there is none). Otherwise they differ by at
    most two. For this, wider score gaps are accepted, but no further rematches; so in rare cases, they differ by three.

    Raises:
        EntrantsError: there are fewer players than ``smallest``.
    """
    sizes = seating_table_sizes(len(players), seats, smallest)
    if sizes is None:
        raise EntrantsError(len(players), smallest)
    best: _Attempt | None = None
    for attempt in range(DRAWS):
        drawn = _Attempt(players, seats, sizes, secret, f"round/{round_number}/{attempt}", forbidden, kin, late)
        if best is None or drawn.cost < best.cost:
            best = drawn
        if best.cost < best.field.repeat or len(players) <= FEW:
            break
    assert best is not None  # noqa: S101  DRAWS is positive
    if seats >= FROM and len(players) > FEW:
        swiss_tables_anneal(best.field, best.tables, contest_luck_lot(secret, f"round/{round_number}/annealing", 0))
    swiss_seats_level(best.field, best.tables)
    swiss_seats_cap(best.field, best.tables)
    return best.explained()


class _Attempt:
    """One shuffle and the resulting tables."""

    def __init__(
        self,
        players: Collection[RankedEntrant],
        seats: int,
        sizes: Sizes,
        secret: bytes,
        purpose: str,
        forbidden: Collection[frozenset[int]],
        kin: Collection[frozenset[int]],
        late: bool,
    ) -> None:
        self.order = sorted(
            players, key=lambda one: (-one.score, contest_luck_lot(secret, purpose, one.entrant), one.entrant)
        )
        self.field = swiss_cost_candidates(self.order, seats, forbidden, kin, late=late)
        everyone = range(len(self.order))
        # Byes go to the players with the fewest byes, then with the lowest score, then with the last lot.
        self.byes = sorted(everyone, key=lambda player: (self.field.byes[player], -player))[: sizes.byes]
        self.start = swiss_tables_cut(
            self.field, [player for player in everyone if player not in self.byes], sizes.tables
        )
        self.tables = [table.copy() for table in self.start]
        swiss_tables_improve(self.field, self.tables)
        self.cost = self.field.total(self.tables)
        if len(self.order) <= FEW:
            self._search(sizes)

    def explained(self) -> RoundPairings:
        avoided = self._avoided()
        tables = sorted(self.tables, key=lambda table: sorted(table))
        return RoundPairings(
            tuple(self._table(table, avoided) for table in tables), tuple(self._bye(player) for player in self.byes)
        )

    def _search(self, sizes: Sizes) -> None:
        found = swiss_cheapest_tables(self.field, sizes, self.cost)
        if found is not None:
            self.tables, self.byes = found
            self.cost = self.field.total(self.tables)

    def _lowest(self, player: int) -> float:
        byes = self.field.byes
        return min(score for other, score in enumerate(self.field.scores) if byes[other] <= byes[player])

    def _bye(self, player: int) -> PairedBye:
        one = self.order[player]
        return PairedBye(one.entrant, one.score, one.byes, self._lowest(player))

    def _avoided(self) -> dict[int, list[Rematch]]:
        """Return the rematches that swaps have avoided, by player. In each, this player comes first.

        These are the rematches at the initial tables of players that do not meet at the final ones.
        """
        table_of = {player: number for number, table in enumerate(self.tables) for player in table}
        avoided: dict[int, list[Rematch]] = {}
        for table in self.start:
            for one, other in self.field.rematches(table):
                if one not in table_of or table_of[one] != table_of.get(other):
                    avoided.setdefault(one, []).append(self._meeting(one, other))
                    avoided.setdefault(other, []).append(self._meeting(other, one))
        return avoided

    def _meeting(self, one: int, other: int) -> Rematch:
        return Rematch(self.order[one].entrant, self.order[other].entrant, self.field.met[one][other])

    def _table(self, table: list[int], avoided: Mapping[int, list[Rematch]]) -> PairedTable:
        scores = [self.field.scores[player] for player in table]
        group = max(scores, key=lambda score: (scores.count(score), score))
        sitting = swiss_seating_of_least_cost(table, [self.order[player].sat for player in table])
        return PairedTable(
            group=group,
            chairs=tuple(_seat_assignment(self.order[player], group) for player in sitting),
            avoided=tuple(meeting for player in sitting for meeting in avoided.get(player, ())),
            repeated=tuple(self._meeting(one, other) for one, other in self.field.rematches(table)),
            despite=tuple((self.order[one].entrant, self.order[other].entrant) for one, other in self._despite(table)),
        )

    def _despite(self, table: list[int]) -> list[tuple[int, int]]:
        """Return the pairs of kin at a table."""
        return [(one, other) for one, other in combinations(table, 2) if other in self.field.kin[one]]


def _seat_assignment(player: RankedEntrant, group: float) -> SeatAssignment:
    step = Float.UP if player.score < group else Float.DOWN if player.score > group else Float.NONE
    return SeatAssignment(player.entrant, player.score, step, player.sat)
