"""What a finished game leaves behind."""

from dataclasses import dataclass

from games.record import Record
from matches.referee.bot_fault import SeatFault
from matches.referee.game_log import GameLog


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
    luck: float = 0.0  # of the first seat, as a share; told only where the series' rule takes it off
