"""The timetable of a broadcast: when it begins and ends, and when each beat of a game is on air."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import accumulate
from typing import Any

from django.conf import settings
from django.db.models import DateTimeField, ExpressionWrapper, F, Value
from django.db.models.functions import Coalesce, Greatest

from games.beats import Tempo, beat_durations
from matches.models import Game
from matches.replay.frame_encoding import FrameBatch, frame_encoding_of_record
from web.database import database_now


@dataclass(frozen=True, slots=True)
class GameTimes:
    """The frames of a game and the times of its broadcast, in milliseconds.

    Beat i begins ``at[i]`` milliseconds after the game begins. ``length`` is the duration of the game.
    """

    batch: FrameBatch
    at: tuple[int, ...]
    length: int

    def beats_by(self, elapsed: int) -> int:
        """Return how many beats have begun after ``elapsed`` milliseconds. Beats left out by the tempo are counted."""
        return sum(at <= elapsed for at in self.at)

    def shown(self, first_beat: int, beats: int, start: int) -> FrameBatch:
        """Return the frames of the beats ``first_beat`` to ``beats`` - 1.

        The game begins ``start`` milliseconds after T0.
        """
        aired = self.batch.beats[first_beat:beats]
        low, high = (aired[0].first, aired[-1].last + 1) if aired else (0, 0)
        return replace(self.batch.part(low, high), air=tuple(start + at for at in self.at[first_beat:beats]))


def timetable_game_times(game: int, record: bytes, tempo: str) -> GameTimes:
    """Return the times of a finished game from its stored record.

    A beat that the tempo leaves out begins together with the next beat.

    Raises:
        RecordError: the game was not played by the rules.
    """
    batch = frame_encoding_of_record(game, record)
    lasts = beat_durations(batch.beats, Tempo(tempo))
    ends = tuple(accumulate(lasts))
    return GameTimes(batch, tuple(end - last for end, last in zip(ends, lasts, strict=True)), ends[-1] if ends else 0)


def timetable_game_length(record: bytes, tempo: str) -> int:
    """Return the duration of a game's broadcast in milliseconds."""
    return timetable_game_times(0, record, tempo).length


@dataclass(frozen=True, slots=True)
class Slot:
    """A game in the broadcast of its match. It begins ``start`` milliseconds after T0, and lasts ``length``."""

    game: int
    start: int
    length: int


def timetable_slots(lengths: Sequence[tuple[int, int]]) -> tuple[Slot, ...]:
    """Return consecutive slots. ``lengths`` has the index and the duration in milliseconds of each game."""
    starts = accumulate((length for _, length in lengths), initial=0)
    return tuple(Slot(game, start, length) for (game, length), start in zip(lengths, starts, strict=False))


def timetable_slots_begun(all_slots: Sequence[Slot], elapsed: int) -> tuple[Slot, ...]:
    """Return the slots of the games that have begun ``elapsed`` milliseconds after T0."""
    return tuple(slot for slot in all_slots if slot.start <= elapsed)


def timetable_broadcast_times(length: timedelta) -> dict[str, Any]:
    """Return the start (T0) and the end of a broadcast of this ``length``, for an ``update`` of one match.

    The broadcast starts now, or at its premiere if that is in the future. After ``BROADCAST_MINUTES_MOST`` it ends even
    if games remain. The result is then shown, and the other games can be seen as replays.
    """
    length = min(length, timedelta(minutes=settings.BROADCAST_MINUTES_MOST))
    begins = Greatest(Coalesce(F("premieres_at"), database_now()), database_now())
    ends = ExpressionWrapper(begins + Value(length), output_field=DateTimeField())
    return {"airs_at": begins, "air_ends_at": ends}


def airing_milliseconds(moment: datetime) -> int:
    """Return ``moment`` in milliseconds since 1970."""
    return round(moment.timestamp() * 1000)


def broadcast_game_times(match_id: int, game: int, tempo: str) -> GameTimes:
    """Return the times of a game that has been played.

    Raises:
        Game.DoesNotExist: the match was cancelled meanwhile.
        RecordError: the record is damaged.
    """
    pk = Game.objects.values_list("pk", flat=True).get(match=match_id, index=game)
    return _times(pk, game, tempo)


@lru_cache(maxsize=32)  # each late viewer needs the times
def _times(pk: int, game: int, tempo: str) -> GameTimes:
    return timetable_game_times(game, bytes(Game.objects.values_list("record", flat=True).get(pk=pk)), tempo)
