"""When faults cost a bot the whole match, not just the game."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """A bot at fault in more than ``share`` of a match's games, or in ``in_a_row`` one after the other, forfeits it.

    While a match is played its games are those it may have at most; once it is over, those that it had.
    """

    share: Fraction = Fraction(1, 5)
    in_a_row: int = 3


FAULT_POLICY: Final = FaultPolicy()


class FaultCounter:
    """The faults of one seat so far, game by game. A game of a forfeited match counts as one at fault."""

    __slots__ = ("_faults", "_longest", "_policy", "_run")

    def __init__(self, policy: FaultPolicy = FAULT_POLICY) -> None:
        self._policy = policy
        self._faults = self._run = self._longest = 0

    def note(self, *, at_fault: bool) -> None:
        """Count one more game."""
        self._faults += at_fault
        self._run = self._run + 1 if at_fault else 0
        self._longest = max(self._longest, self._run)

    def forfeits(self, games: int) -> bool:
        """Tell whether that is too much for a match of ``games``. Once it is, more games do not mend it."""
        return self._longest >= self._policy.in_a_row or self._faults > self._policy.share * games
