"""Who may not see the results of a tournament hears not even when there are some."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import running_tournament
from tournaments.models import Publication, Tournament
from web.topics import topic_ticket

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("publication", "anonymous"), [(Publication.EVERYONE, True), (Publication.HIDDEN, False)])
def test_only_pages_of_those_who_see_results_follow_the_tournament(publication: Publication, anonymous: bool) -> None:
    cup = running_tournament(entries=3, format="swiss", rounds=2)
    Tournament.objects.filter(pk=cup.pk).update(publication=publication)
    ticket = topic_ticket(f"tournament.{cup.pk}")
    where = reverse("tournaments:detail", args=[cup.slug])
    assert (ticket in Client().get(where).content.decode()) is anonymous
    assert ticket not in Client().get("/").content.decode()  # it requests what is on every few seconds
    organiser = Client()
    organiser.force_login(cup.organiser)
    assert ticket in organiser.get(where).content.decode()
