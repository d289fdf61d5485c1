"""Celery tasks of the site as a whole."""

from celery import shared_task

from arena.watch.featured import featured_analyse


@shared_task(name="site.analyse_featured")
def analyse_featured() -> None:
    """Run every minute."""
    featured_analyse()
