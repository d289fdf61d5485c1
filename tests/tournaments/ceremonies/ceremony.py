"""Tournaments that are over and sealed, and their ceremonies."""

from typing import Any

from django.utils import timezone

from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.rulings.rule import played
from tournaments.models import Ceremony, Publication, Tournament
from tournaments.services import ceremony_advance, ceremony_start


def sealed(entries: int = 6, **fields: Any) -> Tournament:
    """A tournament that is over, its results shown to nobody; the entry that was made last has won."""
    return played(running_tournament(entries, **{"publication": Publication.HIDDEN, **fields}))


def all_drawn(entries: int = 4) -> Tournament:
    """One in which all share the first place."""
    cup = running_tournament(entries, publication=Publication.HIDDEN, tie_breaks=["wins", "shared", "lot"])
    finish_matches(cup, lambda entries: [0.5 for _ in entries])
    return played(cup)


def ceremony_in(cup: Tournament) -> Ceremony:
    return Ceremony.objects.get(tournament=cup)


def begun(cup: Tournament, pace: int = 0) -> Ceremony:
    ceremony_start(tournament=cup, pace=pace)
    return ceremony_in(cup)


def step(cup: Tournament) -> Ceremony:
    """Reveal the next rank."""
    ceremony_advance(tournament=cup, place=ceremony_in(cup).left or 0)
    return ceremony_in(cup)


def make_due(cup: Tournament) -> None:
    Ceremony.objects.filter(tournament=cup).update(due_at=timezone.now())


def ranks_shown(cup: Tournament) -> list[tuple[int, list[int]]]:
    """Rank and entries, in the order in which they were revealed."""
    return [(one["rank"], [bot["entry"] for bot in one["bots"]]) for one in ceremony_in(cup).revealed]
