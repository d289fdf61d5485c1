"""A game as the catalogue lists it: everything that the platform knows about it, said once."""

from dataclasses import dataclass

from games.ruleset import Ruleset


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game and every version of its rules that was ever played here. Equal to itself alone.

    Raises:
        ValueError: the versions are not of one game, or not in ascending order.
    """

    versions: tuple[Ruleset, ...]  # oldest first; the last one is current

    def __post_init__(self) -> None:
        numbers = [ruleset.version for ruleset in self.versions]
        if len({ruleset.name for ruleset in self.versions}) != 1 or numbers != sorted(set(numbers)):
            raise ValueError(f"not the versions of one game, oldest first: {', '.join(map(str, self.versions))}")

    @property
    def name(self) -> str:
        return self.current.name

    @property
    def current(self) -> Ruleset:
        """The version that new contests, uploads and local games are played by."""
        return self.versions[-1]
