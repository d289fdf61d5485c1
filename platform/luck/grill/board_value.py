"""The value of a board: the share of opponents that each seat will beat. A formula compares every two seats.

The formula is logistic. Its weights are fitted to games of house bots (``fitting``) and frozen as data. Calculations
use integers and correctly rounded decimals, so they have the same result on every machine.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, Generic, Protocol, TypeVar

from games.state import Outcome
from luck.shares import UNIT, Shares, rounded, shares_of

WEIGHT_UNIT: Final = 10**6
_DECIMALS: Final = Context(prec=28)


class ValuedBoard(Protocol):
    """The board between two turns."""

    @property
    def stacks(self) -> tuple[tuple[int, ...], ...]: ...

    @property
    def over(self) -> str: ...


B = TypeVar("B", bound=ValuedBoard)


@lru_cache(maxsize=1 << 12)
def board_value_logistic(numerator: int, denominator: int) -> int:
    """Return 1 / (1 + exp(-numerator / denominator)) in 1e-9."""
    power = _DECIMALS.exp(_DECIMALS.divide(Decimal(-numerator), Decimal(denominator)))
    return int(_DECIMALS.divide(Decimal(UNIT), _DECIMALS.add(power, Decimal(1))).to_integral_value())


@dataclass(frozen=True, slots=True)
class BoardValue(Generic[B]):
    """A frozen formula.

    ``numbers`` returns the features of a seat, each multiplied by ``10 * players * UNIT``. ``weights`` has the weight
    of each feature, in millionths. The formula covers games with these ``players`` and ``options``. ``standing``
    returns the outcome of a board on which the game is over.
    """

    id: str
    ruleset: str
    weights: tuple[int, ...]
    players: range
    options: Mapping[str, tuple[Any, ...]]
    numbers: Callable[[B, int], tuple[int, ...]]
    standing: Callable[[B], Outcome]

    def covers(self, players: int, options: Mapping[str, Any]) -> str:
        """See ``Value.covers``."""
        if players not in self.players:
            return "players"
        return next((name for name, value in options.items() if value not in self.options.get(name, ())), "")

    def share(self, board: B, seat: int) -> int:
        """Return the share of its opponents that ``seat`` will beat, or has beaten if the game is over."""
        if board.over:
            return self.shares(board)[seat]
        return self._share(self._strengths(board), seat)

    def start(self, boards: Sequence[B]) -> Shares:
        """Return the mean shares of ``boards``, which are equally likely."""
        return tuple(rounded(sum(column), len(boards)) for column in zip(*map(self.shares, boards), strict=True))

    def shares(self, board: B) -> Shares:
        """Return the share of each seat. The shares of two seats against each other always add up to one."""
        if board.over:
            return shares_of(self.standing(board).places)
        strengths = self._strengths(board)
        return tuple(self._share(strengths, seat) for seat in range(len(strengths)))

    def _strengths(self, board: B) -> list[int]:
        seats = range(len(board.stacks))
        return [sum(map(int.__mul__, self.weights, self.numbers(board, seat))) for seat in seats]

    def _share(self, strengths: list[int], seat: int) -> int:
        scale, own = 10 * len(strengths) * UNIT * WEIGHT_UNIT, strengths[seat]
        beaten = (
            board_value_logistic(own - other, scale) if seat < at else UNIT - board_value_logistic(other - own, scale)
            for at, other in enumerate(strengths)
            if at != seat
        )
        return rounded(sum(beaten), len(strengths) - 1)


def board_value_frozen(
    package: str, name: str, numbers: Callable[[B, int], tuple[int, ...]], standing: Callable[[B], Outcome]
) -> BoardValue[B]:
    """Load the value from the file ``name`` of ``package``."""
    data = json.loads(files(package).joinpath(name).read_text(encoding="utf-8"))
    options = {name: tuple(values) for name, values in data["options"].items()}
    fewest, most = data["players"]
    weights = tuple(data["weights"])
    return BoardValue(data["value"], data["ruleset"], weights, range(fewest, most + 1), options, numbers, standing)
