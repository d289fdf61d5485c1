"""Kinds of contests for which matches are played, such as tournaments and leagues. The rooms above register them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from matches.models import Match


@dataclass(frozen=True, slots=True)
class ContestKind:
    """A kind of contest. The room of these contests has it as a constant.

    After results of a contest are committed, the task ``finished_task`` is sent with the id of a match. A contest that
    ``is_quiet`` plays very many matches, so it sends no webhook events.
    """

    name: str  # letters only
    finished_task: str
    is_quiet: bool = False

    def numbered(self, number: int) -> "ContestKey":
        """Return the contest of this kind whose primary key is ``number``."""
        return ContestKey(self, number)

    def includes(self, match: Match) -> bool:
        """Return whether ``match`` belongs to a contest of this kind. Makes no query."""
        return self.number_of(match) is not None

    def number_of(self, match: Match) -> int | None:
        """Return the primary key of the match's contest if the contest is of this kind; otherwise None."""
        name, number = _parts(match)
        return number if name == self.name else None


@dataclass(frozen=True, slots=True)
class ContestKey:
    """Identifies one contest: its kind and its primary key."""

    kind: ContestKind
    number: int

    def __str__(self) -> str:
        """Return the name of the contest, which no contest of another kind has: e.g. ``tournament.5``."""
        return f"{self.kind.name}.{self.number}"


class ContestTitle(NamedTuple):
    """The name of a contest and the address of its page."""

    name: str
    address: str


Titles = Callable[[Collection[int]], Mapping[int, ContestTitle]]

_titles: dict[str, Titles] = {}


def match_contest_titles_register(kind: ContestKind, titles: Titles) -> None:
    """Let lists of matches name the contests of ``kind``.

    ``titles`` takes primary keys of contests, and makes one query.
    """
    _titles[kind.name] = titles


def match_contest_titles(matches: Iterable[Match]) -> dict[int, ContestTitle]:
    """Return the title of each match's contest, by the primary key of the match. One query for each kind.

    Matches are left out if they have no contest, or if no room has registered titles for its kind. A reader who may see
    a match may see the title of its contest.
    """
    numbers: dict[str, dict[int, int]] = defaultdict(dict)
    for match in matches:
        kind, number = _parts(match)
        if kind in _titles:
            numbers[kind][match.pk] = number
    found: dict[int, ContestTitle] = {}
    for kind, by_match in numbers.items():
        titles = _titles[kind](set(by_match.values()))
        found |= {pk: titles[number] for pk, number in by_match.items() if number in titles}
    return found


def _parts(match: Match) -> tuple[str, int]:
    """Return the name of the contest's kind and the contest's primary key; "" and 0 if the match has no contest."""
    kind, _, number = (match.contest_id or "").partition(".")
    return kind, int(number or 0)
