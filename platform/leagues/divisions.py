"""Form the divisions of the next season, with promotion and relegation. Bots that share a rank stay together.

Divisions are numbered from 1, the strongest. The borders between divisions are processed from the top:

- The organiser sets how many bots are promoted, the number of *moves*. One more bot is promoted for each free place in
  the upper division.
- If the upper division then has more bots than its size, its last bots are relegated until it has its size again.
- If it had more bots than its size before, and too few of them can be relegated, fewer bots are promoted into it.
- Only whole ranks move: bots that share a rank cannot be distinguished, so all of them move or none.
- No bot moves by more than one division. Bots that have not played are not promoted. Neither are benched bots, which
  count as the last of their division.

So a division has at least its size, if enough bots can be promoted, and at most its size plus the number of moves. If
the bots of a rank are too many to be promoted together, no bot is promoted past them. If they are too many to be
relegated together, they stay, and later promotions stop when the upper division is full. More games separate them.

Members leave, and organisers change the number or the size of divisions. A division that then has less than half of its
size, or more than its size plus the number of moves, is formed again: it gets as many bots as its size, from its own
bots and those below, in the order of the ladder. ``_end_of_division`` says what happens if this would split a rank. The
lowest division takes all other bots and all new ones. If it would have less than half of its size, there is one
division fewer.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class DivisionTerms:
    """The settings of divisions.

    There are at most ``most`` divisions. Each has about ``size`` bots, except for the lowest. At each border between
    two divisions, ``moves`` bots move up, and about as many move down.
    """

    most: int
    size: int
    moves: int

    @property
    def least(self) -> int:
        """The smallest number of bots that a division keeps. With fewer, it is formed again."""
        return -(-self.size // 2)

    @property
    def full(self) -> int:
        """The largest number of bots that a division keeps. With more, it is formed again."""
        return self.size + self.moves


@dataclass(frozen=True, slots=True)
class DivisionStanding:
    """A bot at the end of a season. ``rank`` is its rank in its division; None if it has not played."""

    member: int
    division: int
    rank: int | None
    is_benched: bool = False

    @property
    def shares(self) -> tuple[int, int | None, int | None]:
        """A key that is equal for bots that share a rank. Each benched bot has a key of its own."""
        return self.division, self.rank, self.member if self.is_benched else None

    @property
    def may_rise(self) -> bool:
        return self.rank is not None and not self.is_benched


@dataclass(frozen=True, slots=True)
class DivisionsFormed:
    """The divisions of a season.

    ``division`` has the new division of each member. ``before`` has the division in which the member was before; if
    that division no longer exists, it has the lowest one.
    """

    count: int
    division: dict[int, int]
    before: dict[int, int]


Field: TypeAlias = list[list[DivisionStanding]]


def league_divisions_formed(
    ladder: Iterable[DivisionStanding], newcomers: Iterable[int], terms: DivisionTerms
) -> DivisionsFormed:
    """Return the divisions of the next season. ``ladder`` has the members that stay, in the order of the final ladder.

    >>> ladder = [DivisionStanding(member, 1 + member // 4, 1 + member % 4) for member in range(8)]
    >>> league_divisions_formed(ladder, [8], DivisionTerms(most=2, size=4, moves=1)).division
    {0: 1, 1: 1, 2: 1, 4: 1, 3: 2, 5: 2, 6: 2, 7: 2, 8: 2}
    """
    ordered = sorted(ladder, key=lambda one: (one.division, one.is_benched, one.rank is None))
    new = [DivisionStanding(member, terms.most, None) for member in newcomers]
    place = {one.member: number for number, one in enumerate([*ordered, *new])}
    for count in range(terms.most, 0, -1):
        field: Field = [[] for _ in range(count)]
        for one in [*ordered, *new]:
            field[min(one.division, count) - 1].append(one)
        before = {one.member: number for number, bots in enumerate(field, start=1) for one in bots}
        field = [sorted(bots, key=lambda one: place[one.member]) for bots in _moved(field, terms)]
        field = _cut_to_size(field, terms)
        if count == 1 or all(len(bots) >= terms.least for bots in field):
            break
    formed = {one.member: number for number, bots in enumerate(field, start=1) for one in bots}
    return DivisionsFormed(count, formed, {one.member: before[one.member] for one in ordered})


def _moved(field: Field, terms: DivisionTerms) -> Field:
    """Return the divisions after promotion and relegation."""
    stay, came = [list(bots) for bots in field], [list[DivisionStanding]() for _ in field]
    for upper, lower in pairwise(range(len(field))):
        free = terms.size - len(stay[upper]) - len(came[upper])
        up, down = _over_border(stay[upper], stay[lower], free, terms)
        gone = {one.member for one in [*up, *down]}
        stay[lower] = [one for one in stay[lower] if one.member not in gone]
        stay[upper] = [one for one in stay[upper] if one.member not in gone]
        came[upper] += up
        came[lower] += down
    return [[*those, *others] for those, others in zip(stay, came, strict=True)]


def _over_border(
    upper: Sequence[DivisionStanding], lower: Sequence[DivisionStanding], free: int, terms: DivisionTerms
) -> tuple[list[DivisionStanding], list[DivisionStanding]]:
    """Return the bots that are promoted and those that are relegated between two divisions.

    ``free`` is the number of free places in the upper division; it is negative if the division has too many bots.
    """
    rising = [one for one in lower if one.may_rise]
    for most in (terms.moves + max(free, 0), terms.moves + free):
        up = _whole_ranks(_ranks(rising), most)
        down = _whole_ranks(reversed(list(_ranks(upper))), len(up) - free)
        if len(up) - len(down) <= terms.moves + free:
            break
    return up, down


def _ranks(bots: Sequence[DivisionStanding]) -> Iterator[list[DivisionStanding]]:
    """Yield the bots of each rank."""
    return (list(alike) for _shared, alike in groupby(bots, key=lambda one: one.shares))


def _whole_ranks(ranks: Iterable[list[DivisionStanding]], most: int) -> list[DivisionStanding]:
    """Return the bots of the first ranks: as many whole ranks as have at most ``most`` bots together."""
    found: list[DivisionStanding] = []
    for alike in ranks:
        if len(found) + len(alike) > most:
            break
        found += alike
    return found


def _cut_to_size(field: Field, terms: DivisionTerms) -> Field:
    """Return the divisions, after those that were too small or too large are formed again. Begin at the top."""
    found = list(field)
    for number in range(len(found) - 1):
        here = found[number]
        if terms.least <= len(here) <= terms.full:
            continue
        row = [*here, *(one for bots in found[number + 1 :] for one in bots)]
        end = _end_of_division(row, terms)
        taken = {one.member for one in row[:end]}
        found[number + 1] = [*here[end:], *found[number + 1]]
        below = [[one for one in bots if one.member not in taken] for bots in found[number + 1 :]]
        found[number:] = [row[:end], *below]
    return found


def _end_of_division(row: Sequence[DivisionStanding], terms: DivisionTerms) -> int:
    """Return how many bots of ``row`` form one division.

    This is ``terms.size``, unless a rank would be split. Then there are three cases, in this order: the division ends
    after this rank, if it then has at most ``terms.full`` bots; it ends before this rank, if it then has at least
    ``terms.least`` bots; otherwise, the rank is split.
    """
    if len(row) <= terms.size:
        return len(row)
    edge = row[terms.size - 1].shares
    start = next(place for place, one in enumerate(row) if one.shares == edge)
    end = terms.size
    while end < len(row) and row[end].shares == edge:
        end += 1
    if end <= terms.full:
        return end
    return start if start >= terms.least else terms.size
