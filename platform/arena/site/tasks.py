"""Celery tasks of the site as a whole."""

from typing import Final

from celery import shared_task

from arena.watch.selectors import watch_featured_matches
from bots.packages import stray_packages_drop
from matches.analysis.selectors import analysis_of
from matches.analysis.services import analyses_order
from matches.models import Match

FEATURED_GAMES: Final = 2  # games of each match to analyse: those that its page and its board show first


@shared_task(name="site.drop_stray_packages")
def site_drop_stray_packages_task() -> None:
    """Delete packages without a version; scheduled a few times a day."""
    stray_packages_drop()


@shared_task(name="site.analyse_featured")
def site_analyse_featured_task() -> None:
    """Order missing analyses of featured matches; scheduled every minute."""
    site_featured_analyses_order()


def site_featured_analyses_order() -> int:
    """Order the missing analyses of the featured matches. Return how many: at most ``FEATURED_GAMES`` a match."""
    ordered = 0
    for match in watch_featured_matches():
        if value := analysis_of(match):
            one = Match.objects.filter(pk=match.pk)
            ordered += analyses_order(matches=one, value=value, games=FEATURED_GAMES)
    return ordered
