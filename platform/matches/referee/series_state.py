"""How a match stands after each of its games: who has forfeited it, and whether it is over.

A pure function of the games, so that playing and replaying them come to the same end."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from games.record import Record
from matches.referee.bot_fault import FaultCounter
from matches.referee.game_result import GameResult
from matches.referee.rotation import by_seat
from matches.referee.scoring import shares_beaten
from matches.referee.stopping import Sequential, StoppingError, StopReason


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """How a match ended: blocks played, who forfeited it (by seat), and for a sequential series why it ended, with the
    log-likelihood ratio of its rule: by gsprt/1 that the first seat is better, against the second; by gsprt/2 and 3
    that the seat that leads is better, against equal."""

    blocks: int
    forfeited: tuple[bool, ...]
    ending: StopReason | None = None
    ratio: float | None = None


class SeriesState:
    """A match of ``blocks`` blocks, or with ``stopping`` of so many at most, to which games are added one by one.

    The ``forfeited_seats`` have forfeited it before it begins.
    """

    __slots__ = (
        "_block",
        "_blocks",
        "_ending",
        "_fault_counters",
        "_forfeited_seats",
        "_games",
        "_luck",
        "_lucky",
        "_shares",
        "_stopping",
    )

    def __init__(
        self, seats: int, blocks: int, stopping: Sequential | None = None, forfeited_seats: Collection[int] = ()
    ) -> None:
        self._blocks = blocks
        self._stopping = stopping
        self._forfeited_seats = frozenset(forfeited_seats)
        self._fault_counters = [FaultCounter() for _ in range(seats)]
        self._games = 0
        self._block = 0.0  # the first seat's shares of the games of the block being played
        self._lucky = 0.0  # and its luck
        self._shares: list[float] = []  # the same by block, as parts of one
        self._luck: list[float] = []  # its luck by block
        self._ending: StopReason | None = None

    @property
    def over(self) -> bool:
        return self._games == self._blocks * len(self._fault_counters) or self._ending is not None

    @property
    def forfeited(self) -> tuple[bool, ...]:
        """Whose games are no longer its own, by seat."""
        return self._forfeited(self._blocks * len(self._fault_counters))

    def note(self, game: GameResult) -> None:
        """Note that the next game has ended."""
        at_fault = {fault.seat for fault in game.faults}
        for seat, counter in enumerate(self._fault_counters):
            counter.note(at_fault=seat in at_fault)
        self._games += 1
        self._block += float(shares_beaten(game.places)[0])
        self._lucky += game.luck
        if self._games % len(self._fault_counters) == 0:
            self._shares.append(self._block / len(self._fault_counters))
            self._luck.append(self._lucky / len(self._fault_counters))
            self._block = self._lucky = 0.0
            self._ending = self._decided()

    def conclusion(self) -> SeriesResult:
        """Return the end of a match that is over."""
        forfeited = self._forfeited(self._games)
        if self._stopping is None:
            return SeriesResult(len(self._shares), forfeited)
        ending = self._ending or StopReason.UNDECIDED
        return SeriesResult(len(self._shares), forfeited, ending, self._stopping.ratio(self._counted(self._stopping)))

    def _forfeited(self, games: int) -> tuple[bool, ...]:
        return tuple(
            seat in self._forfeited_seats or counter.forfeits(games)
            for seat, counter in enumerate(self._fault_counters)
        )

    def _decided(self) -> StopReason | None:
        if self._stopping is None:
            return None
        return StopReason.FORFEITED if any(self.forfeited) else self._stopping.decision(self._counted(self._stopping))

    def _counted(self, rule: Sequential) -> Sequence[float]:
        return rule.counted(self._shares, self._luck)


def concluded(games: Iterable[GameResult], series: SeriesState) -> SeriesResult:
    """Return the end of a match, from all its games in order; ``series`` is that of its beginning."""
    for game in games:
        series.note(game)
    return series.conclusion()


def luck_of_first(record: Record, index: int, rule: Sequential | None) -> float:
    """Return the luck that the first seat had in game ``index`` of a series, as a share of opponents beaten.

    0 where ``rule`` takes no luck off, or where the value cannot tell it, as of a game that the platform ended.

    Raises:
        StoppingError: the rule's value is none of the game's that are known here.
    """
    if rule is None or not rule.luck_value:
        return 0.0
    from luck import (
        UNIT,
        GameAccount,
        analyse,
        is_known,
        values_of,
    )  # numpy and tables of every turn: most series never need them

    if not is_known(record.ruleset, rule.luck_value):
        raise StoppingError("value", rule.luck_value, ", ".join(values_of(record.ruleset)))
    found = analyse(record, rule.luck_value)
    if not isinstance(found, GameAccount):
        return 0.0
    return by_seat(found.luck, index)[0] / UNIT
