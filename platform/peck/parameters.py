"""The numbers that a bot declares for tuning, and its source with other values for them.

``PARAMETERS = {"nerve": (0.1, 0, 0.5)}`` at the top level of ``bot.py`` gives each name its current value, its minimum
and its maximum. The dictionary is plain Python, and the bot itself reads its values from it. So a tuned bot is uploaded
like any other bot.
"""

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

NAME: Final = "PARAMETERS"
DIGITS: Final = 6  # decimals of a written number
EXAMPLE: Final = f'{NAME} = {{"nerve": (0.1, 0, 0.5)}}'


class ParametersError(ValueError):
    """The source declares no parameters, or not in the supported form. The message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number from ``low`` to ``high``. It is an integer if all three declared numbers are."""

    name: str
    start: float
    low: float
    high: float
    whole: bool

    def at(self, part: float) -> float:
        """Return the value at a fraction of the range, from 0 to 1."""
        value = self.low + part * (self.high - self.low)
        return math.floor(value + 0.5) if self.whole else min(self.high, max(self.low, float(f"{value:.{DIGITS}g}")))

    def part(self, value: float) -> float:
        """Return the position of ``value`` in the range, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


def parameters_declared(source: bytes) -> list[Parameter]:
    """Return the parameters that a bot's file declares, in order.

    Raises:
        ParametersError: there is no declaration, or it is not a dictionary from texts to three numbers.
    """
    return [_parameter(name, triple) for name, triple in _triples(_text(source))]


def parameters_rewritten(source: bytes, values: Mapping[str, float]) -> bytes:
    """Return the file with other values for its parameters, and otherwise unchanged.

    Raises:
        ParametersError: see ``parameters_declared``.
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
