"""What a game brings to run its vectors."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from games.vectors.reading import Keys

Act: TypeAlias = Callable[[Keys], None]
Fact: TypeAlias = Callable[[Any], Any]


class Scene(ABC):
    """A position being played. Made from validated options, the players' names and the other keys of ``given``."""

    @abstractmethod
    def acts(self) -> Mapping[str, Act]:
        """How to play each type of action, through the engine's own ``State.play``."""

    @abstractmethod
    def facts(self) -> Mapping[str, Fact]:
        """What can be checked. Each is asked with what is wanted and answers what is, as far as that was asked for."""
