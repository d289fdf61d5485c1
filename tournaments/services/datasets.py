"""The organiser offers the data set of a tournament that is over, under a licence of their choice."""

from django.db import transaction

from matches.datasets.event import DatasetLicence
from tournaments.models import Tournament, TournamentState
from tournaments.services.transitions import announce_later, locked
from web.page_cache import pages_forget


def dataset_licence_set(*, tournament: Tournament, licence: str) -> Tournament:
    """Offer the data set under this licence, or with "" no longer. The same call twice changes nothing.

    Raises:
        WrongState: the tournament is not over.
    """
    with transaction.atomic():
        tournament = locked(tournament.pk, TournamentState.FINISHED)
        wished = DatasetLicence(licence).value if licence else ""
        if Tournament.objects.filter(pk=tournament.pk).exclude(dataset_licence=wished).update(dataset_licence=wished):
            announce_later(tournament.pk)
            pages_forget()
    tournament.refresh_from_db()
    return tournament
