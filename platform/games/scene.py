"""Scenes: how a game runs its rule vectors, and a JSON reader that notices unread keys."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from games.state import Outcome


class VectorError(ValueError):
    """A vector that fails or is invalid."""


class Keys:
    """A JSON object whose keys must all be read. ``where`` names it in errors.

    Raises:
        VectorError: ``value`` is not an object.
    """

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise VectorError(f"{where}: not an object")
        self.where = where
        self._left = dict(value)

    def take(self, key: str) -> Any:
        """Return the value of a required key.

        Raises:
            VectorError: the key is missing.
        """
        if key not in self._left:
            raise VectorError(f"{self.where}: key {key!r} is missing")
        return self._left.pop(key)

    def optional(self, key: str, default: Any) -> Any:
        """Return the value of an optional key."""
        return self._left.pop(key, default)

    def done(self) -> None:
        """Check that every key has been read.

        Raises:
            VectorError: there are unknown keys.
        """
        if self._left:
            raise VectorError(f"{self.where}: unknown key {', '.join(map(repr, self._left))}")


Act: TypeAlias = Callable[[Keys], None]
Fact: TypeAlias = Callable[[Any], Any]


class Scene(ABC):
    """A position in play. It is constructed from validated options, the names of the players and the other keys of
    ``given``.
    """

    @abstractmethod
    def acts(self) -> Mapping[str, Act]:
        """Return functions that play each type of action through the engine's own ``State.play``."""

    @abstractmethod
    def facts(self) -> Mapping[str, Fact]:
        """Return a function for each fact that a vector can check. The function receives the wanted value and returns
        the actual one, with only the parts that the wanted value has.
        """


def scene_as_wanted(found: list[Any], wanted: Any) -> list[Any]:
    """Return ``wanted`` if it lists the same items as ``found`` in any order, otherwise ``found``.

    Use it for sets and piles. Items are compared as text: "4" equals the face 4.
    """
    same = isinstance(wanted, list) and sorted(map(str, wanted)) == sorted(map(str, found))
    return wanted if same else found


def scene_winners(outcome: Outcome, names: Sequence[str]) -> list[str]:
    return [names[seat] for seat, place in enumerate(outcome.places) if place == 1]
