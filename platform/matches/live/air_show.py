"""The frames of a match on air as their time comes, for all viewers in this process.

What is on air follows from the time since T0 alone. So a process that starts in the middle of a broadcast, or was
killed in it, shows the same beat as all others.
"""

import logging
import time
from collections.abc import Callable, Iterator
from typing import Final

from games.replay import RecordError
from matches.airing.selectors import OnAir, game_on_air
from matches.airing.timetable import GameTimes, Slot
from matches.models import Game
from matches.replay.frame_encoding import FrameBatch

logger = logging.getLogger(__name__)

AHEAD_MS: Final = 15_000  # a game is read so long before it begins


class AirShow:
    """``prepare`` reads the database; ``due`` does not, and may be called by the event loop."""

    __slots__ = ("_clock", "_kept", "_now_less_clock", "_show", "_times", "_told")

    def __init__(self, show: OnAir, kept: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept = kept  # of the games that were on air already, only the last ones are shown to late viewers
        self._times: dict[int, GameTimes | None] = {}  # None: its record is damaged
        self._told: dict[int, int] = {}  # beats, by game
        self._set(show)

    def _set(self, show: OnAir) -> None:
        self._show = show
        self._now_less_clock = show.elapsed - self._clock() * 1000

    @property
    def elapsed(self) -> float:
        """Milliseconds since T0."""
        return self._clock() * 1000 + self._now_less_clock

    def prepare(self, show: OnAir) -> None:
        """Take over T0, which may have been moved, and the database's clock; read the games that come next."""
        self._set(show)
        begun = [slot for slot in show.slots if slot.start <= self.elapsed]
        soon = [slot for slot in show.slots if self.elapsed < slot.start <= self.elapsed + AHEAD_MS]
        for slot in (*begun[-self._kept :], *soon):
            if slot.game not in self._times:
                self._times[slot.game] = self._read(slot)

    def due(self) -> tuple[FrameBatch, ...]:
        """Return the frames whose time has come, of the games that were read, each once."""
        elapsed = int(self.elapsed)
        shots = []
        for slot, times in self._known():
            sent, now = self._told.get(slot.game, 0), times.beats_by(elapsed - slot.start)
            if now > sent:
                self._told[slot.game] = now
                shots.append(times.shown(sent, now, slot.start))
        return tuple(shots)

    def seconds_to_next(self) -> float | None:
        """Return how long it is until more is due, as far as is known."""
        coming = [
            slot.start + times.at[sent]
            for slot, times in self._known()
            if (sent := self._told.get(slot.game, 0)) < len(times.at)
        ]
        return max(0.0, (min(coming) - self.elapsed) / 1000) if coming else None

    def _known(self) -> Iterator[tuple[Slot, GameTimes]]:
        for slot in self._show.slots:
            times = self._times.get(slot.game)
            if times is not None:
                yield slot, times

    def _read(self, slot: Slot) -> GameTimes | None:
        try:
            return game_on_air(self._show.match_id, slot.game, self._show.tempo)
        except (Game.DoesNotExist, RecordError):
            logger.exception("live: game %d of match %d cannot be shown", slot.game, self._show.match_id)
            return None
