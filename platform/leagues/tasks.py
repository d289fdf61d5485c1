"""What wakes leagues up. The database is the truth: losing any of these messages costs seconds, never a result."""

from celery import shared_task

from leagues.models import LeagueMatch
from leagues.models.season import SEASON
from leagues.selectors.shares import EXPIRES, REFRESH_TASK
from leagues.services import (
    digests_send,
    leagues_check,
    leagues_luck_adjusted_refit,
    leagues_refit,
    leagues_tend,
    season_schedule,
    season_shares_refresh,
)
from live import announce
from matches.queue.dispatch import result_notify_read


@shared_task(name=SEASON.finished_task)
def match_finished(match_id: int) -> None:
    """Show new results of the season of this match, and keep the workers busy."""
    result_notify_read(match_id=match_id)
    for season_id, league_id in LeagueMatch.objects.filter(match=match_id).values_list("season", "season__league"):
        if not season_schedule(season_id=season_id):
            announce(f"league.{league_id}", reload=True)


@shared_task(name="leagues.tend", expires=10)
def tend() -> None:
    """Run every few seconds."""
    leagues_tend()


@shared_task(name="leagues.refit", expires=20)
def refit() -> None:
    """Run every fraction of a minute."""
    leagues_refit()


@shared_task(name="leagues.refit_less_luck", expires=300)
def refit_less_luck() -> None:
    """Run every few minutes."""
    leagues_luck_adjusted_refit()


@shared_task(name=REFRESH_TASK, expires=EXPIRES)
def refresh_shares(season_id: int) -> None:
    """Refresh what the bots of a season won of each other, on request."""
    season_shares_refresh(season_id=season_id)


@shared_task(name="leagues.check", expires=3600)
def ladders_check() -> None:
    """Run every night."""
    leagues_check()


@shared_task(name="leagues.digest", expires=3000)
def digest() -> None:
    """Run every hour: on Mondays it sends, later what is left."""
    digests_send()
