"""The numbers that a bot declares to be tuned, and its file with other values for them.

``PARAMETERS = {"nerve": (0.1, 0, 0.5)}`` at the top level of ``bot.py``: of each name the value in use, the least
and the most that it may be. It is plain Python which the bot reads itself, so a tuned bot is uploaded like any
other.

Simultaneous perturbation stochastic approximation (Spall 1992): all parameters are moved at once.

In each step two candidates, which lie opposite each other around the current point, play the same blocks. The point
is moved towards the better one, by how much better it was. Gains and their exponents are Spall's; all is computed
in parts of the ranges, so that they fit any parameter. The result is the mean of the points of the second half.
"""

import ast
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from statistics import fmean
from typing import Final

from luck.adjusting import BLOCKS_LEAST, cross_fitted

NAME: Final = "PARAMETERS"
DIGITS: Final = 6  # of a number that is written
EXAMPLE: Final = f'{NAME} = {{"nerve": (0.1, 0, 0.5)}}'


class ParametersError(ValueError):
    """The source declares no parameters, or not in the way that is read; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number from ``low`` to ``high``; a whole one if all three were declared as whole."""

    name: str
    start: float
    low: float
    high: float
    whole: bool

    def at(self, part: float) -> float:
        """Return the value at a part of the range, from 0 to 1."""
        value = self.low + part * (self.high - self.low)
        return math.floor(value + 0.5) if self.whole else min(self.high, max(self.low, float(f"{value:.{DIGITS}g}")))

    def part(self, value: float) -> float:
        """Return at which part of the range ``value`` is."""
        return (value - self.low) / (self.high - self.low)


def declared(source: bytes) -> list[Parameter]:
    """Return what a bot's file declares, in its order.

    Raises:
        ParametersError: nothing, or not a dictionary of texts with three numbers each.
    """
    return [_parameter(name, triple) for name, triple in _triples(_text(source))]


def rewritten(source: bytes, values: Mapping[str, float]) -> bytes:
    """Return the file with other values for its parameters, all else as it was.

    Raises:
        ParametersError: see ``declared``.
    """
    text = _text(source)
    lines = text.encode().splitlines(keepends=True)
    for name, triple in reversed(_triples(text)):
        first = triple[0]
        assert first.end_lineno is not None and first.end_col_offset is not None  # noqa: S101, PT018 - of parsed text
        head, tail = lines[first.lineno - 1][: first.col_offset], lines[first.end_lineno - 1][first.end_col_offset :]
        lines[first.lineno - 1 : first.end_lineno] = [head + repr(values[name]).encode() + tail]
    return b"".join(lines)


def _text(source: bytes) -> str:
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ParametersError("the file is not in UTF-8") from None


def _triples(text: str) -> list[tuple[str, Sequence[ast.expr]]]:
    """Return the names with the expressions of their three numbers."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ParametersError(f"the file is not Python: {error}") from None
    found = [one.value for one in body if _is_declaration(one) and isinstance(one, ast.Assign | ast.AnnAssign)]
    if len(found) != 1 or not isinstance(found[0], ast.Dict) or not found[0].keys:
        raise ParametersError(f"declare what is to be tuned once, at the top level of bot.py: {EXAMPLE}")
    triples: list[tuple[str, Sequence[ast.expr]]] = []
    for key, value in zip(found[0].keys, found[0].values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            raise ParametersError(f"{NAME}: a name must be a text in quotes")
        if not isinstance(value, ast.Tuple | ast.List) or len(value.elts) != 3:
            raise ParametersError(f"{NAME}: {key.value!r} needs three numbers: (start, low, high)")
        triples.append((key.value, value.elts))
    if len({name for name, _ in triples}) < len(triples):
        raise ParametersError(f"{NAME}: a name is given twice")
    return triples


def _is_declaration(one: ast.stmt) -> bool:
    targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
    return any(isinstance(target, ast.Name) and target.id == NAME for target in targets)


def _parameter(name: str, triple: Sequence[ast.expr]) -> Parameter:
    try:
        numbers = [ast.literal_eval(one) for one in triple]
    except ValueError:
        numbers = []
    if not numbers or any(type(one) not in (int, float) or not math.isfinite(one) for one in numbers):
        raise ParametersError(f"{NAME}: {name!r} needs three numbers: (start, low, high)")
    start, low, high = numbers
    if not (low < high and low <= start <= high):
        raise ParametersError(f"{NAME}: {name!r} must start between its least and its most: (start, low, high)")
    return Parameter(name, start, low, high, all(type(one) is int for one in numbers))


APART: Final = 0.15  # of a candidate from the point in the first step, as part of a range
GAIN: Final = 0.25
FURTHEST: Final = 0.1  # a step moves no parameter by more than this part of its range
ALPHA: Final = 0.602
GAMMA: Final = 0.101
WHOLE_APART: Final = 0.75  # the least that keeps the candidates apart where numbers are whole


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """Two candidates, by parameter."""

    plus: tuple[float, ...]
    minus: tuple[float, ...]


@dataclass(slots=True)
class Spsa:
    """A search of ``steps`` steps. ``points``: in parts of the ranges, the first is the start."""

    parameters: Sequence[Parameter]
    steps: int
    seed: str
    points: list[tuple[float, ...]] = field(default_factory=list)
    _shares: list[float] = field(default_factory=list)
    _luck: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.points = [tuple(one.part(one.start) for one in self.parameters)]

    @property
    def step(self) -> int:
        """How many steps are done."""
        return len(self.points) - 1

    @property
    def best(self) -> tuple[float, ...]:
        """The mean of the points of the second half, by parameter: what the search proposes."""
        half = self.points[(len(self.points) + 1) // 2 :] or self.points
        return self._values([fmean(column) for column in zip(*half, strict=True)])

    def pair(self) -> CandidatePair:
        """Return the candidates of the next step."""
        signs = random.Random(f"{self.seed}/{self.step}")  # noqa: S311
        apart = APART / (self.step + 1) ** GAMMA
        sides: list[list[float]] = [[], []]
        for one, at in zip(self.parameters, self.points[-1], strict=True):
            far = max(apart, WHOLE_APART / (one.high - one.low)) if one.whole else apart
            sign = signs.choice((-far, far))
            for side, to in zip(sides, (at + sign, at - sign), strict=True):
                side.append(min(1.0, max(0.0, to)))
        return CandidatePair(*map(self._values, sides))

    def move(self, shares: Sequence[float], luck: Sequence[float]) -> None:
        """Move the point by what ``plus`` of the pair scored in each block against ``minus``, and its luck there."""
        pair, beta = self.pair(), self._beta()
        ahead = 2 * fmean(share - beta * own for share, own in zip(shares, luck, strict=True)) - 1
        gain = GAIN / (1 + self.step / (1 + self.steps / 10)) ** ALPHA
        moved = []
        for one, at, plus, minus in zip(self.parameters, self.points[-1], pair.plus, pair.minus, strict=True):
            apart = one.part(plus) - one.part(minus)
            by = gain * ahead / apart if apart else 0.0
            moved.append(min(1.0, max(0.0, at + min(FURTHEST, max(-FURTHEST, by)))))
        self.points.append(tuple(moved))
        self._shares.extend(shares)
        self._luck.extend(luck)

    def _beta(self) -> float:
        """Return how much of luck is taken off, fitted on earlier steps alone: so it does not depend on this one's."""
        if len(self._shares) < BLOCKS_LEAST:
            return 1.0
        return fmean(cross_fitted(self._shares, self._luck)[1])

    def _values(self, parts: Sequence[float]) -> tuple[float, ...]:
        return tuple(one.at(part) for one, part in zip(self.parameters, parts, strict=True))


BARS: Final = "▁▂▃▄▅▆▇█"


def bars(parts: Sequence[float], most: int = 40) -> str:
    """Return a chart of numbers from 0 to 1 in one line, of at most so many signs.

    >>> bars([0, 0.5, 1])
    '▁▅█'
    """
    shown = islice(parts, 0, None, max(1, -(-len(parts) // most)))
    return "".join(BARS[min(len(BARS) - 1, int(one * len(BARS)))] for one in shown)
