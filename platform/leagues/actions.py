"""What the organiser does to a league: pages and the API do it by this table.

Settings and members are not in it, because form and operation read different things.
"""

from typing import Any, Final

from contests.actions import Action
from leagues.services import (
    league_close,
    league_open,
    league_pause,
    league_resume,
    season_dataset_licence_set,
    season_end,
    season_start,
)
from leagues.views.downloads import own_season
from leagues.views.lookups import own_league
from matches.datasets.page import DatasetOfferSerializer


def _button(summary: str, service: Any) -> Action:
    return Action(own_league, service, "league", summary)


ACTIONS: Final = {
    "open": _button("Open a league: its first season begins", league_open),
    "end-season": _button("End the season that is running", season_end),
    "next-season": _button("Begin the next season", season_start),
    "pause": _button("Pause a league: no further matches are chosen", league_pause),
    "resume": _button("Let a paused league go on", league_resume),
    "close": _button("Close a league", league_close),
}
DATASET: Final = Action(
    *(own_season, season_dataset_licence_set, "season", "Offer the data set of a season under a licence"),
    "Once the season is over; who sees the league downloads it. For the organiser.",
    asked=DatasetOfferSerializer,
)
