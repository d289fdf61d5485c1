"""Staff let a league rest: no further match is chosen until it goes on. Its season's end does not wait for it."""

from django.db import transaction
from django.utils import timezone

from leagues.errors import LeagueNotPaused, LeaguePaused, NotOpen
from leagues.models import League, LeagueState
from leagues.services.announcing import announce_later


def league_pause(*, league: League) -> League:
    """Choose no further matches; the few that wait are played.

    Raises:
        NotOpen: it is a draft, or closed.
        LeaguePaused: it is paused already.
    """
    with transaction.atomic():
        going = League.objects.filter(pk=league.pk, state=LeagueState.OPEN, paused_at=None)
        if not going.update(paused_at=timezone.now()):
            league.refresh_from_db()
            raise LeaguePaused if league.state == LeagueState.OPEN else NotOpen(league.state)
        announce_later(league.pk)
    league.refresh_from_db()
    return league


def league_resume(*, league: League) -> League:
    """Choose matches again.

    Raises:
        LeagueNotPaused: it is not paused.
    """
    with transaction.atomic():
        if not League.objects.filter(pk=league.pk, paused_at__isnull=False).update(paused_at=None):
            raise LeagueNotPaused
        announce_later(league.pk)
    league.refresh_from_db()
    return league
