"""The channel of a game: what is on now and what is next, the same for everyone who asks at the same time.

A match on air comes first, or one that is slowed down to be watched. Otherwise finished games are shown again, one in
each slot of three minutes since 1970, all from the slot's beginning, T0. Which one follows from the slot and from what
had been finished when it began: nothing is stored, no process has to run for it, and late viewers start in the
middle. On a young site the first match that was finished is shown from its end on.
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
from matches.airing.selectors import milliseconds
from matches.models import Game, Match, MatchState
from matches.selectors import matches_followed, people_read
from matches.visibility import matches_public

SLOT_MS: Final = 180_000  # a story lasts two and a half minutes
AGAIN_MOST: Final = 20  # the matches that were finished last take turns
TEMPO: Final = Tempo.STORY


@dataclass(frozen=True, slots=True)
class OnChannel:
    """Game ``game`` of ``match`` from ``starts`` on, T0 in milliseconds since 1970, at ``tempo``.

    ``ends`` is None for a match on air: that would tell how long it is.
    """

    match: Match
    game: int
    starts: int
    ends: int | None
    tempo: str

    @property
    def is_rerun(self) -> bool:
        """Whether it was finished before: its result is no secret, and may be skipped to."""
        return self.ends is not None

    @property
    def query(self) -> str:
        """What the address of the player needs to show it in step with everyone."""
        asked = {"game": self.game + 1, "since": self.starts, "tempo": self.tempo, "autoplay": 1}
        return urlencode(asked) if self.is_rerun else ""

    def left(self, now: datetime) -> int:
        """Return how many milliseconds it stays on; 0 if that is not to be shown."""
        return max(0, self.ends - milliseconds(now)) if self.ends else 0


@dataclass(frozen=True, slots=True)
class Channel:
    """What is on, and what is next as far as it is known; a premiere is next if it begins before the next slot ends."""

    now: OnChannel | None
    next: OnChannel | None


def channel_of(game: str, *, now: datetime | None = None) -> Channel:
    """Return what the channel of ``game`` ("pickomino") shows, and what comes next."""
    moment = now or timezone.now()
    slot = milliseconds(moment) // SLOT_MS
    soon = _begins(slot + 2)
    premieres = _of(game).filter(state=MatchState.ON_AIR, airs_at__gt=moment, airs_at__lte=soon)
    next_ones = numbers_of(premieres.order_by("airs_at", "pk")[:1]).union(_lately(game, slot + 1), all=True)
    found = list(matches_with_games(channel_numbers(game, moment).union(next_ones, all=True)))
    premiere = next((one for one in found if one.state == MatchState.ON_AIR and not is_followed(one, moment)), None)
    shown = on_channel_of(game, found, now=moment)
    following = _followed(premiere, moment) if premiere else _again(game, found, slot + 1)
    people_read([one.match for one in (shown, following) if one])
    return Channel(shown, following)


def on_channel(game: str, *, now: datetime | None = None) -> OnChannel | None:
    """Return what the channel of ``game`` shows; None if nothing of it was ever played for everyone."""
    moment = now or timezone.now()
    shown = on_channel_of(game, list(matches_with_games(channel_numbers(game, moment))), now=moment)
    people_read([shown.match] if shown else [])
    return shown


def channel_numbers(game: str, now: datetime) -> QuerySet[Any, Any]:
    """Return the numbers of the matches of which the channel of ``game`` shows one: for a list that is read at once."""
    live = _of(game).filter(pk__in=matches_followed(now))
    live = live.order_by(F("airs_at").asc(nulls_last=True), "-min_action_ms", "started_at", "pk")
    slot = milliseconds(now) // SLOT_MS
    first = _of(game).filter(state=MatchState.FINISHED, finished_at__gt=_begins(slot), finished_at__lte=now)
    first = first.filter(Exists(Game.objects.filter(match=OuterRef("pk")))).order_by("finished_at", "pk")
    return numbers_of(live[:1]).union(_lately(game, slot), numbers_of(first[:1]), all=True)


def numbers_of(matches: QuerySet[Match]) -> QuerySet[Any, Any]:
    """Return the numbers of so many of the first ones, as a part of a union."""
    return Match.objects.filter(pk__in=matches.values("pk")).order_by().values("pk")


def matches_with_games(numbers: QuerySet[Any, Any]) -> QuerySet[Match]:
    """Return the matches with these ``numbers``, each with ``played``: how many games of it are kept."""
    games = Game.objects.filter(match=OuterRef("pk")).order_by().values("match").annotate(count=Count("pk"))
    played = Coalesce(Subquery(games.values("count")), 0)
    return Match.objects.filter(pk__in=numbers).annotate(played=played)


def on_channel_of(game: str, matches: Iterable[Match], *, now: datetime) -> OnChannel | None:
    """Return what the channel of ``game`` shows, of ``matches`` with games, those of ``channel_numbers`` among them."""
    found = [one for one in matches if one.ruleset.startswith(f"{game}/")]
    live = [one for one in found if is_followed(one, now)]
    shown = min(live, key=_in_turn, default=None)
    if shown and (shown.airs_at or shown.min_action_ms):
        return _followed(shown, now)
    slot = milliseconds(now) // SLOT_MS
    again = _again(game, found, slot) or _first(found, now)
    return again or (_followed(shown, now) if shown else None)


def is_followed(match: Match, now: datetime) -> bool:
    """Tell whether ``match`` is one of ``matches_followed``."""
    if match.state == MatchState.ON_AIR:
        return match.airs_at is not None and match.airs_at <= now
    return match.state == MatchState.RUNNING and not match.tempo


def _in_turn(match: Match) -> tuple[Any, ...]:
    """Order matches as ``channel_numbers`` does."""
    begun = match.started_at or _begins(0)
    return match.airs_at is None, match.airs_at or _begins(0), -match.min_action_ms, begun, match.pk


def _followed(match: Match, now: datetime) -> OnChannel:
    """Return a match on air, or one that is being played."""
    return OnChannel(match, 0, milliseconds(match.airs_at or match.started_at or now), None, match.tempo)


def _of(game: str) -> QuerySet[Match]:
    return matches_public().filter(ruleset__startswith=f"{game}/")


def _begins(slot: int) -> datetime:
    return datetime.fromtimestamp(slot * SLOT_MS / 1000, UTC)


def _lately(game: str, slot: int) -> QuerySet[Any, Any]:
    finished = _of(game).filter(state=MatchState.FINISHED, finished_at__lte=_begins(slot))
    finished = finished.filter(Exists(Game.objects.filter(match=OuterRef("pk")))).order_by("-finished_at", "-pk")
    return numbers_of(finished[:AGAIN_MOST])


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
    """Return the first match of all, where nothing was finished before this slot."""
    finished = [(one.finished_at, one.pk, one) for one in matches if _is_kept(one) and one.finished_at]
    when, _, match = min((one for one in finished if one[0] <= now), default=(None, 0, None))
    if match is None or when is None:
        return None
    slot = milliseconds(now) // SLOT_MS
    return OnChannel(match, 0, milliseconds(when), (slot + 1) * SLOT_MS, TEMPO)


def _is_kept(match: Match) -> bool:
    return match.state == MatchState.FINISHED and _played(match) > 0


def _played(match: Match) -> int:
    return getattr(match, "played", 0)
