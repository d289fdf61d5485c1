"""Who may read pairings and results, and when."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.models import Audience, Match
from matches.visibility import matches_visible
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.waiting_rounds import play_round, reader_of, swiss
from tournaments import services
from tournaments.models import Publication, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]


PAGES = ("tie-breaks", "pairings", "export", "ratings")
SEEN_BY = {
    Publication.EVERYONE: {"nobody", "outsider", "entrant", "organiser", "staff"},
    Publication.PARTICIPANTS: {"entrant", "organiser", "staff"},
    Publication.HIDDEN: {"organiser", "staff"},
}


def test_pairings_and_results_are_shown_to_those_they_are_published_to():
    cup = swiss()
    play_round(cup)
    for publication in Publication:
        services.tournament_publish(tournament=cup, publication=publication)
        _shown_to_those_it_is_published_to(cup, publication)


def _shown_to_those_it_is_published_to(cup, publication):
    for kind in ("nobody", "outsider", "entrant", "organiser", "staff"):
        client, seen = Client(), kind in SEEN_BY[publication]
        if user := reader_of(cup, kind):
            client.force_login(user)
        detail = client.get(reverse("tournaments:detail", args=[cup.slug]))
        assert_clean_page(detail)
        live = client.get(reverse("tournaments:live", args=[cup.slug]))
        assert ('class="standings"' in detail.content.decode()) == seen, kind
        assert ('class="standings"' in live.content.decode()) == seen, kind
        more = {"pairings": [1], "export": ["tournament.json"]}
        for page in PAGES:
            response = client.get(reverse(f"tournaments:{page}", args=[cup.slug, *more.get(page, [])]))
            assert response.status_code == (200 if seen else 403), (kind, page)


@pytest.mark.parametrize("publication", Publication)
def test_the_secret_is_shown_together_with_the_pairings_it_reveals(client, publication):
    cup = swiss(publication=publication)
    Tournament.objects.filter(pk=cup.pk).update(state="finished", finished_at=timezone.now())
    secret = bytes(cup.luck.secret).hex()
    for kind in ("nobody", "outsider", "entrant", "organiser"):
        client.logout()
        if user := reader_of(cup, kind):
            client.force_login(user)
        page = client.get(reverse("tournaments:fairness", args=[cup.slug])).content.decode()
        assert (secret in page) == (kind in SEEN_BY[publication])
    answer = client.get(reverse("api-tournaments:detail", args=[cup.slug])).json()
    assert answer["secret"] == (secret if publication == Publication.EVERYONE else None)


def test_publishing_opens_the_matches_too_and_hiding_closes_them():
    cup = swiss(publication=Publication.HIDDEN)
    entrant, outsider = cup.entries.first().bot.owner, UserFactory()
    for publication, by_entrant, by_outsider in [("hidden", 0, 0), ("participants", 1, 0), ("everyone", 3, 3)]:
        services.tournament_publish(tournament=cup, publication=Publication(publication))
        assert matches_visible(entrant).count() == by_entrant
        assert matches_visible(outsider).count() == by_outsider
    services.tournament_publish(tournament=cup, publication=Publication.HIDDEN)
    assert not matches_visible(outsider).exists()


def test_the_matches_of_a_round_that_waits_for_the_organiser_are_nobody_elses_yet(client):
    cup = swiss(has_round_review=True)
    address = reverse("tournaments:detail", args=[cup.slug])
    assert set(Match.objects.values_list("audience", flat=True)) == {Audience.ORGANISER}
    assert "Round 1" not in client.get(address).content.decode().split('id="fixtures"')[1]
    assert client.get(reverse("tournaments:pairings", args=[cup.slug, 1])).status_code == 404
    services.tournament_publish(tournament=cup, publication=Publication.EVERYONE)
    assert not matches_visible(UserFactory()).exists()
    services.waiting_round_start(played=cup.rounds.get())
    assert matches_visible(UserFactory()).count() == 3
