"""Celery tasks of leagues. If a task is lost, a later one does its work: all state is in the database."""

from celery import shared_task

from leagues.models import LeagueMatch
from leagues.models.season import SEASON
from leagues.selectors.shares import EXPIRES, REFRESH_TASK
from leagues.services import (
    league_digests_send,
    leagues_check,
    leagues_luck_adjusted_refit,
    leagues_refit,
    leagues_tend,
    season_schedule,
    season_shares_refresh,
)
from live import hub_announce
from matches.queue.dispatch import dispatch_result_read


@shared_task(name=SEASON.finished_task)
def league_match_finished(match_id: int) -> None:
    """Queue further matches of this match's season. If none are needed, announce the new result to its league."""
    dispatch_result_read(match_id=match_id)
    for season_id, league_id in LeagueMatch.objects.filter(match=match_id).values_list("season", "season__league"):
        if not season_schedule(season_id=season_id):
            hub_announce(f"league.{league_id}", reload=True)


@shared_task(name="leagues.tend", expires=10)
def leagues_tend_task() -> None:
    """Do everything that is due in leagues. Runs every few seconds."""
    leagues_tend()


@shared_task(name="leagues.refit", expires=20)
def leagues_refit_task() -> None:
    """Refit ladders that changed. Runs several times a minute."""
    leagues_refit()


@shared_task(name="leagues.refit_less_luck", expires=300)
def leagues_luck_adjusted_refit_task() -> None:
    """Refit luck-adjusted ratings. Runs every few minutes."""
    leagues_luck_adjusted_refit()


@shared_task(name=REFRESH_TASK, expires=EXPIRES)
def season_shares_refresh_task(season_id: int) -> None:
    """Refresh the shares of games that the bots of a season won of each other. Sent by readers."""
    season_shares_refresh(season_id=season_id)


@shared_task(name="leagues.check", expires=3600)
def leagues_check_task() -> None:
    """Compare ladders with fits from scratch. Runs every night."""
    leagues_check()


@shared_task(name="leagues.digest", expires=3000)
def league_digests_send_task() -> None:
    """Send weekly digests. Runs every hour: most are sent on Mondays, the rest later."""
    league_digests_send()
