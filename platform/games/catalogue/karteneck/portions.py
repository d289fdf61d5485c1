"""The portions of grilled worms: those not yet revealed, those on the grill, and the players' stacks."""

import re
from collections.abc import Mapping
from enum import StrEnum
from itertools import groupby
from typing import Any, Final, NamedTuple

from games.catalogue.karteneck.cards import PORTIONS
from games.chance import ChanceSource, chance_first_left
from games.ruleset import Form, FormError

VALUES: Final = tuple(sorted(set(PORTIONS)))  # 0, 16, 17, ... 42
COUNT: Final = len(PORTIONS)
_ALL: Final = (1 << COUNT) - 1
_MASKS: Final = {
    value: sum(1 << place for place, one in enumerate(PORTIONS) if one == value) for value in VALUES
}  # the bits of a value's portions in a mask


class Reveal(NamedTuple):
    """``reveal 23``: one of the unseen portions, by the ``Draw`` with ``key`` over all 30 in ascending order."""

    key: str
    unseen: int

    def draw(self, luck: ChanceSource) -> str:
        return f"reveal {PORTIONS[chance_first_left(luck, self.key, COUNT, self.unseen)]}"


class Portions(NamedTuple):
    """All portions. ``unseen`` is a bit mask over the 30 portions. Some of the unseen ones stay in the box; which ones
    is never decided. Stacks are from bottom to top.
    """

    unseen: int
    grill: tuple[int, ...]  # in ascending order
    stacks: tuple[tuple[int, ...], ...]

    def hidden(self, value: int) -> int:
        """Return the number of unseen portions of a value."""
        return (self.unseen & _MASKS[value]).bit_count()

    def reveals(self) -> tuple[str, ...]:
        """Return the portions that can be revealed next."""
        return tuple(f"reveal {value}" for value in VALUES if self.unseen & _MASKS[value])

    def reveal(self, value: int) -> "Portions":
        """Put a portion on the grill; among equal portions, the last unseen one."""
        last = (self.unseen & _MASKS[value]).bit_length() - 1
        return Portions(self.unseen & ~(1 << last), tuple(sorted((*self.grill, value))), self.stacks)

    def take(self, seat: int, value: int) -> "Portions":
        """Move a portion from the grill to the seat's stack."""
        at = self.grill.index(value)
        return Portions(self.unseen, self.grill[:at] + self.grill[at + 1 :], self._with(seat, value))

    def owner(self, value: int, thief: int) -> int:
        """Return the seat from whose stack ``thief`` can steal the portion, or -1."""
        for seat, stack in enumerate(self.stacks):
            if stack and stack[-1] == value and seat != thief:
                return seat
        return -1

    def steal(self, thief: int, victim: int) -> "Portions":
        """Move the victim's top portion to the thief's stack."""
        *rest, value = self.stacks[victim]
        stacks = list(self._with(thief, value))
        stacks[victim] = tuple(rest)
        return self._replace(stacks=tuple(stacks))

    def _with(self, seat: int, value: int) -> tuple[tuple[int, ...], ...]:
        return (*self.stacks[:seat], (*self.stacks[seat], value), *self.stacks[seat + 1 :])


def portions_unopened(players: int) -> Portions:
    """Return all portions unseen, with empty stacks."""
    return Portions(_ALL, (), ((),) * players)


MOST: Final = 20  # worms on a portion
LONGEST: Final = 1000
_PART: Final = re.compile(r"([0-9]{1,2})(?:-([0-9]{1,2}))?:([0-9]{1,2})")


class WormTableError(StrEnum):
    """Reasons why a table of worms is not valid."""

    COUNT = "not a number of worms for each of the %(portions)d different portions"
    WORMS = "a portion has 0 to %(most)d worms"
    LENGTH = "longer than %(longest)d characters"
    PART = "%(part)s is not like 16-24:1"
    UNKNOWN = "there are no portions %(part)s"
    TWICE = "the portion %(portion)d is named twice"
    MISSING = "the portion %(portion)d is missing"


def portions_read(value: object) -> list[int]:
    """Return the worms on 0, 16, 17, ... 42 from a list, a text such as "0:0 16-24:1 25-42:2", or an object with a key
    for each portion.

    Raises:
        FormError: a portion is missing, duplicate or unknown, or does not have 0 to 20 worms.
    """
    if isinstance(value, Mapping):
        value = " ".join(f"{portion}:{worms}" for portion, worms in value.items())
    table = _parsed(value) if isinstance(value, str) else value
    if not isinstance(table, list) or len(table) != len(VALUES):
        raise FormError(WormTableError.COUNT, portions=len(VALUES))
    if not all(type(worms) is int and 0 <= worms <= MOST for worms in table):
        raise FormError(WormTableError.WORMS, most=MOST)
    return list(table)


def portions_write(table: Any) -> str:
    """Return the text from which ``portions_read`` returns ``table``."""
    runs: list[str] = []
    for worms, group in groupby(zip(VALUES, table, strict=True), key=lambda pair: (pair[0] > 0, pair[1])):
        portions = [portion for portion, _ in group]
        last = f"-{portions[-1]}" if len(portions) > 1 else ""
        runs.append(f"{portions[0]}{last}:{worms[1]}")
    return " ".join(runs)


def _parsed(text: str) -> list[int]:
    if len(text) > LONGEST:
        raise FormError(WormTableError.LENGTH, longest=LONGEST)
    table: dict[int, int] = {}
    for part in re.split(r"[,;\s]+", text.strip()):
        match = _PART.fullmatch(part)
        if match is None:
            raise FormError(WormTableError.PART, part=repr(part[:20]))
        first, last = int(match[1]), int(match[2] or match[1])
        portions = range(first, last + 1)
        if not portions or not set(portions) <= set(VALUES):
            raise FormError(WormTableError.UNKNOWN, part=part.partition(":")[0])
        if twice := table.keys() & set(portions):
            raise FormError(WormTableError.TWICE, portion=min(twice))
        table |= dict.fromkeys(portions, int(match[3]))
    if missing := set(VALUES) - table.keys():
        raise FormError(WormTableError.MISSING, portion=min(missing))
    return [table[portion] for portion in VALUES]


FORM: Final = Form(
    "worms for the portions 0 and 16 to 42, each named once: 0:0 16-24:1 25-28:2 29-32:3 33-36:4 37-40:5 41-42:6",
    {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": MOST},
        "minItems": len(VALUES),
        "maxItems": len(VALUES),
    },
    portions_read,
    portions_write,
    tuple(WormTableError),
)
