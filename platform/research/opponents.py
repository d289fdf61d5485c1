"""Opponents of a learner: house bots, functions, and players that take any legal action."""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol, TypeAlias

from games.state import State, View
from research.house import HousePlayer

Act: TypeAlias = Callable[[View], str]
RANDOM: Final = "random"  # an opponent that plays any legal action


class Opponent(Protocol):
    """A player of one seat."""

    def begin(self, seed: bytes) -> None:
        """Begin a game. Its random numbers follow from ``seed``."""

    def act(self, state: State) -> str:
        """Return the opponent's action in this state. It must be the opponent's turn."""


def opponent(game: str, bot: str | Act) -> Opponent:
    """Return the opponent for the name of a house bot, a function, or ``RANDOM``.

    Raises:
        LookupError: the game has no house bot with this name.
    """
    if bot == RANDOM:
        return _Random()
    return _House(game, bot) if isinstance(bot, str) else _Function(bot)


class LazyView(Mapping[str, Any]):
    """The view of the acting seat. It has the legal actions from the beginning. The other keys are built when one of
    them is read, e.g. by ``dict(view)``.
    """

    __slots__ = ("_made", "_state")

    def __init__(self, state: State) -> None:
        self._state = state
        self._made: dict[str, Any] | None = None

    def __getitem__(self, key: str) -> Any:
        if self._made is None and key == "actions":
            return list(self._state.actions())
        return self._all()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[str, Any]:
        if self._made is None:
            self._made = self._state.view(self._state.actor)
        return self._made


class _House:
    def __init__(self, game: str, name: str) -> None:
        house = HousePlayer(game, name)
        self._act, self.begin = house.act, house.begin

    def act(self, state: State) -> str:
        return self._act(state.view(state.actor))


class _Function:
    def __init__(self, act: Act) -> None:
        self._act = act

    def begin(self, seed: bytes) -> None:
        """Do nothing: a function handles its own random numbers."""

    def act(self, state: State) -> str:
        return self._act(LazyView(state))


class _Random:
    def begin(self, seed: bytes) -> None:
        self._draw = random.Random(seed).random

    def act(self, state: State) -> str:
        legal = state.actions()
        return legal[int(self._draw() * len(legal))]
