"""What a game brings to run its vectors."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from games.state import Outcome
from games.vector_keys import Keys

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


def as_wanted(found: list[Any], wanted: Any) -> list[Any]:
    """Return what is ``found``, in the order and the spelling of ``wanted`` where that lists the same; an order means
    nothing.

    For sets and piles: "4" is the face 4.
    """
    same = isinstance(wanted, list) and sorted(map(str, wanted)) == sorted(map(str, found))
    return wanted if same else found


def winners(outcome: Outcome, names: Sequence[str]) -> list[str]:
    return [names[seat] for seat, place in enumerate(outcome.places) if place == 1]
