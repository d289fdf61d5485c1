"""A finished game: its result, and the log of each seat."""

from collections import Counter
from dataclasses import dataclass
from math import ceil, log2
from typing import Final

from games.explanation import MoveExplanation
from games.record import Record
from matches.referee.bot_fault import OUTPUT_KEPT, SeatFault, storable

SHORTEST: Final = 1e-5  # seconds: the upper end of the first bucket
PER_OCTAVE: Final = 8  # buckets: each is 9 % longer than the one before
EXPLAINED_MOST: Final = 32 * 1024  # bytes of a game


class GameLog:
    """A seat's log of one game.

    ``chunks`` are what it printed, each with the number of actions of all players before it: the end of it, without the
    first ``cut`` characters. ``times`` counts its actions by the bucket of the processor time that they took,
    ``slowest`` is the longest in seconds and ``slowest_at`` the number of actions of all players before that one.
    ``notes`` are what it said of its actions, the first ``EXPLAINED_MOST`` bytes, each with the actions before it.
    """

    __slots__ = ("chunks", "cut", "explained", "kept", "notes", "slowest", "slowest_at", "times")

    def __init__(self) -> None:
        self.chunks: list[tuple[int, str]] = []
        self.cut = 0
        self.kept = 0  # characters
        self.times: Counter[int] = Counter()
        self.slowest = 0.0
        self.slowest_at = 0
        self.notes: list[tuple[int, MoveExplanation]] = []
        self.explained = 0  # bytes

    @property
    def text(self) -> str:
        """All that is kept of what it printed."""
        return "".join(text for _played, text in self.chunks)

    def took(self, played: int, seconds: float) -> None:
        """Note the processor time of the action after ``played`` others."""
        self.times[bucket_of(seconds)] += 1
        if seconds > self.slowest:
            self.slowest, self.slowest_at = seconds, played

    def explains(self, played: int, explanation: MoveExplanation) -> None:
        """Note what the bot said of the action after ``played`` others."""
        self.explained += explanation.size
        if self.explained <= EXPLAINED_MOST:
            self.notes.append((played, explanation))

    def prints(self, played: int, output: str) -> None:
        """Note what the bot printed, for the action after ``played`` others."""
        if not output:
            return
        text = storable(output[-OUTPUT_KEPT:], OUTPUT_KEPT)
        self.cut += len(output) - len(text)
        self.kept += len(text)
        self.chunks.append((played, text))
        while (over := self.kept - OUTPUT_KEPT) > 0:
            first, oldest = self.chunks[0]
            dropped = min(over, len(oldest))
            self.chunks[:1] = [(first, oldest[dropped:])] if dropped < len(oldest) else []
            self.kept -= dropped
            self.cut += dropped


def bucket_of(seconds: float) -> int:
    """Return the bucket of a time: bucket n holds times up to ``bucket_end(n)`` seconds that no earlier one holds."""
    return 0 if seconds <= SHORTEST else ceil(PER_OCTAVE * log2(seconds / SHORTEST) - 1e-9)


def bucket_end(bucket: int) -> float:
    """Return the longest time in the bucket, in seconds."""
    return float(SHORTEST * 2 ** (bucket / PER_OCTAVE))


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game; all but the record is by match seat. ``places`` are those after forfeits, times are seconds."""

    index: int
    record: Record
    points: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    tie_break: str
    faults: tuple[SeatFault, ...]  # by seat, one each at most
    cpu: tuple[float, ...]
    slowest: tuple[float, ...]
    printed: tuple[str, ...]
    logs: tuple[GameLog, ...] = ()  # of a game that was played here
    luck: float = 0.0  # of the first seat, as a share; set only where the series' rule subtracts it
