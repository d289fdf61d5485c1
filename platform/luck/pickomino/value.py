"""The value ``pickomino/1-v1``: the share of its opponents that a seat will beat, by what lies on the table.

A logistic formula for each pair of seats: nine numbers of each seat, weights fitted on games of house bots (``fit``).
It is frozen, and computed in whole numbers and with decimals that are rounded correctly, so everyone gets the same.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache
from importlib.resources import files
from math import isqrt
from typing import Any, Final

from games.catalogue.grill.tiles import worms
from games.catalogue.pickomino.board import PickominoBoard
from games.catalogue.pickomino.score import standing
from luck.shares import UNIT, Shares, rounded, shares_of

WEIGHT_UNIT: Final = 10**6
_DECIMALS: Final = Context(prec=28)


def numbers(board: PickominoBoard, seat: int) -> tuple[int, ...]:
    """Return the nine numbers that the strength of ``seat`` is made of, each times ``10 * players * UNIT``.

    phi is 1 / (tiles on the grill + 1): worms; worms * sqrt(phi); worms * phi; worms on the top tile; those * phi; the
    highest tile, from 28 on in tenths, * phi; to move; to move * phi; distance to the move in players * sqrt(phi).
    """
    stack, players = board.stacks[seat], len(board.stacks)
    left = board.grill.bit_count() + 1
    phi, root = UNIT // left, isqrt(UNIT * UNIT // left)
    own, top = sum(map(worms, stack)), worms(stack[-1]) if stack else 0
    away = (board.seat - seat) % players
    moves = away == 0
    whole = 10 * players
    return (
        *(whole * own * UNIT, whole * own * root, whole * own * phi, whole * top * UNIT, whole * top * phi),
        players * (max(stack) - 28 if stack else -8) * phi,
        *(whole * moves * UNIT, whole * moves * phi, 10 * away * root),
    )


@lru_cache(maxsize=1 << 12)
def logistic(numerator: int, denominator: int) -> int:
    """Return 1 / (1 + exp(-numerator / denominator)) in 1e-9."""
    power = _DECIMALS.exp(_DECIMALS.divide(Decimal(-numerator), Decimal(denominator)))
    return int(_DECIMALS.divide(Decimal(UNIT), _DECIMALS.add(power, Decimal(1))).to_integral_value())


@dataclass(frozen=True, slots=True)
class BoardValue:
    """The frozen formula. ``weights`` in millionths; ``players`` and ``options`` are what it may be asked about."""

    id: str
    ruleset: str
    weights: tuple[int, ...]
    players: range
    options: Mapping[str, tuple[Any, ...]]

    def covers(self, players: int, options: Mapping[str, Any]) -> str:
        """See ``Value.covers``."""
        if players not in self.players:
            return "players"
        return next((name for name, value in options.items() if value not in self.options.get(name, ())), "")

    def share(self, board: PickominoBoard, seat: int) -> int:
        """Return the share of its opponents that ``seat`` will beat; what it has beaten if the game is over."""
        return self.shares(board)[seat]

    def shares(self, board: PickominoBoard) -> Shares:
        """Return the share of each seat. Two seats' shares of each other add up to one."""
        if board.over:
            return shares_of(standing(board).places)
        seats = range(len(board.stacks))
        strengths = [sum(map(int.__mul__, self.weights, numbers(board, seat))) for seat in seats]
        scale = 10 * len(seats) * UNIT * WEIGHT_UNIT
        beats = {(a, b): logistic(strengths[a] - strengths[b], scale) for a in seats for b in seats if a < b}
        return tuple(
            rounded(
                sum(beats[a, b] if a < b else UNIT - beats[b, a] for b in seats if b != a),
                len(seats) - 1,
            )
            for a in seats
        )


def _frozen(name: str) -> BoardValue:
    data = json.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))
    options = {name: tuple(values) for name, values in data["options"].items()}
    fewest, most = data["players"]
    return BoardValue(data["value"], data["ruleset"], tuple(data["weights"]), range(fewest, most + 1), options)


PICKOMINO_V1: Final = _frozen("v1.json")
