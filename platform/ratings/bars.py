"""Where ratings and their intervals lie beside each other on one line: the bars of a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

WIDTH: Final = 120.0
VAGUE: Final = 200.0  # displayed points


class Interval(Protocol):
    """A rating in displayed points, ``within`` so many of them either way: between ``low`` and ``high``."""

    @property
    def points(self) -> float: ...
    @property
    def within(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Bar:
    """A 95 % interval and the rating in it, in units of a line ``WIDTH`` long."""

    start: float
    middle: float
    end: float

    @property
    def width(self) -> float:
        return round(self.end - self.start, 1)


def bars(ratings: Sequence[Interval]) -> tuple[Bar, ...]:
    """Return a bar for each, on a scale that holds them all. An interval of more than 200 points either way must not
    squeeze the others: it is cut at the ends of the line.
    """
    ends = [(one.points, min(one.within, VAGUE)) for one in ratings]
    least = min((points - within for points, within in ends), default=0.0)
    most = max((points + within for points, within in ends), default=1.0)
    scale = WIDTH / max(most - least, 1.0)

    def place(points: float) -> float:
        return round(min(max((points - least) * scale, 0.0), WIDTH), 1)

    return tuple(Bar(place(one.low), place(one.points), place(one.high)) for one in ratings)
