"""All tournament formats, in the order in which forms offer them."""

from typing import Final

from tournaments.formats.dutch.format import DUTCH, DUTCH_2026
from tournaments.formats.format import Format, formats_by_code
from tournaments.formats.knockout.format import DOUBLE_ELIMINATION, HEATS, SINGLE_ELIMINATION
from tournaments.formats.position import StageTerms
from tournaments.formats.round_robin.format import PLAY_OFF_FORMAT, ROUND_ROBIN
from tournaments.formats.swiss.format import SWISS

FORMATS: Final[dict[str, Format]] = formats_by_code(
    [ROUND_ROBIN, SWISS, DUTCH_2026, DUTCH, SINGLE_ELIMINATION, DOUBLE_ELIMINATION, HEATS, PLAY_OFF_FORMAT]
)
FIRST_OFFERED: Final = next(iter(FORMATS))


def format_of(terms: StageTerms) -> Format:
    """Return the format of a stage."""
    return FORMATS[terms.format]
