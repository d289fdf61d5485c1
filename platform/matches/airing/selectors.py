"""Read what is on air now, by the clock of the database."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from matches.airing.timetable import (
    GameTimes,
    Slot,
    airing_milliseconds,
    broadcast_game_times,
    timetable_game_times,
    timetable_slots,
    timetable_slots_begun,
)
from matches.models import Audience, Game, Match, MatchState
from matches.replay.frame_encoding import FrameBatch
from matches.visibility import matches_visible_to_audience
from web.database import database_now


@dataclass(frozen=True, slots=True)
class OnAir:
    """A match on air. Its games follow each other from ``begins`` (T0) on.

    ``begins`` and ``now`` are in milliseconds since 1970.
    """

    match_id: int
    attempt: int
    tempo: str
    begins: int
    now: int
    slots: tuple[Slot, ...]

    @property
    def elapsed(self) -> int:
        """Milliseconds since T0; negative before it."""
        return self.now - self.begins

    @property
    def game(self) -> int:
        """The index of the game that is shown now; before T0, the index of the first game."""
        begun = timetable_slots_begun(self.slots, self.elapsed)
        return begun[-1].game if begun else self.slots[0].game


def broadcast_read(match_id: int, audience: Audience) -> OnAir | None:
    """Return the broadcast of a match; None if it is not on air, or is not visible to this audience."""
    row = (
        matches_visible_to_audience(audience)
        .filter(pk=match_id, state=MatchState.ON_AIR)
        .annotate(now=database_now())
        .values_list("attempt", "tempo", "airs_at", "now")
        .first()
    )
    if row is None:
        return None
    attempt, tempo, airs, now = row
    assert airs is not None  # noqa: S101  a match on air has its times
    lengths = Game.objects.filter(match=match_id).order_by("index").values_list("index", "air_ms")
    games = timetable_slots([(index, length or 0) for index, length in lengths])
    return (
        OnAir(match_id, attempt, tempo, airing_milliseconds(airs), airing_milliseconds(now), games) if games else None
    )


def broadcast_on_air(match: Match) -> OnAir | None:
    """Return the broadcast of a match that the reader may see; None if it is not on air."""
    return broadcast_read(match.pk, Audience(match.audience)) if match.state == MatchState.ON_AIR else None


def broadcast_frames_aired(show: OnAir, game: int) -> FrameBatch | None:
    """Return the frames of ``game`` that have been on air so far; None if the game has not begun.

    Raises:
        Game.DoesNotExist, RecordError: see ``broadcast_game_times``.
    """
    slot = next((one for one in timetable_slots_begun(show.slots, show.elapsed) if one.game == game), None)
    if slot is None:
        return None
    times = broadcast_game_times(show.match_id, game, show.tempo)
    return times.shown(0, times.beats_by(show.elapsed - slot.start), slot.start)


@dataclass(frozen=True, slots=True)
class AiredMoment:
    """The game of a match that is on air now, with its record and the last step that was shown."""

    game: int
    step: int
    record: bytes


@dataclass(frozen=True, slots=True)
class GameOnAir:
    """The game of a match that is on air. ``elapsed`` is the time since T0 in milliseconds."""

    slot: Slot
    tempo: str
    elapsed: int

    def moment(self, record: bytes) -> AiredMoment:
        """Return the last step shown of the game with this ``record``."""
        times = _record_times(self.slot.game, record, self.tempo)
        shown = times.batch.beats[: times.beats_by(self.elapsed - self.slot.start)]
        return AiredMoment(self.slot.game, shown[-1].last if shown else 0, record)


def broadcast_games(matches: Collection[int]) -> Mapping[int, GameOnAir]:
    """Return, by match id, the game that is on air. Matches that are not on air, or whose T0 is to come, are left out.

    This takes one query for all matches.
    """
    if not matches:
        return {}
    lengths: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    shows: dict[int, tuple[str, int]] = {}
    on_air = Game.objects.filter(match__in=matches, match__state=MatchState.ON_AIR, match__airs_at__isnull=False)
    games = on_air.annotate(now=database_now()).order_by("index")
    columns = ("match", "index", "air_ms", "match__tempo", "match__airs_at", "now")
    for match, index, length, tempo, airs, now in games.values_list(*columns):
        lengths[match].append((index, length or 0))
        shows[match] = tempo, airing_milliseconds(now) - airing_milliseconds(airs)
    begun = {match: timetable_slots_begun(timetable_slots(games), shows[match][1]) for match, games in lengths.items()}
    return {match: GameOnAir(shown[-1], *shows[match]) for match, shown in begun.items() if shown}


@lru_cache(maxsize=64)
def _record_times(game: int, record: bytes, tempo: str) -> GameTimes:
    return timetable_game_times(game, record, tempo)
