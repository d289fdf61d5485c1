"""The channel of a game: what it shows now and next. All viewers see the same at the same time.

Time since 1970 is divided into slots of three minutes. A match that is on air, or slowed down for spectators, is shown
first. If there is none, the channel shows a finished game again, from the beginning of the slot, T0. Which game this is
follows from the number of the slot, and from the matches that had finished when the slot began. So nothing is stored,
no process has to run, and late viewers start in the middle. If no match had finished when the slot began, the channel
shows the match that finished first within the slot. T0 is then the time at which this match ended. If no match has
finished, a match that is being played is shown.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from games.beats import Tempo
from matches.airing.timetable import airing_milliseconds
from matches.models import Game, Match, MatchState
from matches.selectors import matches_on_air_or_running, matches_seats_read
from matches.visibility import matches_visible_to_everyone

SLOT_MS: Final = 180_000  # a game at the tempo "story" lasts two and a half minutes
AGAIN_MOST: Final = 20  # games of the 20 matches that finished last are shown in turn
TEMPO: Final = Tempo.STORY


@dataclass(frozen=True, slots=True)
class OnChannel:
    """Game ``game`` of ``match``, which the channel shows at ``tempo``.

    ``starts`` (T0) and ``ends`` are in milliseconds since 1970. For a match on air, ``ends`` is None: it would reveal
    the length of the match.
    """

    match: Match
    game: int
    starts: int
    ends: int | None
    tempo: str

    @property
    def is_rerun(self) -> bool:
        """Whether the match was finished before it is shown. Its result is then public, and viewers may skip to it."""
        return self.ends is not None

    @property
    def query(self) -> str:
        """The query of the player's address that keeps the player in step with all other viewers."""
        parameters = {"game": self.game + 1, "since": self.starts, "tempo": self.tempo, "autoplay": 1}
        return urlencode(parameters) if self.is_rerun else ""

    def left(self, now: datetime) -> int:
        """Return the milliseconds until the end; 0 if the end must not be revealed."""
        return max(0, self.ends - airing_milliseconds(now)) if self.ends else 0


@dataclass(frozen=True, slots=True)
class Channel:
    """What the channel shows ``now``, and ``next`` if that is known.

    A premiere is next if it begins before the end of the next slot.
    """

    now: OnChannel | None
    next: OnChannel | None


def channel_of(game: str, *, now: datetime | None = None) -> Channel:
    """Return what the channel of ``game`` ("pickomino") shows, and what comes next."""
    moment = now or timezone.now()
    slot = airing_milliseconds(moment) // SLOT_MS
    soon = _begins(slot + 2)
    premieres = _of(game).filter(state=MatchState.ON_AIR, airs_at__gt=moment, airs_at__lte=soon)
    next_ones = channel_ids_of(premieres.order_by("airs_at", "pk")[:1]).union(_recent(game, slot + 1), all=True)
    found = list(channel_matches_read(channel_numbers(game, moment).union(next_ones, all=True)))
    premiere = next(
        (one for one in found if one.state == MatchState.ON_AIR and not channel_match_is_followed(one, moment)), None
    )
    shown = channel_shows_of(game, found, now=moment)
    following = _followed(premiere, moment) if premiere else _again(game, found, slot + 1)
    matches_seats_read([one.match for one in (shown, following) if one])
    return Channel(shown, following)


def channel_shows(game: str, *, now: datetime | None = None) -> OnChannel | None:
    """Return what the channel of ``game`` shows; None if no public match of the game has been played."""
    moment = now or timezone.now()
    shown = channel_shows_of(game, list(channel_matches_read(channel_numbers(game, moment))), now=moment)
    matches_seats_read([shown.match] if shown else [])
    return shown


def channel_numbers(game: str, now: datetime) -> QuerySet[Any, Any]:
    """Return the ids of the matches that the channel of ``game`` may show now.

    ``channel_shows_of`` chooses one of them. The ids of several games can be read in one query.
    """
    live = _of(game).filter(pk__in=matches_on_air_or_running(now))
    live = live.order_by(F("airs_at").asc(nulls_last=True), "-min_action_ms", "started_at", "pk")
    slot = airing_milliseconds(now) // SLOT_MS
    first = _of(game).filter(state=MatchState.FINISHED, finished_at__gt=_begins(slot), finished_at__lte=now)
    first = first.filter(Exists(Game.objects.filter(match=OuterRef("pk")))).order_by("finished_at", "pk")
    return channel_ids_of(live[:1]).union(_recent(game, slot), channel_ids_of(first[:1]), all=True)


def channel_ids_of(matches: QuerySet[Match]) -> QuerySet[Any, Any]:
    """Return the ids of ``matches``, a slice of a query, in a form that can be part of a union."""
    return Match.objects.filter(pk__in=matches.values("pk")).order_by().values("pk")


def channel_matches_read(numbers: QuerySet[Any, Any]) -> QuerySet[Match]:
    """Return the matches with these ids. Their attribute ``played`` is the number of their stored games."""
    games = Game.objects.filter(match=OuterRef("pk")).order_by().values("match").annotate(count=Count("pk"))
    played = Coalesce(Subquery(games.values("count")), 0)
    return Match.objects.filter(pk__in=numbers).annotate(played=played)


def channel_shows_of(game: str, matches: Iterable[Match], *, now: datetime) -> OnChannel | None:
    """Return what the channel of ``game`` shows. ``matches`` must include those of ``channel_numbers``."""
    found = [one for one in matches if one.ruleset.startswith(f"{game}/")]
    live = [one for one in found if channel_match_is_followed(one, now)]
    shown = min(live, key=_in_turn, default=None)
    if shown and (shown.airs_at or shown.min_action_ms):
        return _followed(shown, now)
    slot = airing_milliseconds(now) // SLOT_MS
    again = _again(game, found, slot) or _first(found, now)
    return again or (_followed(shown, now) if shown else None)


def channel_match_is_followed(match: Match, now: datetime) -> bool:
    """Return whether ``match`` is one of ``matches_on_air_or_running``."""
    if match.state == MatchState.ON_AIR:
        return match.airs_at is not None and match.airs_at <= now
    return match.state == MatchState.RUNNING and not match.tempo


def _in_turn(match: Match) -> tuple[Any, ...]:
    """Return a sort key that gives the order of ``channel_numbers``."""
    begun = match.started_at or _begins(0)
    return match.airs_at is None, match.airs_at or _begins(0), -match.min_action_ms, begun, match.pk


def _followed(match: Match, now: datetime) -> OnChannel:
    """Return the entry of a match that is on air or is being played."""
    return OnChannel(match, 0, airing_milliseconds(match.airs_at or match.started_at or now), None, match.tempo)


def _of(game: str) -> QuerySet[Match]:
    return matches_visible_to_everyone().filter(ruleset__startswith=f"{game}/")


def _begins(slot: int) -> datetime:
    return datetime.fromtimestamp(slot * SLOT_MS / 1000, UTC)


def _recent(game: str, slot: int) -> QuerySet[Any, Any]:
    finished = _of(game).filter(state=MatchState.FINISHED, finished_at__lte=_begins(slot))
    finished = finished.filter(Exists(Game.objects.filter(match=OuterRef("pk")))).order_by("-finished_at", "-pk")
    return channel_ids_of(finished[:AGAIN_MOST])


def _again(game: str, matches: Iterable[Match], slot: int) -> OnChannel | None:
    found = [one for one in matches if one.ruleset.startswith(f"{game}/") and _is_kept(one)]
    finished = [(one.finished_at, one.pk, one) for one in found if one.finished_at and one.finished_at <= _begins(slot)]
    recent = [one for *_, one in sorted(finished, reverse=True)[:AGAIN_MOST]]
    if not recent:
        return None
    match = recent[slot % len(recent)]
    game_shown = slot // len(recent) % _played(match)
    return OnChannel(match, game_shown, slot * SLOT_MS, (slot + 1) * SLOT_MS, TEMPO)


def _first(matches: Iterable[Match], now: datetime) -> OnChannel | None:
    """Return the match that finished first. Use it if no match had finished when the slot began."""
    finished = [(one.finished_at, one.pk, one) for one in matches if _is_kept(one) and one.finished_at]
    when, _, match = min((one for one in finished if one[0] <= now), default=(None, 0, None))
    if match is None or when is None:
        return None
    slot = airing_milliseconds(now) // SLOT_MS
    return OnChannel(match, 0, airing_milliseconds(when), (slot + 1) * SLOT_MS, TEMPO)


def _is_kept(match: Match) -> bool:
    return match.state == MatchState.FINISHED and _played(match) > 0


def _played(match: Match) -> int:
    return getattr(match, "played", 0)
