"""Tables of a Swiss round for any number of players: score groups cut in order, then the best swaps."""

from collections.abc import Collection, Sequence
from typing import Final

from tournaments.formats.swiss.pairing_cost import Candidates, Tables
from tournaments.formats.swiss.seat_balance import dealt

WINDOW: Final = 4  # tables up and down in which a partner for a swap is looked for
PASSES: Final = 12
LEAST_GAIN: Final = 1e-9


def cut(field: Candidates, players: Sequence[int], sizes: Sequence[int]) -> Tables:
    """Cut players in order (equals so that they want different seats) into tables. The smaller tables take the lowest
    of those who sat at the fewest such.
    """
    large, small = max(sizes), min(sizes)
    seats = small * sum(size < large for size in sizes)
    apart = set(sorted(players, key=lambda player: (field.short[player], -player))[:seats])
    rest = dealt(field, [player for player in players if player not in apart], large)
    tables = [rest[start : start + large] for start in range(0, len(rest), large)]
    lower = sorted(apart)
    tables += [lower[start : start + small] for start in range(0, seats, small)]
    return sorted(tables, key=lambda table: sum(table) / len(table))


def improve(field: Candidates, tables: Tables) -> None:
    """Swap players between tables, in place, while a swap makes the round cheaper.

    Whoever would meet an opponent again looks further with every pass; whoever sits at a short table again, everywhere.
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
    """Make the best swap for one player; the number of the other table, or None if none gains."""
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
