"""All tournament formats, in the order in which forms offer them."""

from collections.abc import Iterable
from typing import Final

from tournaments.formats.draw_position import StageTerms
from tournaments.formats.dutch.format import DUTCH, DUTCH_2026
from tournaments.formats.format import Format
from tournaments.formats.knockout.format import DOUBLE_ELIMINATION, HEATS, SINGLE_ELIMINATION
from tournaments.formats.round_robin.format import PLAY_OFF_FORMAT, ROUND_ROBIN
from tournaments.formats.swiss.format import SWISS


def formats_by_code(formats: Iterable[Format]) -> dict[str, Format]:
    """Return the formats by their codes.

    Raises:
        ValueError: two have the same code.
    """
    found: dict[str, Format] = {}
    for one in formats:
        if one.code in found:
            raise ValueError(f"two formats have the code {one.code!r}")
        found[one.code] = one
    return found


FORMATS: Final[dict[str, Format]] = formats_by_code(
    [ROUND_ROBIN, SWISS, DUTCH_2026, DUTCH, SINGLE_ELIMINATION, DOUBLE_ELIMINATION, HEATS, PLAY_OFF_FORMAT]
)
FIRST_OFFERED: Final = next(iter(FORMATS))


def format_of(terms: StageTerms) -> Format:
    """Return the format of a stage."""
    return FORMATS[terms.format]
