"""The demo's series: one for each game, over the cups that the house bots play."""

from contextlib import suppress

from arena.accounts.models import User
from games.catalogue import GAMES
from games.game import CatalogueGame
from series.errors import SeriesRefused
from series.models import TournamentSeries
from series.services import series_add, series_create
from tournaments.models import Tournament, TournamentState


def demo_series_ensure(*, organiser: User) -> list[TournamentSeries]:
    """Return a series for each game that has cups, with all cups of ``organiser`` that are public and in no series.
    Idempotent; what a series does not take, such as one too many, stays outside."""
    return [_series_of(game, organiser) for game in GAMES.values() if game.cups]


def _series_of(game: CatalogueGame, organiser: User) -> TournamentSeries:
    found = TournamentSeries.objects.filter(organiser=organiser, game=game.name).order_by("pk").first()
    series = found or series_create(
        organiser=organiser,
        name=f"{game.title} Series",
        game=game.name,
        description="Points for the places in each cup of the demo; the three best cups count.",
        best=3,
    )
    cups = Tournament.objects.filter(organiser=organiser, series_event=None, ruleset__startswith=f"{game.name}/")
    for cup in cups.exclude(state__in=(TournamentState.DRAFT, TournamentState.CANCELLED)).order_by("created_at", "pk"):
        with suppress(SeriesRefused):
            series_add(series=series, tournament=cup)
    return series
