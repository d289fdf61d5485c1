"""Who sits at the seats that nobody learns at: house bots, functions, and players that take any legal action."""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol, TypeAlias

from games.state import State, View
from research.house import HousePlayer

Act: TypeAlias = Callable[[View], str]
RANDOM: Final = "random"  # an opponent that is no house bot


class Opponent(Protocol):
    """A player of one seat."""

    def begin(self, seed: bytes) -> None:
        """Begin a game; what it draws at random follows from ``seed``."""

    def act(self, state: State) -> str:
        """Return its action where it is to act."""


def opponent(game: str, bot: str | Act) -> Opponent:
    """Return the opponent that is a house bot by its name, a function, or ``RANDOM``.

    Raises:
        LookupError: the game has no house bot of that name.
    """
    if bot == RANDOM:
        return _Random()
    return _House(game, bot) if isinstance(bot, str) else _Function(bot)


class LazyView(Mapping[str, Any]):
    """What the seat to act sees. All of it is made once anything but its actions is read: ``dict(view)``."""

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
        """Do nothing: a function sees to its own random numbers."""

    def act(self, state: State) -> str:
        return self._act(LazyView(state))


class _Random:
    def begin(self, seed: bytes) -> None:
        self._draw = random.Random(seed).random

    def act(self, state: State) -> str:
        legal = state.actions()
        return legal[int(self._draw() * len(legal))]
