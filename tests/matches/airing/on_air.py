"""Builders: a match that has been played and is on air, at any time of its broadcast."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from matches.models import Match, MatchState
from tests.matches.factories import MatchFactory, games_of, leased, written


def match_on_air(*, tempo: str = "every", elapsed: float = -60.0, **fields: Any) -> Match:
    """Really played; its broadcast began ``elapsed`` seconds ago, or begins that much later below zero."""
    match: Match = MatchFactory(tempo=tempo, **fields)
    play(match)
    assert match.state == MatchState.ON_AIR
    return air(match, elapsed)


def play(match: Match) -> None:
    lease = leased(match)
    assert written(lease, games_of(match))
    match.refresh_from_db()


def air(match: Match, elapsed: float) -> Match:
    """Moves T0."""
    assert match.airs_at is not None
    assert match.air_ends_at is not None
    length = match.air_ends_at - match.airs_at
    airs = timezone.now() - timedelta(seconds=elapsed)
    Match.objects.filter(pk=match.pk).update(airs_at=airs, air_ends_at=airs + length)
    match.refresh_from_db()
    return match
