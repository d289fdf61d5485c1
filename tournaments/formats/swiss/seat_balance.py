"""Balance seats: swap players with equal points between tables, so that nearly every player can have a seat it wants.

The spread of a player is the difference between the numbers of times that it has had its most and its least frequent
seat. A player wants the seats after which its spread is at most one. All players of a table get a wanted seat if they
can be matched to different seats. Reordering the seats of a table is not enough for this. E.g. in the fourth round at
tables of four, each player has had all seats but one, and at most three of ten tables have players that all lack
different seats. But players with equal points can be swapped between tables, as long as this causes no rematch.

This does not satisfy everyone. In every k-th round at tables of k, each bot needs the one seat that it lacks, but among
bots with equal points some seats are lacking more often than others. With 1,000 bots, it was measured how many have a
spread of two after such a round: at tables of two to seven, up to 3, 7, 8, 8, 14 and 15 in 100. After the next round,
nearly all of them are balanced again. In fields of 13 to 60 bots, rematches leave less choice: over all rounds, 2 to 10
in 100 bots have a spread of two.

To avoid these spreads too, about 100 of 250 tables of four would have to mix scores, instead of 10. This is not done,
because it would gain little: a match plays each seed in all rotations of its seats, so each bot has each seat equally
often within a match, and the order of seats decides only who begins. A spread of three is avoided nevertheless, by
swaps of players with different scores.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from tournaments.formats.swiss.pairing_cost import Candidates, Tables, Wish

LOOK: Final = 24  # the next player of a table is one of the first so many remaining players
WINDOW: Final = 6  # players with equal points are swapped with so many tables above and below
PASSES: Final = 2
LEAST: Final = 1e-9


@cache
def swiss_seats_unmet(wishes: tuple[Wish, ...]) -> int:
    """Return how many players of a table must take a seat that they do not want.

    ``wishes`` must be sorted. Then the same wishes in another order have the same key in the cache.
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
    """Return ``players`` in an order in which the players of a table want different seats as far as possible.

    A table has ``seats`` seats. Only players with equal points change places.
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
    """Swap players with equal points, in place, while more players get a wanted seat and the round costs no more."""
    lack = [swiss_seats_unmet_at(table, field.wishes) for table in tables]
    for _ in range(PASSES):
        relieved = [_relieve(field, tables, lack, number) for number in range(len(tables)) if lack[number]]
        if not any(relieved):
            return


def swiss_seats_cap(field: Candidates, tables: Tables) -> None:
    """Swap players, in place, wherever a player would have a spread of three.

    Each swap is the cheapest one that does not raise the cost of rematches.
    """
    for number, table in enumerate(tables):
        while swiss_seats_unmet_at(table, field.limits) and _seat_exchange_make(field, tables, number):
            pass


def swiss_seats_unmet_at(table: Sequence[int], demands: Sequence[Wish], out: int = -1, instead: Wish = 0) -> int:
    """Return how many players of a table must take a seat that is not in their demands.

    ``demands`` has the seats that each player demands. For the player ``out``, ``instead`` is used in its place.
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
    """Make the first exchange after which fewer players of both tables lack a wanted seat. Return whether there is one.

    ``lack`` has, for each table, how many players lack a wanted seat. ``number`` is the number of one table.
    """
    table, wishes, scores = tables[number], field.wishes, field.scores
    helped: dict[
        tuple[float, Wish], list[tuple[int, int]]
    ] = {}  # by score and wish of the other player: the places at this table, and how many lack a seat afterwards
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
    """Return the places of a table at which an exchange helps.

    The player at the place is exchanged for another player with the same ``score`` and the wish ``want``. The exchange
    helps if fewer than ``lack`` players of the table then lack a wanted seat. Each place comes with this number.
    """
    found = []
    for place, player in enumerate(table):
        if field.scores[player] == score and field.wishes[player] != want:
            left = swiss_seats_unmet_at(table, field.wishes, player, want)
            if left < lack:
                found.append((place, left))
    return found


def _seat_exchange_make(field: Candidates, tables: Tables, number: int) -> bool:
    """Make the cheapest exchange after which fewer players of both tables have a spread of three.

    Return False if there is none.
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
    """Return by how much an exchange of two players raises the cost of the round."""
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
