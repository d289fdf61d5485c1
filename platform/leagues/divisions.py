"""Who plays in which division of the next season: promotion and relegation, which never part bots of one rank.

Divisions are numbered from 1, the strongest. At each border, from the top:

- As many bots go up as the organiser wants to move, and one more for each free place of the upper division.
- Then as many go down as are too many there. Nobody goes down without somebody who takes the place. If too few can go
  down for a division that has more bots than its size already, fewer go up.
- Only whole ranks move: bots that share a rank cannot be told apart, and go together or not at all.
- Nobody goes farther than one division. Who has not played does not go up; neither does a benched bot, which counts as
  the last of its division.

So a division has from its size to its size and the number of moves, and a rank that is too large to go blocks both ways
until games have told its bots apart. Members leave, and organisers change the number or the size of divisions. A
division that has less than half of its size then, or more than its size and the moves, is cut to its size, in the order
of the ladder, at the border of a rank where one is near enough. The lowest division takes all others and everybody who
is new; where it would have less than half of the size, there is one division fewer.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class DivisionTerms:
    """At most so many divisions, of so many bots each but the lowest; so many ``moves`` up and down at each border."""

    most: int
    size: int
    moves: int

    @property
    def least(self) -> int:
        """How many bots a division has at least."""
        return -(-self.size // 2)

    @property
    def full(self) -> int:
        """How many bots a division has at most."""
        return self.size + self.moves


@dataclass(frozen=True, slots=True)
class DivisionStanding:
    """A bot at the end of a season. ``rank`` in its division, None if it has not played."""

    member: int
    division: int
    rank: int | None
    is_benched: bool = False

    @property
    def shares(self) -> tuple[int, int | None, int | None]:
        """What it has in common with those of its rank, and with nobody else."""
        return self.division, self.rank, self.member if self.is_benched else None

    @property
    def may_rise(self) -> bool:
        return self.rank is not None and not self.is_benched


@dataclass(frozen=True, slots=True)
class DivisionsFormed:
    """The divisions of a season: of each member its own, and the one it came ``from`` as far as there still is one."""

    count: int
    division: dict[int, int]
    before: dict[int, int]


Field: TypeAlias = list[list[DivisionStanding]]


def divisions_formed(
    ladder: Iterable[DivisionStanding], newcomers: Iterable[int], terms: DivisionTerms
) -> DivisionsFormed:
    """Return the divisions of the next season. ``ladder``: who goes on, in the order of the final ladder.

    >>> ladder = [DivisionStanding(member, 1 + member // 4, 1 + member % 4) for member in range(8)]
    >>> divisions_formed(ladder, [8], DivisionTerms(most=2, size=4, moves=1)).division
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
    """Return who goes up and who goes down between two divisions. ``free``: places of the upper one, negative if it has
    too many bots."""
    rising = [one for one in lower if one.may_rise]
    for most in (terms.moves + max(free, 0), terms.moves + free):
        up = _whole(_ranks(rising), most)
        down = _whole(reversed(list(_ranks(upper))), len(up) - free)
        if len(up) - len(down) <= terms.moves + free:
            break
    return up, down


def _ranks(bots: Sequence[DivisionStanding]) -> Iterator[list[DivisionStanding]]:
    """Yield those of each rank."""
    return (list(alike) for _shared, alike in groupby(bots, key=lambda one: one.shares))


def _whole(ranks: Iterable[list[DivisionStanding]], most: int) -> list[DivisionStanding]:
    """Return the bots of the first ranks that are ``most`` at most together."""
    found: list[DivisionStanding] = []
    for alike in ranks:
        if len(found) + len(alike) > most:
            break
        found += alike
    return found


def _cut_to_size(field: Field, terms: DivisionTerms) -> Field:
    """Return the divisions after those that are too small or too large got their size, from the top."""
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
    """Return how many of ``row`` are one division: its size, or where that would part a rank as many more, or else
    fewer, as that takes and a division may have."""
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
