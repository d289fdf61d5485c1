"""The option ``worms``: how many worms each portion is worth, as a list or as a text."""

import re
from collections.abc import Mapping
from enum import StrEnum
from itertools import groupby
from typing import Any, Final

from games.catalogue.karteneck.portions import VALUES
from games.ruleset import Form, FormError

MOST: Final = 20  # worms on a portion
LONGEST: Final = 1000
_PART: Final = re.compile(r"([0-9]{1,2})(?:-([0-9]{1,2}))?:([0-9]{1,2})")


class WormTableError(StrEnum):
    """What a table of worms may lack."""

    COUNT = "not a number of worms for each of the %(portions)d different portions"
    WORMS = "a portion has 0 to %(most)d worms"
    LENGTH = "longer than %(longest)d characters"
    PART = "%(part)s is not like 16-24:1"
    UNKNOWN = "there are no portions %(part)s"
    TWICE = "the portion %(portion)d is named twice"
    MISSING = "the portion %(portion)d is missing"


def read(value: object) -> list[int]:
    """Return the worms on 0, 16, 17, ... 42, from such a list, a text like "0:0 16-24:1 25-42:2", or an object of
    portions.

    Raises:
        FormError: a portion is missing, named twice or unknown, or has not 0 to 20 worms.
    """
    if isinstance(value, Mapping):
        value = " ".join(f"{portion}:{worms}" for portion, worms in value.items())
    table = _parsed(value) if isinstance(value, str) else value
    if not isinstance(table, list) or len(table) != len(VALUES):
        raise FormError(WormTableError.COUNT, portions=len(VALUES))
    if not all(type(worms) is int and 0 <= worms <= MOST for worms in table):
        raise FormError(WormTableError.WORMS, most=MOST)
    return list(table)


def write(table: Any) -> str:
    """Return the text that reads back as ``table``."""
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
    read,
    write,
    tuple(WormTableError),
)
