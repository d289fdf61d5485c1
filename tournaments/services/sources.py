"""What is given away of a tournament that is over: the sources of the versions that played, once its results are
public, and the data set, under a licence that the organiser chooses."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.datasets.event import DatasetLicence
from tournaments.errors import SourcesRefused
from tournaments.models import Publication, Tournament, TournamentState
from tournaments.selectors.rounds.clock import AHEAD_MOST
from tournaments.services.transitions import announce_later, tournament_locked
from web.page_cache import pages_forget

TO_COME: Final = tuple(state for state in TournamentState if state != TournamentState.CANCELLED)


def sources_move(*, tournament: Tournament, when: datetime | None) -> None:
    """Have the sources released at ``when``, or as soon as results are public if that is later; with None the organiser
    releases them. The same call twice changes nothing.

    Raises:
        SourcesRefused: they are not to be released or have been, or the time has passed or is too far away.
        WrongState: the tournament was cancelled.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, *TO_COME)
        _announced_require(tournament)
        if tournament.sources_released_at is not None:
            raise SourcesRefused(_("The sources have been released already."))
        if (tournament.sources_at, tournament.sources_by_hand) == (when, when is None):
            return
        now = timezone.now()
        if when is not None and not now < when <= now + AHEAD_MOST:
            raise SourcesRefused(_("Choose a time in the future, at most two years ahead."))
        Tournament.objects.filter(pk=tournament.pk, sources_released_at=None).update(
            sources_at=when, sources_by_hand=when is None
        )
        announce_later(tournament.pk)


def sources_release(*, tournament: Tournament) -> Tournament:
    """Let whoever sees the results read the sources. Released twice, nothing changes.

    Raises:
        SourcesRefused: that was not announced, or the results are not public.
        WrongState: the tournament is not over.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, TournamentState.FINISHED)
        _announced_require(tournament)
        if tournament.publication != Publication.EVERYONE:
            raise SourcesRefused(_("The sources can be released once results are public."))
        due = Tournament.objects.filter(pk=tournament.pk, sources_released_at=None)
        if due.update(sources_released_at=timezone.now()):
            announce_later(tournament.pk)
            pages_forget()
    tournament.refresh_from_db()
    return tournament


def _announced_require(tournament: Tournament) -> None:
    if not tournament.releases_sources:
        raise SourcesRefused(_("This tournament was announced without a release of sources."))


def dataset_licence_set(*, tournament: Tournament, licence: str) -> Tournament:
    """Offer the data set under this licence, or with "" no longer. The same call twice changes nothing.

    Raises:
        WrongState: the tournament is not over.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, TournamentState.FINISHED)
        wished = DatasetLicence(licence).value if licence else ""
        if Tournament.objects.filter(pk=tournament.pk).exclude(dataset_licence=wished).update(dataset_licence=wished):
            announce_later(tournament.pk)
            pages_forget()
    tournament.refresh_from_db()
    return tournament
