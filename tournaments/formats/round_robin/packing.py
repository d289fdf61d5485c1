"""Rounds from tables: as few as first-fit finds, nobody twice in one."""

from collections.abc import Sequence

from tournaments.formats.schedule import Round, Seating


def packed(tables: Sequence[Seating]) -> tuple[Round, ...]:
    """Return every table in the first round in which all of its entrants are free; the best of a few orders is kept."""
    strides = (1, 7, 31, 101)
    tries = (
        _first_fit([tables[(start + index) % len(tables)] for index in _stepped(len(tables), stride)])
        for stride in strides
        for start in (0, len(tables) // 2)
    )
    return min(tries, key=len)


def _stepped(count: int, stride: int) -> list[int]:
    return [index for start in range(min(stride, count)) for index in range(start, count, stride)]


def _first_fit(tables: Sequence[Seating]) -> tuple[Round, ...]:
    rounds: list[list[Seating]] = []
    sitting: list[set[int]] = []
    for table in tables:
        number = next((number for number, busy in enumerate(sitting) if busy.isdisjoint(table)), len(rounds))
        if number == len(rounds):
            rounds.append([])
            sitting.append(set())
        rounds[number].append(table)
        sitting[number].update(table)
    return tuple(tuple(one) for one in rounds)
