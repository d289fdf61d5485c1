"""Celery tasks of the site as a whole."""

from celery import shared_task

from arena.watch.featured import featured_analyse
from bots.packages import strays_drop


@shared_task(name="site.drop_stray_packages")
def drop_stray_packages() -> None:
    """Run a few times a day."""
    strays_drop()


@shared_task(name="site.analyse_featured")
def analyse_featured() -> None:
    """Run every minute."""
    featured_analyse()
