"""Seats at a table of a Swiss round, from the seats each player had before."""

from collections.abc import Sequence

from tournaments.formats.schedule import Seating

UNEVEN = 1000.0  # outweighs the squares of any history


def seated(table: Sequence[int], sat: Sequence[Sequence[int]]) -> Seating:
    """``table`` in seat order; ``sat`` counts, for each of its players in the same order, how often it had each seat.

    Nobody's most and least frequent seats come to differ by more than one if any order of this table allows it, and by
    as little in sum as any order allows if none does; then seats that were rare go first (least squares). The best
    over all orders is found by growing it seat by seat over the sets of players already seated.
    """
    costs = [[_cost(history, seat) for seat in range(len(table))] for history in sat]
    best: dict[int, tuple[float, Seating]] = {0: (0.0, ())}
    for seat in range(len(table)):
        grown: dict[int, tuple[float, Seating]] = {}
        for players, (spent, order) in best.items():
            for player in range(len(table)):
                if players >> player & 1:
                    continue
                cost = spent + costs[player][seat]
                known = grown.get(players | 1 << player)
                if known is None or cost < known[0]:
                    grown[players | 1 << player] = cost, (*order, player)
        best = grown
    ((_, order),) = best.values()
    return tuple(table[player] for player in order)


def _cost(history: Sequence[int], seat: int) -> float:
    after = history[seat] + 1
    least = min((times for number, times in enumerate(history) if number != seat), default=after)
    spread = max(after, *history) - min(least, after)
    return UNEVEN * max(0, spread - 1) + 2 * history[seat] + 1
