"""The channel of a game: what is on now and what is next, the same for everyone who asks at the same time.

A match on air comes first, or one that is slowed down to be watched. Otherwise finished games are shown again, one in
each slot of three minutes since 1970, all from the slot's beginning, T0. Which one follows from the slot and from what
had been finished when it began: nothing is stored, no process has to run for it, and whoever comes late starts in the
middle. On a young site the first match that was finished is shown from its end on.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode

from django.db.models import Count, Exists, F, OuterRef, QuerySet
from django.utils import timezone

from games.beats import Tempo
from matches.airing.selectors import milliseconds
from matches.models import Game, Match, MatchState
from matches.selectors import matches_followed, matches_list

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
        """Return how many milliseconds it stays on; 0 if that is not to be told."""
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
    soon = datetime.fromtimestamp((slot + 2) * SLOT_MS / 1000, UTC)
    premiere = (
        _of(game)
        .filter(state=MatchState.ON_AIR, airs_at__gt=moment, airs_at__lte=soon)
        .order_by("airs_at", "pk")
        .first()
    )
    following = _followed(premiere, moment) if premiere else _again(game, slot + 1)
    return Channel(on_channel(game, now=moment), following)


def on_channel(game: str, *, now: datetime | None = None) -> OnChannel | None:
    """Return what the channel of ``game`` shows; None if nothing of it was ever played for everyone."""
    moment = now or timezone.now()
    live = _of(game).filter(pk__in=matches_followed(moment))
    shown = live.order_by(F("airs_at").asc(nulls_last=True), "-min_action_ms", "started_at", "pk").first()
    if shown and (shown.airs_at or shown.min_action_ms):
        return _followed(shown, moment)
    again = _again(game, milliseconds(moment) // SLOT_MS) or _first(game, moment)
    return again or (_followed(shown, moment) if shown else None)


def _followed(match: Match, now: datetime) -> OnChannel:
    """Return a match on air, or one that is being played."""
    return OnChannel(match, 0, milliseconds(match.airs_at or match.started_at or now), None, match.tempo)


def _of(game: str) -> QuerySet[Match]:
    return matches_list().filter(ruleset__startswith=f"{game}/")


def _again(game: str, slot: int) -> OnChannel | None:
    begins = datetime.fromtimestamp(slot * SLOT_MS / 1000, UTC)
    finished = _of(game).filter(Exists(Game.objects.filter(match=OuterRef("pk"))))
    finished = finished.filter(state=MatchState.FINISHED, finished_at__lte=begins)
    lately = list(finished.order_by("-finished_at", "-pk").values_list("pk", flat=True)[:AGAIN_MOST])
    if not lately:
        return None
    match = matches_list().annotate(played=Count("games")).get(pk=lately[slot % len(lately)])
    games = match.played
    return OnChannel(match, slot // len(lately) % games, slot * SLOT_MS, (slot + 1) * SLOT_MS, TEMPO)


def _first(game: str, now: datetime) -> OnChannel | None:
    """Return the first match of all, where nothing was finished before this slot."""
    finished = _of(game).filter(state=MatchState.FINISHED, finished_at__lte=now, games__index=0)
    match = finished.order_by("finished_at", "pk").first()
    if match is None or match.finished_at is None:
        return None
    slot = milliseconds(now) // SLOT_MS
    return OnChannel(match, 0, milliseconds(match.finished_at), (slot + 1) * SLOT_MS, TEMPO)
