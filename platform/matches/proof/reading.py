"""Contents of links, written by anyone: all fields present, of the right types, and no others."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from games.untrusted import UntrustedError, field

HEX: Final = re.compile(r"[0-9a-f]{64}")
MOMENT: Final = "%Y-%m-%dT%H:%M:%S.%fZ"
NUMBER_MOST: Final = 2**53
OPTIONAL: Final = type(None)
Kind = type[Any] | tuple[type[Any], ...]
Fields = Mapping[str, Kind]


class ProofError(ValueError):
    """Something does not hold; the text says what, and where."""


def read(content: object, fields: Fields, what: str) -> dict[str, Any]:
    """Return ``content`` with exactly these fields.

    Raises:
        ProofError: one is missing, foreign, or of another kind.
    """
    try:
        found = {name: field(content, name, kind) for name, kind in fields.items()}
    except UntrustedError as error:
        raise ProofError(f"{what}: {error}") from None
    assert isinstance(content, dict)  # noqa: S101  ``field`` has looked
    if foreign := sorted(content.keys() - fields.keys()):
        raise ProofError(f"{what}: {foreign[0]!r:.60} does not belong here")
    for name, value in found.items():
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) > NUMBER_MOST:
            raise ProofError(f"{what}: {name!r} is a number too large")
    return found


def digest(value: object, what: str) -> str:
    """Return a SHA-256 in hexadecimal.

    Raises:
        ProofError: it is none.
    """
    if not isinstance(value, str) or not HEX.fullmatch(value):
        raise ProofError(f"{what} is no SHA-256 in hexadecimal")
    return value


def moment(value: object, what: str) -> str:
    """Return a time as links have them: UTC, to the microsecond.

    Raises:
        ProofError: it is none.
    """
    try:
        found = datetime.strptime(str(value), MOMENT).replace(tzinfo=UTC)
    except ValueError:
        raise ProofError(f"{what} is no time") from None
    if found.strftime(MOMENT) != value:
        raise ProofError(f"{what} is no time")
    return str(value)


def numbers(value: object, what: str) -> list[int]:
    """Return a list of whole numbers.

    Raises:
        ProofError: it is none.
    """
    if not isinstance(value, list) or not all(type(one) is int and abs(one) <= NUMBER_MOST for one in value):
        raise ProofError(f"{what} is no list of whole numbers")
    return value


def place(value: object, what: str) -> tuple[int, int, int]:
    """Return round, table and attempt.

    Raises:
        ProofError: it is none.
    """
    found = numbers(value, what)
    if len(found) != 3:
        raise ProofError(f"{what} is not a round, a table and an attempt")
    return found[0], found[1], found[2]


def at(where: tuple[int, int, int]) -> str:
    """Return a match in words."""
    label = f"round {where[0]}, table {where[1]}"
    return label if where[2] == 1 else f"{label}, attempt {where[2]}"
