"""The digest of frozen entries is stored beside them: pages read it, and what follows from it stays."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.contest_luck import entries_digest
from tests.tournaments.factories import TournamentFactory, running_tournament
from tournaments import services
from tournaments.models import Luck

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]


def locked_cup(entries=3):
    return services.tournament_lock(tournament=TournamentFactory(entries=entries))


def test_entries_frozen_by_a_release_without_digests_have_the_same_luck():
    cup = locked_cup()
    stored = Luck.objects.get(tournament=cup)
    assert stored.frozen_digest == entries_digest(dict(stored.entries))
    Luck.objects.filter(tournament=cup).update(frozen_digest="")
    before = Luck.objects.get(tournament=cup)
    assert (before.entries_digest, before.value) == (stored.entries_digest, stored.value)


@pytest.mark.parametrize("begin", [locked_cup, running_tournament])
def test_pages_do_not_read_the_frozen_entries(begin):
    cup = begin(3)
    for page in ("tournaments:fairness", "api-tournaments:detail"):
        address = reverse(page, args=[cup.slug])
        with CaptureQueriesContext(connection) as queries:
            assert cup.luck.entries_digest in Client().get(address).content.decode()
        assert not [one["sql"] for one in queries if '"tournaments_luck"."entries"' in one["sql"]]
