"""What was ruled of matches after they were played, which counts instead of what was played."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias


class Ruled(StrEnum):
    """Of these only a replaced match counts; a superseded one lost its place in its contest by another's ruling."""

    VOID = "void"
    REPLAY = "replay"
    REPLACE = "replace"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class MatchRuling:
    """``scores``: with which a replaced match counts, by seat, each 0 to the number of its games."""

    kind: Ruled
    scores: Mapping[int, float] = field(default_factory=dict)

    @property
    def counts(self) -> bool:
        return self.kind is Ruled.REPLACE


# From the names of their contests by match to what was ruled; matches of which nothing was ruled are left out.
Told: TypeAlias = Callable[[Mapping[int, str]], Mapping[int, MatchRuling]]
_TOLD: Final[list[Told]] = []


def rulings_register(told: Told) -> None:
    """Let the pages of bots know what is ruled in a kind of contest. The room that rules calls this once."""
    if told not in _TOLD:
        _TOLD.append(told)


def ruled(contests: Mapping[int, str | None]) -> dict[int, MatchRuling]:
    """Return the rulings that hold, by match; ``contests``: the name of its contest by match, None without one."""
    named = {match: name for match, name in contests.items() if name}
    found: dict[int, MatchRuling] = {}
    for told in _TOLD if named else ():
        found |= told(named)
    return found
