"""The games as one plays them by hand with the rule sheets open: slow, plain, and written without a look at the engine.

Each is a generator. It yields who is to act and what they may do, and is sent what they did; chance is seat -1. Its
``facts`` are named as in the views; there are none while something is being settled.
"""

from collections.abc import Generator, Mapping
from typing import Any, NamedTuple, Protocol, TypeAlias


class Decision(NamedTuple):
    seat: int
    ways: frozenset[str] | int  # the actions, or how many dice are rolled


Play: TypeAlias = Generator[Decision, str, None]


class Naive(Protocol):
    def game(self) -> Play: ...
    def facts(self) -> Mapping[str, Any]: ...
    def points(self) -> list[tuple[int, int]]:
        """By seat: the points, and what breaks a tie."""
        ...


def choose(seat: int, *ways: str) -> Decision:
    return Decision(seat, frozenset(ways))
