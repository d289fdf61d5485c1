"""Balance seats: swap players with equal points between tables, so that nearly everyone can have a seat that it wants.

A player wants the seats after which the numbers of times that it had its most and its least frequent seat differ by at
most one. Everyone at a table gets such a seat if the players can be matched to different seats that they want. The
order of seats at a table is not enough for this: in the fourth round at tables of four, each player has had all seats
but one, and at most at three of ten tables the players would lack different seats. But players with equal points can be
swapped between tables, as long as this causes no rematch.

This does not satisfy everyone. After every k-th round at tables of k, each bot would need the one seat that it lacks.
But among bots with equal points, different numbers lack each seat. It was measured with 1,000 bots how many have seats
that differ by two after such a round: at tables of two to seven, up to 3, 7, 8, 8, 14 and 15 in 100. Nearly all of them
are balanced again after the next round. In fields of 13 to 60 bots, rematches leave less choice: over all rounds, the
seats of 2 to 10 in 100 bots differ by two.

To avoid this too, about 100 of 250 tables of four would have to mix scores, instead of 10. This is not done, because a
match plays every seed in all rotations of its seats: over the games of a match each bot has each seat equally often,
and the order here only decides who begins. But a player's most and least frequent seats should never differ by three,
so players with different scores are swapped to prevent this.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from tournaments.formats.swiss.pairing_cost import Candidates, Tables, Wish

LOOK: Final = 24  # players in order, one of whom becomes the next player of a table
WINDOW: Final = 6  # tables up and down with which equals are swapped
PASSES: Final = 2
LEAST: Final = 1e-9


@cache
def swiss_seats_unmet(wishes: tuple[Wish, ...]) -> int:
    """Return how many players of a table must take a seat that they do not want. ``wishes`` must be sorted, so that the
    cache has few different keys.
    """
    sitting: dict[int, int] = {}

    def place(player: int, tried: set[int]) -> bool:
        for seat in range(wishes[player].bit_length()):
            if wishes[player] >> seat & 1 and seat not in tried:
                tried.add(seat)
                if seat not in sitting or place(sitting[seat], tried):
                    sitting[seat] = player
                    return True
        return False

    return sum(not place(player, set()) for player in range(len(wishes)))


def swiss_seats_dealt_in_balance(field: Candidates, players: Sequence[int], seats: int) -> list[int]:
    """Return ``players`` reordered, so that players at the same table of ``seats`` want different seats as far as
    possible. Only players with equal points change places.
    """
    rest = list(players)
    order: list[int] = []
    wishes: tuple[Wish, ...] = ()
    while rest:
        chosen = _fitting(field, rest, wishes)
        order.append(rest.pop(chosen))
        wishes = (*wishes, field.wishes[order[-1]]) if len(wishes) + 1 < seats else ()
    return order


def swiss_seats_level(field: Candidates, tables: Tables) -> None:
    """Swap players with equal points, in place, while this gives more players a seat that they want, at no cost."""
    lack = [swiss_seats_unmet_at(table, field.wishes) for table in tables]
    for _ in range(PASSES):
        relieved = [_relieve(field, tables, lack, number) for number in range(len(tables)) if lack[number]]
        if not any(relieved):
            return


def swiss_seats_cap(field: Candidates, tables: Tables) -> None:
    """Swap players, in place, wherever the seats of a player would differ by three.

    Each swap is the cheapest one that does not raise the cost of rematches.
    """
    for number, table in enumerate(tables):
        while swiss_seats_unmet_at(table, field.limits) and _seat_exchange_make(field, tables, number):
            pass


def swiss_seats_unmet_at(table: Sequence[int], demands: Sequence[Wish], out: int = -1, instead: Wish = 0) -> int:
    """Return how many players of a table must take a seat that is not in their demands. ``instead`` replaces the
    demands of the player ``out``.
    """
    seats = (1 << len(table)) - 1
    return swiss_seats_unmet(tuple(sorted((instead if player == out else demands[player]) & seats for player in table)))


def _fitting(field: Candidates, rest: Sequence[int], wishes: tuple[Wish, ...]) -> int:
    if wishes:
        score = field.scores[rest[0]]
        for index, player in enumerate(rest[:LOOK]):
            if field.scores[player] != score:
                break
            if not swiss_seats_unmet(tuple(sorted((*wishes, field.wishes[player])))):
                return index
    return 0


def _relieve(field: Candidates, tables: Tables, lack: list[int], number: int) -> bool:
    """Make the first exchange after which fewer wishes of the two tables are unmet. Return False if there is none."""
    table, wishes, scores = tables[number], field.wishes, field.scores
    helped: dict[
        tuple[float, Wish], list[tuple[int, int]]
    ] = {}  # the places from which to exchange, and the unmet wishes afterwards
    for there in _tables_nearby(tables, number):
        other_table = tables[there]
        for where, other in enumerate(other_table):
            key = scores[other], wishes[other]
            if key not in helped:
                helped[key] = _seat_exchange_places(field, table, *key, lack[number])
            for place, left in helped[key]:
                player = table[place]
                theirs = swiss_seats_unmet_at(other_table, wishes, other, wishes[player])
                if left + theirs >= lack[number] + lack[there]:
                    continue
                if _change(field, table, player, other_table, other) > LEAST:
                    continue
                table[place], other_table[where] = other, player
                lack[number], lack[there] = left, theirs
                return True
    return False


def _tables_nearby(tables: Tables, number: int) -> Iterator[int]:
    """Yield the numbers of tables of the same size, the nearest first."""
    size = len(tables[number])
    for away in range(1, WINDOW + 1):
        for there in (number - away, number + away):
            if 0 <= there < len(tables) and len(tables[there]) == size:
                yield there


def _seat_exchange_places(
    field: Candidates, table: Sequence[int], score: float, want: Wish, lack: int
) -> list[tuple[int, int]]:
    """Return the places from which a player can be exchanged for a player with the same ``score`` and the wish
    ``want``, so that less than ``lack`` wishes of the table are unmet; each with the number of wishes that are then
    unmet.
    """
    found = []
    for place, player in enumerate(table):
        if field.scores[player] == score and field.wishes[player] != want:
            left = swiss_seats_unmet_at(table, field.wishes, player, want)
            if left < lack:
                found.append((place, left))
    return found


def _seat_exchange_make(field: Candidates, tables: Tables, number: int) -> bool:
    """Make the cheapest exchange after which fewer players of both tables are beyond their limits. Return False if
    there is none.
    """
    table, limits = tables[number], field.limits
    lack = swiss_seats_unmet_at(table, limits)
    least, found = field.repeat, None
    for other_table in tables:
        if other_table is table:
            continue
        for where, other in enumerate(other_table):
            for place, player in enumerate(table):
                if limits[player] == limits[other] and len(table) == len(other_table):
                    continue
                change = _change(field, table, player, other_table, other)
                if change >= least or _is_exchange_costlier(field, table, player, other_table, other):
                    continue
                theirs = swiss_seats_unmet_at(other_table, limits, other, limits[player]) - swiss_seats_unmet_at(
                    other_table, limits
                )
                if swiss_seats_unmet_at(table, limits, player, limits[other]) + theirs < lack:
                    least, found = change, (place, other_table, where)
    if found is None:
        return False
    place, other_table, where = found
    table[place], other_table[where] = other_table[where], table[place]
    return True


def _change(field: Candidates, table: Sequence[int], player: int, other_table: Sequence[int], other: int) -> float:
    """Return the change of the cost by an exchange of two players."""
    here = _table_without(player, table), len(table) < field.seats
    there = _table_without(other, other_table), len(other_table) < field.seats
    return field.cost(other, *here) + field.cost(player, *there) - field.cost(player, *here) - field.cost(other, *there)


def _is_exchange_costlier(
    field: Candidates, table: Sequence[int], player: int, other_table: Sequence[int], other: int
) -> bool:
    """Return whether an exchange of two players raises the cost of rematches."""
    here, there = _table_without(player, table), _table_without(other, other_table)
    before = field.meetings(player, here) + field.meetings(other, there)
    return field.meetings(other, here) + field.meetings(player, there) > before


def _table_without(player: int, table: Sequence[int]) -> list[int]:
    return [one for one in table if one != player]
