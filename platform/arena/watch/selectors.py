"""Choose the matches to show by how close they are, how strong their bots are, and how recent they are."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Max
from django.utils import timezone

from contests.audience import audience_public
from leagues.models import Rating, RatingSnapshot, SeasonState
from matches.airing.channel import (
    OnChannel,
    channel_ids_of,
    channel_match_is_followed,
    channel_matches_read,
    channel_numbers,
    channel_shows,
    channel_shows_of,
)
from matches.models import Match, MatchState
from matches.replay.pictures import MatchPicture, match_picture_boards
from matches.selectors import matches_recent, matches_running, matches_seats_read
from web.optional import optional

BOARDS: Final = 7  # the featured one and six small ones
JUST_IN: Final = 6
RUNNING_LOOKED_AT, FINISHED_LOOKED_AT = 16, 48  # the newest matches of each kind, of which the best are shown
HALF_LIFE_HOURS: Final = 6.0  # hours after which a finished match is worth half as much
UNKNOWN_STRENGTH, UNKNOWN_CLOSENESS = 0.4, 0.7
LIVE_BONUS: Final = 2.0
AGAIN: Final = 0.6  # the factor on the worth of a second board of the same game; for a third, its square, and so on


@dataclass(frozen=True, slots=True)
class WatchSchedule:
    """What to watch. ``on`` is the match that the channel shows. ``boards`` begin with that match, followed by the best
    others. ``just_in`` are the latest finished matches, without results. ``is_missing`` tells that the schedule could
    not be computed.
    """

    on: OnChannel | None
    boards: Sequence[MatchPicture]
    just_in: Sequence[Match]
    is_missing: bool = False


@optional("programme", lambda *_game: WatchSchedule(None, (), (), is_missing=True))
def watch_schedule(game: str = "") -> WatchSchedule:
    """Return the schedule of one ``game``, or of all games. For all games, ``on`` is what the channel of one game
    shows: the game of the match that is most worth watching.
    """
    now = timezone.now()
    found = _found(game, now)
    live, finished = _candidates(found, now)
    on = channel_shows_of(game, found, now=now) if game else None
    matches_seats_read([*live, *finished, *([on.match] if on else [])])
    worths = _worths([*live, *finished], now)
    if not game and worths:
        best = max(worths, key=lambda one: worths[one])
        on = channel_shows(best.ruleset.partition("/")[0], now=now)
    boards = match_picture_boards(_chosen(worths, [on.match] if on else []))
    return WatchSchedule(on, list(boards.values()), finished[:JUST_IN])


def watch_featured_matches() -> list[Match]:
    """Return the finished matches that have a board."""
    now = timezone.now()
    live, finished = _candidates(_found("", now), now)
    matches_seats_read([*live, *finished])
    worths = _worths([*live, *finished], now)
    return [match for match in _chosen(worths, []) if match in finished]


def watch_match_worth(match: Match, strengths: Mapping[int, float], now: datetime) -> float:
    """Return how much a match is worth watching: the product of closeness, strength and freshness, each from 0 to 1.

    ``strengths`` are mean ratings in logits, by version of a bot. A live match has no freshness; it gets the factor
    ``LIVE_BONUS`` instead.
    """
    known = [_chance(strengths[seat.version_id]) for seat in match.seats.all() if seat.version_id in strengths]
    strength = sum(known) / len(known) if known else UNKNOWN_STRENGTH
    if match.finished_at is None:
        return LIVE_BONUS * UNKNOWN_CLOSENESS * strength
    hours = max((now - match.finished_at).total_seconds() / 3600, 0)
    fresh: float = 0.5 ** (hours / HALF_LIFE_HOURS)
    return _closeness(match) * strength * fresh


def _found(game: str, now: datetime) -> list[Match]:
    """Return the candidates with one query. For one ``game``, also include the matches that its channel may show."""
    lists = matches_running(now), matches_recent()
    if game:
        lists = lists[0].filter(ruleset__startswith=f"{game}/"), lists[1].filter(ruleset__startswith=f"{game}/")
    running, finished = lists[0][:RUNNING_LOOKED_AT], lists[1][:FINISHED_LOOKED_AT]
    numbers = channel_ids_of(running).union(channel_ids_of(finished), all=True)
    return list(channel_matches_read(numbers.union(channel_numbers(game, now), all=True) if game else numbers))


def _candidates(found: Sequence[Match], now: datetime) -> tuple[list[Match], list[Match]]:
    """Return the live matches and the finished ones, newest first."""
    running = [(one.started_at or now, one.pk, one) for one in found if channel_match_is_followed(one, now)]
    finished = [(one.finished_at, one.pk, one) for one in found if one.state == MatchState.FINISHED]
    return (
        [one for *_, one in sorted(running, reverse=True)[:RUNNING_LOOKED_AT]],
        [one for *_, one in sorted(finished, reverse=True)[:FINISHED_LOOKED_AT]],
    )


def _worths(matches: Sequence[Match], now: datetime) -> dict[Match, float]:
    strengths = _strengths(seat.version_id for match in matches for seat in match.seats.all())
    return {match: watch_match_worth(match, strengths, now) for match in matches}


def _chosen(worths: Mapping[Match, float], chosen: list[Match]) -> list[Match]:
    """Return the matches for the boards: those that are ``chosen`` already, then the best others in descending order.

    A further board of the same game is worth less.
    """
    shown = Counter(match.ruleset for match in chosen)
    left = {match: value for match, value in worths.items() if match not in chosen}
    while left and len(chosen) < BOARDS:
        best = max(left, key=lambda one: left[one] * AGAIN ** shown[one.ruleset])
        shown[best.ruleset] += 1
        chosen.append(best)
        del left[best]
    return chosen


def _strengths(versions: Iterable[int]) -> dict[int, float]:
    """Return mean ratings by version, from the last refits of the running seasons."""
    public = RatingSnapshot.objects.filter(audience_public("season__league__"), season__state=SeasonState.RUNNING)
    last = public.values("season").annotate(last=Max("pk"))
    rated = Rating.objects.filter(snapshot__in=last.values("last"), entry__version__in=set(versions))
    return dict(rated.order_by().values_list("entry__version", "mean"))


def _chance(mean: float) -> float:
    """Return the chance to beat an average bot, for a rating in logits."""
    return 1 / (1 + math.exp(-mean))


def _closeness(match: Match) -> float:
    """Return 1 if the two best bots have the same score, and less the larger the winner's lead."""
    scores = sorted((seat.score or 0 for seat in match.seats.all()), reverse=True)
    games = match.blocks_most * len(scores)
    return 1 - (scores[0] - scores[1]) / games if len(scores) > 1 and games else UNKNOWN_CLOSENESS
