"""What wakes tournaments up. The database is the truth: losing any of these messages costs seconds, never a result."""

from celery import shared_task

from matches.live import announce
from tournaments.models import Fixture
from tournaments.services import tournament_advance, tournaments_tend


@shared_task(name="tournaments.match_finished")
def match_finished(match_id: int) -> None:
    """A match has its result: show it; if it was the last of its round, draw the next one, or finish."""
    for tournament_id in Fixture.objects.filter(match=match_id).values_list("round__tournament", flat=True):
        if not tournament_advance(tournament_id=tournament_id):
            announce(f"tournament.{tournament_id}")


@shared_task(name="tournaments.sweep", expires=10)
def sweep() -> None:
    """The safety net; every few seconds."""
    tournaments_tend()
