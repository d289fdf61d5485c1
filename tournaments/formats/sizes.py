"""How many sit at each table when the entrants do not divide."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """``tables``: seats at each, the largest first, at most one apart where possible. ``byes``: who finds no seat."""

    tables: tuple[int, ...]
    byes: int


def smallest_table(seats: int) -> int:
    """Return the fewest a Swiss for tables of ``seats`` puts at one: more than half of a full one."""
    return seats // 2 + 1


def table_sizes(entrants: int, seats: int, smallest: int) -> Sizes | None:
    """Return the sizes with as few byes as possible, then as few tables, then as equal ones; None while not one table
    can be filled.

    With the smallest size that ``smallest_table`` gives, an odd number of seats (above two) never needs a bye, four
    seats need one for five entrants only, and six for seven only.
    """
    for byes in range(min(smallest, entrants - smallest + 1)):
        tables = -(-(entrants - byes) // seats)
        least, larger = divmod(entrants - byes, tables)
        if least >= smallest:
            return Sizes((least + 1,) * larger + (least,) * (tables - larger), byes)
    return None
