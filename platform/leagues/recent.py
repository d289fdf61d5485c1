"""The recent tables of a league, which the next pairings depend on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

IN_A_ROW: Final = 2  # matches of a bot after which it meets somebody else


@dataclass(frozen=True, slots=True)
class Recent:
    """Recent tables: the seats of each author, how often two entries met, and the opponents of each in its last two
    matches."""

    seats: Mapping[int, int] = field(default_factory=dict)
    meetings: Mapping[frozenset[int], int] = field(default_factory=dict)
    last: Mapping[int, tuple[frozenset[int], ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, tables: Iterable[Sequence[int]], authors: Mapping[int, int]) -> Self:
        """Make it from tables of entries, the latest last, and the author of each; entries without an author are
        left out.
        """
        recent = cls()
        for table in tables:
            recent = recent.and_table([one for one in table if one in authors], authors)
        return recent

    def and_table(self, table: Sequence[int], authors: Mapping[int, int]) -> Self:
        """Return it with one table more."""
        seats, meetings, last = dict(self.seats), dict(self.meetings), dict(self.last)
        for place, one in enumerate(table):
            seats[authors[one]] = seats.get(authors[one], 0) + 1
            last[one] = (*last.get(one, ()), frozenset(table) - {one})[-IN_A_ROW:]
            for other in table[:place]:
                pair = frozenset((one, other))
                meetings[pair] = meetings.get(pair, 0) + 1
        return replace(self, seats=seats, meetings=meetings, last=last)

    def in_a_row(self, one: int, other: int) -> bool:
        """Tell whether the two met in each of the last two matches of either."""
        return any(
            len(last) == IN_A_ROW and all(them in table for table in last)
            for last, them in [(self.last.get(one, ()), other), (self.last.get(other, ()), one)]
        )

    def share(self, author: int, authors: int) -> float:
        """Return the seats of ``author`` as a multiple of the fair share among so many ``authors``; 1 is fair."""
        return self.shares([author], authors)[author]

    def shares(self, of: Iterable[int], authors: int) -> dict[int, float]:
        """Return the same of several authors."""
        total = sum(self.seats.values())
        return {author: self.seats.get(author, 0) * authors / total if total else 0.0 for author in of}
