"""How long a bot's actions took against their limit, by version: of its last matches, for its author."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final

from bots.models import Bot
from matches.bot_history.logs import logs_of
from matches.referee.game_log import PER_OCTAVE, bucket_end, bucket_of

ROWS_MOST: Final = 2000  # the newest ones
HALF_BUCKET: Final = 2 ** (-0.5 / PER_OCTAVE)


@dataclass(frozen=True, slots=True)
class TimeBar:
    """``actions`` that took longer than the bar before and up to ``up_to_ms``; the limit lies in the bar that
    ``holds_limit``."""

    up_to_ms: float
    actions: int
    holds_limit: bool


@dataclass(frozen=True, slots=True)
class VersionTimings:
    """Processor time of a version's actions under one limit, in milliseconds. Half of them took up to ``p50_ms`` and 99
    of 100 up to ``p99_ms``, both within 5 %; the longest took ``max_ms``. Each of the ``bars`` is twice as long as the
    one before."""

    version: int
    limit_ms: float
    matches: int
    actions: int
    p50_ms: float
    p99_ms: float
    max_ms: float
    bars: tuple[TimeBar, ...]

    @property
    def share(self) -> float:
        """The longest as a part of the limit."""
        return self.max_ms / self.limit_ms


@dataclass(slots=True)
class _Sum:
    matches: set[int]
    times: Counter[int]
    slowest: float = 0.0


def timings_of(bot: Bot, *, version: int | None = None) -> list[VersionTimings]:
    """Return by version, the newest first, and by limit what is kept of the bot's last matches."""
    sums: dict[tuple[int, float], _Sum] = {}
    fields = ("seat__version__number", "seat__match__limits__act_cpu", "seat__match", "times", "slowest_ms")
    for number, limit, match, times, slowest in logs_of(bot, version=version).values_list(*fields)[:ROWS_MOST]:
        one = sums.setdefault((number, limit), _Sum(set(), Counter()))
        one.matches.add(match)
        one.times.update({int(bucket): count for bucket, count in times.items()})
        one.slowest = max(one.slowest, slowest)
    found = [_timings(number, limit * 1000, one) for (number, limit), one in sums.items() if one.times]
    return sorted(found, key=lambda one: (-one.version, one.limit_ms))


def _timings(version: int, limit_ms: float, one: _Sum) -> VersionTimings:
    return VersionTimings(
        version=version,
        limit_ms=limit_ms,
        matches=len(one.matches),
        actions=one.times.total(),
        p50_ms=_percentile(one, 0.5),
        p99_ms=_percentile(one, 0.99),
        max_ms=one.slowest,
        bars=tuple(_bars(one.times, limit_ms)),
    )


def _percentile(one: _Sum, share: float) -> float:
    rest = ceil(one.times.total() * share)
    for bucket in sorted(one.times):
        rest -= one.times[bucket]
        if rest <= 0:
            return min(bucket_end(bucket) * HALF_BUCKET * 1000, one.slowest)
    raise AssertionError("the last bucket ends the count")


def _bars(times: Counter[int], limit_ms: float) -> Iterator[TimeBar]:
    octaves: Counter[int] = Counter()
    for bucket, count in times.items():
        octaves[-(-bucket // PER_OCTAVE)] += count
    limit = -(-bucket_of(limit_ms / 1000) // PER_OCTAVE)
    for octave in range(min(octaves), max(*octaves, limit) + 1):
        yield TimeBar(bucket_end(octave * PER_OCTAVE) * 1000, octaves[octave], octave == limit)
