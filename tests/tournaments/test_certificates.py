"""Certificates: what the final ranking says, at addresses that can be checked."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.arena.factories import OrganiserFactory, UserFactory
from tests.series.factories import finished_cup
from tests.tournaments.factories import TournamentFactory, bot_of
from tests.tournaments.rulings.rule import rule
from tournaments.models import Publication, Tournament, TournamentState

pytestmark = pytest.mark.django_db


def sheets(client: Client, cup: Tournament) -> str:
    answer = client.get(reverse("tournaments:certificates", args=[cup.slug]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_everybody_in_the_final_ranking_has_one_with_an_address_to_check(client: Client) -> None:
    cup = finished_cup(OrganiserFactory(username="clara"), [bot_of(UserFactory()) for _ in range(3)])
    page = sheets(client, cup)
    assert page.count('class="certificate"') == 3
    for place, entry in enumerate(cup.entries.order_by("pk"), 1):
        address = reverse("tournaments:certificate", args=[cup.slug, entry.pk])
        assert address in page.replace("<wbr>", "")
        single = client.get(address).content.decode()
        assert single.count('class="certificate"') == 1
        assert f"Place {place} of 3" in single
        assert entry.bot.name in single
        assert entry.bot.owner.username in single
        assert "clara" in single


def test_there_is_no_certificate_before_the_end_or_of_another_tournament(client: Client) -> None:
    cup = finished_cup(OrganiserFactory(), [bot_of(UserFactory()) for _ in range(2)])
    other = finished_cup(OrganiserFactory(), [bot_of(UserFactory()) for _ in range(2)])
    strange = reverse("tournaments:certificate", args=[cup.slug, other.entries.earliest("pk").pk])
    assert client.get(strange).status_code == 404
    Tournament.objects.filter(pk=cup.pk).update(state=TournamentState.RUNNING, finished_at=None)
    assert 'class="certificate"' not in sheets(Client(), cup)
    assert 'class="certificate"' not in sheets(client, TournamentFactory(state=TournamentState.OPEN))


def test_hidden_results_are_no_certificates(client: Client) -> None:
    cup = finished_cup(OrganiserFactory(), [bot_of(UserFactory()) for _ in range(2)])
    Tournament.objects.filter(pk=cup.pk).update(publication=Publication.HIDDEN)
    assert client.get(reverse("tournaments:certificates", args=[cup.slug])).status_code == 403
    entry = cup.entries.earliest("pk")
    assert client.get(reverse("tournaments:certificate", args=[cup.slug, entry.pk])).status_code == 403
    client.force_login(cup.organiser)
    assert sheets(client, cup).count('class="certificate"') == 2


def test_a_ruling_after_the_end_changes_what_is_checked(client: Client) -> None:
    cup = finished_cup(OrganiserFactory(), [bot_of(UserFactory()) for _ in range(3)])
    first, second, _third = cup.entries.order_by("pk")
    address = reverse("tournaments:certificate", args=[cup.slug, second.pk])
    assert "Place 2 of 3" in client.get(address).content.decode()
    rule(cup, "disqualify", entry=first, reason="It cheated.")
    assert "Place 1 of 3" in Client().get(address).content.decode()
    refreshed = Client().get(reverse("tournaments:certificate", args=[cup.slug, first.pk])).content.decode()
    assert 'class="certificate"' not in refreshed
    assert "disqualified" in refreshed
