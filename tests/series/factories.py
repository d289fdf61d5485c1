"""Series and their events, one line each."""

from collections.abc import Sequence
from typing import Any

from series.models import SeriesEvent, TournamentSeries
from tests.arena.factories import OrganiserFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory, finish_matches
from tournaments.models import Tournament
from tournaments.services import tournament_advance, tournament_start


def series_of(organiser: Any = None, *tournaments: Tournament, **fields: Any) -> TournamentSeries:
    """A series with these tournaments; 10, 6 and 3 points for places."""
    number = TournamentSeries.objects.count() + 1
    made = TournamentSeries.objects.create(
        organiser=organiser or OrganiserFactory(),
        **{
            "name": f"Series {number}",
            "slug": f"series-{number}",
            "game": "pickomino",
            "place_points": [10, 6, 3],
            **fields,
        },
    )
    for one in tournaments:
        SeriesEvent.objects.create(series=made, tournament=one)
    return made


def finished_cup(organiser: Any, bots: Sequence[Any], **fields: Any) -> Tournament:
    """A round robin of ``bots`` that is over; they end in this order."""
    cup = TournamentFactory(organiser=organiser, **fields)
    entries = [EntryFactory(tournament=cup, bot=bot) for bot in bots]
    place = {entry.pk: at for at, entry in enumerate(entries)}
    tournament_start(tournament=cup)
    finish_matches(
        cup, lambda seated: [sum(place[one] < place[other] for other in seated) / (len(seated) - 1) for one in seated]
    )
    assert tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    return cup
