"""The portions of grilled worms: those nobody has seen yet, those on the grill, and everyone's stack."""

from typing import Final, NamedTuple

from games.catalogue.karteneck.components import PORTIONS
from games.chance import ChanceSource, first_left

VALUES: Final = tuple(sorted(set(PORTIONS)))  # 0, 16, 17, ... 42
COUNT: Final = len(PORTIONS)
_ALL: Final = (1 << COUNT) - 1
_MASKS: Final = {
    value: sum(1 << place for place, one in enumerate(PORTIONS) if one == value) for value in VALUES
}  # where the portions of a value are in a mask


class Reveal(NamedTuple):
    """``reveal 23``: one of the portions that nobody has seen, by the ``Draw`` of ``key`` over all 30, rising."""

    key: str
    unseen: int

    def draw(self, luck: ChanceSource) -> str:
        return f"reveal {PORTIONS[first_left(luck, self.key, COUNT, self.unseen)]}"


class Portions(NamedTuple):
    """``unseen`` is a bit mask over the 30; what stays in the box is never decided. Stacks are from bottom to top."""

    unseen: int
    grill: tuple[int, ...]  # rising
    stacks: tuple[tuple[int, ...], ...]

    def hidden(self, value: int) -> int:
        """Return how many portions of a value nobody has seen yet."""
        return (self.unseen & _MASKS[value]).bit_count()

    def reveals(self) -> tuple[str, ...]:
        """Return what can be turned up next."""
        return tuple(f"reveal {value}" for value in VALUES if self.unseen & _MASKS[value])

    def reveal(self, value: int) -> "Portions":
        """Put one more on the grill; of equal ones the last."""
        last = (self.unseen & _MASKS[value]).bit_length() - 1
        return Portions(self.unseen & ~(1 << last), tuple(sorted((*self.grill, value))), self.stacks)

    def take(self, seat: int, value: int) -> "Portions":
        """Move a portion from the grill onto the seat's stack."""
        at = self.grill.index(value)
        return Portions(self.unseen, self.grill[:at] + self.grill[at + 1 :], self._with(seat, value))

    def owner(self, value: int, thief: int) -> int:
        """Return the seat from whose stack ``thief`` can steal the portion, or -1."""
        for seat, stack in enumerate(self.stacks):
            if stack and stack[-1] == value and seat != thief:
                return seat
        return -1

    def steal(self, thief: int, victim: int) -> "Portions":
        """Move the victim's top portion onto the thief's stack."""
        *rest, value = self.stacks[victim]
        stacks = list(self._with(thief, value))
        stacks[victim] = tuple(rest)
        return self._replace(stacks=tuple(stacks))

    def _with(self, seat: int, value: int) -> tuple[tuple[int, ...], ...]:
        return (*self.stacks[:seat], (*self.stacks[seat], value), *self.stacks[seat + 1 :])


def unopened(players: int) -> Portions:
    """Return all portions unseen, with all stacks empty."""
    return Portions(_ALL, (), ((),) * players)
