"""Where matches on air stand, many at once: for pages of small boards."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from matches.airing.selectors import milliseconds
from matches.airing.timetable import GameTimes, Slot, game_times, slots, slots_by
from matches.models import Game, MatchState
from web.clock import database_now


@dataclass(frozen=True, slots=True)
class AiredMoment:
    """The game of a match that is on air now, with its record, and the last step of it that has been shown."""

    game: int
    step: int
    record: bytes


@dataclass(frozen=True, slots=True)
class GameOnAir:
    """The game of a match that is on air; ``elapsed``: milliseconds since the match came on air."""

    slot: Slot
    tempo: str
    elapsed: int

    def moment(self, record: bytes) -> AiredMoment:
        """Return where it stands, of its ``record``."""
        times = _times(self.slot.game, record, self.tempo)
        shown = times.batch.beats[: times.beats_by(self.elapsed - self.slot.start)]
        return AiredMoment(self.slot.game, shown[-1].last if shown else 0, record)


def games_on_air(matches: Collection[int]) -> Mapping[int, GameOnAir]:
    """Return which game of the matches with these numbers is on air; none for one that is not, or whose premiere is to
    come. One query, however many.
    """
    if not matches:
        return {}
    lengths: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    shows: dict[int, tuple[str, int]] = {}
    on_air = Game.objects.filter(match__in=matches, match__state=MatchState.ON_AIR, match__airs_at__isnull=False)
    games = on_air.annotate(now=database_now()).order_by("index")
    asked = ("match", "index", "air_ms", "match__tempo", "match__airs_at", "now")
    for match, index, length, tempo, airs, now in games.values_list(*asked):
        lengths[match].append((index, length or 0))
        shows[match] = tempo, milliseconds(now) - milliseconds(airs)
    begun = {match: slots_by(slots(games), shows[match][1]) for match, games in lengths.items()}
    return {match: GameOnAir(shown[-1], *shows[match]) for match, shown in begun.items() if shown}


@lru_cache(maxsize=64)
def _times(game: int, record: bytes, tempo: str) -> GameTimes:
    return game_times(game, record, tempo)
