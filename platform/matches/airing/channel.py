"""The channel of a game: what is on now and what is next, the same for everyone who asks at the same time.

A match on air comes first. Otherwise finished games are shown again, one in each slot of three minutes since 1970, all
from the slot's beginning, T0. Which one follows from the slot and from what had been finished when it began: nothing
is stored, no process has to run for it, and whoever comes late starts in the middle.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode

from django.db.models import Count, QuerySet
from django.utils import timezone

from games.beats import Tempo
from matches.airing.selectors import milliseconds
from matches.models import Match, MatchState
from matches.selectors import matches_list

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


@dataclass(frozen=True, slots=True)
class Channel:
    """What is on, and what is next as far as it is known; a premiere is next if it begins before the next slot ends."""

    now: OnChannel | None
    next: OnChannel | None


def channel_of(game: str, *, now: datetime | None = None) -> Channel:
    """Return what the channel of ``game`` ("pickomino") shows."""
    moment = now or timezone.now()
    slot = milliseconds(moment) // SLOT_MS
    on_air = _on_air(game).filter(airs__lte=moment).order_by("airs", "pk").first()
    soon = datetime.fromtimestamp((slot + 2) * SLOT_MS / 1000, UTC)
    premiere = _on_air(game).filter(airs__gt=moment, airs__lte=soon).order_by("airs", "pk").first()
    return Channel(
        _aired(on_air) if on_air else _again(game, slot),
        _aired(premiere) if premiere else _again(game, slot + 1),
    )


def _on_air(game: str) -> QuerySet[Match]:
    return matches_list().filter(state=MatchState.ON_AIR, ruleset__startswith=f"{game}/")


def _aired(match: Match) -> OnChannel:
    assert match.airs is not None  # noqa: S101  a match on air has its times
    return OnChannel(match, 0, milliseconds(match.airs), None, match.tempo)


def _again(game: str, slot: int) -> OnChannel | None:
    begins = datetime.fromtimestamp(slot * SLOT_MS / 1000, UTC)
    finished = matches_list().filter(state=MatchState.FINISHED, ruleset__startswith=f"{game}/", finished__lte=begins)
    played = finished.annotate(played=Count("games")).filter(played__gt=0)
    lately = list(played.order_by("-finished", "-pk")[:AGAIN_MOST])
    if not lately:
        return None
    match = lately[slot % len(lately)]
    number = slot // len(lately) % match.played
    return OnChannel(match, number, slot * SLOT_MS, (slot + 1) * SLOT_MS, TEMPO)
