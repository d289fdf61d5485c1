"""Kinds of contests: what the rooms above have matches played for."""

from dataclasses import dataclass

from matches.models import Match


@dataclass(frozen=True, slots=True)
class ContestKind:
    """A kind of contest. The room whose contests these are has it as a constant.

    The task ``finished_task`` is sent with a match's id once results of a contest are committed. A contest that
    ``is_quiet`` plays so many matches that it sends no webhook events.
    """

    name: str  # letters only
    finished_task: str
    is_quiet: bool = False

    def numbered(self, number: int) -> "ContestKey":
        """Return the contest whose row in its room has the primary key ``number``."""
        return ContestKey(self, number)

    def includes(self, match: Match) -> bool:
        """Tell whether ``match`` belongs to a contest of this kind; asks the database nothing."""
        return self.number_of(match) is not None

    def number_of(self, match: Match) -> int | None:
        """Return the primary key of the contest of this kind that ``match`` belongs to; None if it belongs to none."""
        name, _, number = (match.contest_id or "").partition(".")
        return int(number) if name == self.name else None


@dataclass(frozen=True, slots=True)
class ContestKey:
    """One contest."""

    kind: ContestKind
    number: int

    def __str__(self) -> str:
        """Return its name among all contests, such as ``tournament.5``."""
        return f"{self.kind.name}.{self.number}"
