"""Leagues pause while the code of their game is missing or fails: see ``matches.queue.stuck_games``."""

from functools import partial

from django.db.models import Q

from leagues.models import Season, SeasonState
from leagues.models.season import SEASON
from leagues.services.leagues import league_pause, league_resume
from matches.models import Match
from matches.queue.stuck_games import WatchedContest, stuck_contests_tend


def stuck_leagues_tend() -> None:
    """Pause those that are stuck, and resume those that no longer are."""
    going = Season.objects.filter(state=SeasonState.RUNNING).select_related("league")
    stuck_contests_tend(
        WatchedContest(
            key=SEASON.numbered(season.pk),
            ruleset=season.league.ruleset,
            matches=Match.objects.filter(league_match__season=season),
            because=season.league.paused_because,
            pause=partial(league_pause, league=season.league),
            resume=partial(league_resume, league=season.league),
        )
        for season in going.filter(Q(league__paused_at=None) | ~Q(league__paused_because=""))
    )
