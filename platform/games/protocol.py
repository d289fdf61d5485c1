"""Verdicts, faults and limits of bots: the vocabulary that the referee and the cage share."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any, Final, Self

MIB: Final = 1024 * 1024


class Verdict(StrEnum):  # frozen: verdict
    """A fault of a bot. Faults of the platform have no verdict."""

    CRASHED = "crashed"  # the bot raised an exception
    KILLED = "killed"  # the process ended by a signal
    FORBIDDEN_CALL = "forbidden_call"  # the process ended by SIGSYS
    EXITED = "exited"
    CPU_TIME = "cpu_time"
    WALL_TIME = "wall_time"
    SLEPT = "slept"  # it let time pass without computing
    OFF_TURN = "off_turn"  # it used CPU time while others were to act
    MEMORY = "memory"
    MALFORMED = "malformed"  # not text, or text that cannot be decoded
    OVERSIZE = "oversize"
    UNSOLICITED = "unsolicited"
    PROTOCOL = "protocol"
    NOT_READING = "not_reading"
    ILLEGAL_ACTION = "illegal_action"
    NO_ENTRY_POINT = "no_entry_point"
    IMPORT_ERROR = "import_error"  # includes syntax errors
    FORFEITED = "forfeited"  # not a new fault: because of earlier faults, the bot had already lost the whole match


class PlatformFault(RuntimeError):
    """A fault of the platform. The attempt to play the match is void, and no bot is to blame."""


class BoxLost(PlatformFault):
    """Something other than the judge killed a bot's process, for an unknown reason. ``seat`` is its seat
    in the match.
    """

    seat: int | None = None


class BotFault(Exception):
    """A fault of a bot. Its process has ended.

    ``detail`` and ``output`` contain the bot's own text, for its author only: capped, without control characters, and
    not escaped for pages. ``cpu`` and ``wall`` are the seconds used; ``limit`` is the limit that was exceeded, if any.
    """

    def __init__(
        self,
        verdict: Verdict,
        detail: str = "",
        *,
        line: int | None = None,
        exception: str = "",
        cpu: float = 0.0,
        wall: float = 0.0,
        limit: float | None = None,
        output: str = "",
    ) -> None:
        super().__init__(verdict, detail)
        self.verdict = verdict
        self.detail = detail
        self.line = line
        self.exception = exception
        self.cpu = cpu
        self.wall = wall
        self.limit = limit
        self.output = output

    def __str__(self) -> str:
        return f"{self.verdict.value}: {self.detail}"


class LimitError(ValueError):
    """A limit that is outside its bounds or does not exist."""

    def __init__(self, field: str, value: object, allowed: str) -> None:
        super().__init__(f"limit {field!r}: {value!r} is not allowed; allowed: {allowed}")
        self.field = field
        self.value = value
        self.allowed = allowed


SECONDS: Final[Mapping[str, tuple[float, float]]] = {
    "start_cpu": (0.05, 60.0),
    "start_wall": (0.1, 300.0),
    "act_cpu": (0.001, 60.0),
    "act_wall": (0.01, 300.0),
    "game_cpu": (0.01, 3600.0),
    "game_wall": (0.1, 7200.0),
}
CLOCK_FACTOR: Final = 2.0
CLOCK_GRACE: Final[Mapping[str, float]] = {"start": 2.0, "act": 1.0, "game": 5.0}  # seconds
BYTES: Final[Mapping[str, tuple[int, int]]] = {
    "memory": (64 * MIB, 8192 * MIB),
    "output": (0, 64 * 1024),
    "action_bytes": (16, 4096),
}


@dataclass(frozen=True, slots=True)
class Limits:
    """What one bot may use: seconds of CPU and wall time, bytes of memory, of output and of an action.

    The limit on wall time depends on that on CPU time: ``act_wall`` is cut to ``CLOCK_FACTOR`` times ``act_cpu`` plus
    ``CLOCK_GRACE["act"]``. The same holds for start and game. Time in which the machine had no core for the bot is not
    counted. Sleep counts against the smaller of ``game_cpu`` and ``game_wall``.

    Raises:
        LimitError: a field is not a number, or outside its bounds.
    """

    start_cpu: float = 2.0
    start_wall: float = 6.0
    act_cpu: float = 1.0
    act_wall: float = 3.0
    game_cpu: float = 30.0
    game_wall: float = 65.0
    memory: int = 512 * MIB
    output: int = 4096  # bytes that the bot may print for each action
    action_bytes: int = 256

    def __post_init__(self) -> None:
        for name, (low, high) in SECONDS.items():
            _check(name, getattr(self, name), low, high, (int, float))
        for name, (least, most) in BYTES.items():
            _check(name, getattr(self, name), least, most, (int,))
        for span, grace in CLOCK_GRACE.items():
            most_wall = CLOCK_FACTOR * getattr(self, f"{span}_cpu") + grace
            object.__setattr__(self, f"{span}_wall", min(getattr(self, f"{span}_wall"), most_wall))

    def to_dict(self) -> dict[str, float | int]:
        """Return all fields by name, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return limits with the values in ``data`` and defaults for the others.

        Raises:
            LimitError: an unknown name, or a value outside its bounds.
        """
        names = [field.name for field in fields(cls)]
        for name in data:
            if name not in names:
                raise LimitError(str(name), data[name], "the limits " + ", ".join(names))
        return cls(**data)


def _check(name: str, value: Any, low: float, high: float, types: tuple[type[float], ...]) -> None:
    # A bool is an int in Python, and NaN fails every comparison: both are refused here.
    if isinstance(value, bool) or not isinstance(value, types) or not low <= value <= high:
        raise LimitError(name, value, f"{low} to {high}")
