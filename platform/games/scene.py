"""What a game brings to run its vectors: a scene, and how it reads their JSON without missing a key."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from games.state import Outcome


class VectorError(ValueError):
    """A vector that does not hold, or that cannot be understood."""


class Keys:
    """A JSON object whose keys must all be taken; ``where`` names it in errors.

    Raises:
        VectorError: ``value`` is no object.
    """

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise VectorError(f"{where}: not an object")
        self.where = where
        self._left = dict(value)

    def take(self, key: str) -> Any:
        """Return the value of a key that must be there.

        Raises:
            VectorError: it is not.
        """
        if key not in self._left:
            raise VectorError(f"{self.where}: key {key!r} is missing")
        return self._left.pop(key)

    def optional(self, key: str, default: Any) -> Any:
        """Return the value of a key that may be there."""
        return self._left.pop(key, default)

    def done(self) -> None:
        """Check that nothing is left to be taken.

        Raises:
            VectorError: keys are left that nobody knows.
        """
        if self._left:
            raise VectorError(f"{self.where}: unknown key {', '.join(map(repr, self._left))}")


Act: TypeAlias = Callable[[Keys], None]
Fact: TypeAlias = Callable[[Any], Any]


class Scene(ABC):
    """A position being played. Made from validated options, the players' names and the other keys of ``given``."""

    @abstractmethod
    def acts(self) -> Mapping[str, Act]:
        """Return how to play each type of action, through the engine's own ``State.play``."""

    @abstractmethod
    def facts(self) -> Mapping[str, Fact]:
        """Return what can be checked. Each is asked with what is wanted and answers what is, as far as that was asked
        for.
        """


def scene_as_wanted(found: list[Any], wanted: Any) -> list[Any]:
    """Return what is ``found``, in the order and the spelling of ``wanted`` where that lists the same; an order means
    nothing.

    For sets and piles: "4" is the face 4.
    """
    same = isinstance(wanted, list) and sorted(map(str, wanted)) == sorted(map(str, found))
    return wanted if same else found


def scene_winners(outcome: Outcome, names: Sequence[str]) -> list[str]:
    return [names[seat] for seat, place in enumerate(outcome.places) if place == 1]
