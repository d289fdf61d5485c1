"""Upper limits of the site for the resources that a contest may use. The settings define them.

Forms show the allowed ranges, and services enforce them. If the ranges become narrower, contests that have begun
continue with their values.
"""

from collections.abc import Iterable

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from games.protocol import BYTES, CLOCK_FACTOR, CLOCK_GRACE, MIB, SECONDS, Limits


class OverCap(ValueError):
    """A value is larger than the site allows.

    ``field`` is the name of a limit, "blocks" or "min_action_ms"; ``allowed`` is the allowed range as text.
    """

    def __init__(self, field: str, low: float, high: float) -> None:
        self.field = field
        self.allowed = f"{low:g} to {high:g}"
        super().__init__(_("%(field)s: allowed are %(allowed)s.") % {"field": field, "allowed": self.allowed})


def contest_limit_cap_range(name: str) -> tuple[float, float]:
    """Return the smallest and the largest allowed value of the field ``name`` of ``Limits``, in its own unit."""
    low, high = SECONDS[name] if name in SECONDS else BYTES[name]
    return low, min(high, max(low, _cap(name)))


def contest_blocks_cap() -> int:
    """Return the largest allowed number of blocks of a match."""
    return max(1, settings.BLOCKS_MOST)


def contest_pace_cap() -> int:
    """Return the longest pause between two actions that a contest may choose, in milliseconds."""
    return int(settings.MIN_ACTION_MS_MOST)


def caps_require(*, limits: Limits, blocks: Iterable[int], min_action_ms: int) -> None:
    """Refuse values that are larger than the site allows.

    Raises:
        OverCap: the first value that is too large.
    """
    for name, value in limits.to_dict().items():
        low, high = contest_limit_cap_range(name)
        if value > high:
            raise OverCap(name, low, high)
    for number in blocks:
        if number > contest_blocks_cap():
            raise OverCap("blocks", 1, contest_blocks_cap())
    if min_action_ms > contest_pace_cap():
        raise OverCap("min_action_ms", 0, contest_pace_cap())


def blocks_cap_validate(blocks: int) -> None:
    """Validate a form field: raise ``ValidationError`` for more blocks of a match than the site allows."""
    _at_most(blocks, 1, contest_blocks_cap())


def pace_cap_validate(min_action_ms: int) -> None:
    """Validate a form field: raise ``ValidationError`` for a slower pace than the site allows."""
    _at_most(min_action_ms, 0, contest_pace_cap())


def _at_most(value: int, least: int, most: int) -> None:
    if value > most:
        raise ValidationError(_("Allowed: %(allowed)s.") % {"allowed": f"{least} to {most}"}, code="over_cap")


def _cap(name: str) -> float:
    seconds = {
        "start": settings.BOT_START_SECONDS_MOST,
        "act": settings.BOT_ACTION_SECONDS_MOST,
        "game": settings.BOT_GAME_SECONDS_MOST,
    }
    span, _dash, kind = name.rpartition("_")
    if kind == "cpu":
        return float(seconds[span])
    if kind == "wall":
        return CLOCK_FACTOR * seconds[span] + CLOCK_GRACE[span]
    return float(settings.BOT_MEMORY_MIB_MOST * MIB) if name == "memory" else float("inf")
