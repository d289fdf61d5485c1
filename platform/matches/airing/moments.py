"""Where matches on air stand, many at once: for pages of small boards."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Q

from matches.airing.selectors import milliseconds
from matches.airing.timetable import GameTimes, Slot, game_times, slots, slots_by
from matches.models import Game, Match, MatchState
from web.clock import database_now


@dataclass(frozen=True, slots=True)
class AiredMoment:
    """The game of a match that is on air now, with its record, and the last step of it that has been shown."""

    game: int
    step: int
    record: bytes


def moments_on_air(matches: Collection[int]) -> Mapping[int, AiredMoment]:
    """Return where the matches with these numbers stand; none for one that is not on air, or whose premiere is to come.

    Three queries, however many.
    """
    on_air = Match.objects.filter(pk__in=matches, state=MatchState.ON_AIR).annotate(now=database_now())
    shows = {
        pk: (tempo, milliseconds(now) - milliseconds(airs))
        for pk, tempo, airs, now in on_air.values_list("pk", "tempo", "airs_at", "now")
        if airs is not None
    }
    current = _current({pk: elapsed for pk, (_, elapsed) in shows.items()})
    found = {}
    for match, index, record in _records({pk: slot.game for pk, slot in current.items()}):
        (tempo, elapsed), slot = shows[match], current[match]
        times = _times(index, record, tempo)
        shown = times.batch.beats[: times.beats_by(elapsed - slot.start)]
        found[match] = AiredMoment(index, shown[-1].last if shown else 0, record)
    return found


def _current(elapsed: Mapping[int, int]) -> dict[int, Slot]:
    lengths: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    games = Game.objects.filter(match__in=elapsed).order_by("index") if elapsed else Game.objects.none()
    for match, index, length in games.values_list("match", "index", "air_ms"):
        lengths[match].append((index, length or 0))
    begun = {match: slots_by(slots(games), elapsed[match]) for match, games in lengths.items()}
    return {match: shown[-1] for match, shown in begun.items() if shown}


def _records(games: Mapping[int, int]) -> list[tuple[int, int, bytes]]:
    wanted = Q(pk__in=[])
    for match, index in games.items():
        wanted |= Q(match=match, index=index)
    found = Game.objects.filter(wanted).values_list("match", "index", "record") if games else ()
    return [(match, index, bytes(record)) for match, index, record in found]


@lru_cache(maxsize=64)
def _times(game: int, record: bytes, tempo: str) -> GameTimes:
    return game_times(game, record, tempo)
