"""Shared API responses of a public tournament: who gets them, and that they contain nothing personal."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.arena.factories import UserFactory
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import finish_matches, running_tournament
from tournaments.models import Publication, Tournament, TournamentState
from tournaments.services import tournament_publish
from web.page_cache import OVER_SECONDS, PLAYED_SECONDS, _topic_of
from web.topics import SHARED, topic_states

pytestmark = pytest.mark.django_db
NAMES = ("detail", "entries", "standings", "matches", "ratings", "rulings", "rounds")
LISTS = tuple(f"api-tournaments:{name}" for name in NAMES)


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@pytest.fixture
def cup() -> Tournament:
    cup = running_tournament(4, format="swiss", rounds=3)
    finish_matches(cup)
    return cup


def get_page(client: Client, name: str, cup: Tournament) -> Any:
    return client.get(reverse(name, args=[cup.slug]))


@pytest.mark.parametrize("publication", Publication.values)
def test_only_anonymous_responses_are_shared_and_only_if_public(cup: Tournament, publication: str) -> None:
    Tournament.objects.filter(pk=cup.pk).update(publication=publication)
    entry = cup.entries.order_by("pk")[0]
    arbiter = UserFactory()
    cup.arbiters.add(arbiter)
    everybody = (UserFactory(), entry.bot.owner, arbiter, cup.organiser, UserFactory(is_staff=True))
    tokens = [{"Authorization": f"Token {token_of(person)}"} for person in everybody]
    for name in LISTS:
        address = reverse(name, args=[cup.slug])
        assert (SHARED in Client().get(address)) == (publication == Publication.EVERYONE), name
        assert not any(SHARED in Client().get(address, headers=token) for token in tokens), name


def test_an_anonymous_page_has_no_csrf_token_and_is_shared_like_lists(cup: Tournament) -> None:
    answer = get_page(Client(), "tournaments:detail", cup)
    assert b"csrfmiddlewaretoken" not in answer.content
    assert not answer.cookies
    assert answer[SHARED] == f"tournament.{cup.pk} {PLAYED_SECONDS}"


def test_two_anonymous_visitors_get_the_same_response_without_token_or_cookie(cup: Tournament) -> None:
    for name in LISTS:
        first, second = (get_page(Client(), name, cup) for _ in range(2))
        start = {"status": 200, "headers": [(key.encode(), value.encode()) for key, value in first.items()]}
        assert _topic_of(start) == (f"tournament.{cup.pk}", PLAYED_SECONDS), name
        assert first.content == second.content, name
        assert b"csrfmiddlewaretoken" not in first.content, name
        assert not first.cookies, name


def test_finished_tournaments_are_cached_longer_and_drafts_never(cup: Tournament) -> None:
    Tournament.objects.filter(pk=cup.pk).update(state=TournamentState.CANCELLED)
    assert get_page(Client(), LISTS[0], cup)[SHARED] == f"tournament.{cup.pk} {OVER_SECONDS}"
    Tournament.objects.filter(pk=cup.pk).update(state=TournamentState.DRAFT)
    assert SHARED not in get_page(Client(), LISTS[0], cup)


def test_what_is_not_published_any_more_is_given_to_nobody_again(
    cup: Tournament, django_capture_on_commit_callbacks: Any
) -> None:
    topic = f"tournament.{cup.pk}"
    for publication in (Publication.HIDDEN, Publication.EVERYONE):
        before = topic_states([topic])
        with django_capture_on_commit_callbacks(execute=True):
            tournament_publish(tournament=cup, publication=publication)
        assert topic_states([topic]) != before
