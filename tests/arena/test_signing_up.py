"""Sign-ups from one address: a class may, a flood may not, and a refusal says how long to wait."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from tests.arena.factories import PASSWORD, UserFactory
from tests.tournaments.factories import TournamentFactory
from tournaments.models import Tournament
from tournaments.services import tournament_invitation_make, tournament_invitation_withdraw

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    cache.clear()


def sign_up(number: int, client: Client | None = None, **changed: str) -> Any:
    typed = {"username": f"pupil{number}", "email": f"pupil{number}@example.org"}
    typed |= {"password1": PASSWORD, "password2": PASSWORD} | changed
    return (client or Client()).post(reverse("account_signup"), typed)


def limits(settings: Any, **changed: str) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | changed


def invitation() -> tuple[Tournament, str]:
    """An event, and the link to it."""
    cup = TournamentFactory(admission="invited", state="open")
    return cup, reverse("tournaments:invited", args=[cup.slug, tournament_invitation_make(tournament=cup, known=0)])


def opened(link: str) -> Client:
    client = Client()
    client.get(link)
    return client


def test_a_class_signs_up_at_once_and_wrong_input_delays_nobody() -> None:
    for number in range(30):
        assert sign_up(number, password2="something else").status_code == 200
        assert sign_up(number).status_code == 302
    assert User.objects.count() == 30


def test_a_refused_sign_up_says_how_long_to_wait(settings: Any) -> None:
    limits(settings, signup_done="2/m/ip,3/h/ip")
    assert [sign_up(number).status_code for number in range(3)] == [302, 302, 429]
    refused = sign_up(3)
    wait = int(refused.headers["Retry-After"])
    assert 55 <= wait <= 60
    assert f"wait {wait}&nbsp;s" in " ".join(refused.content.decode().split())
    limits(settings, signup_done="3/7m/ip")
    assert [sign_up(number).status_code for number in range(4, 8)] == [302, 302, 302, 429]
    refused = sign_up(9)
    assert 6 * 60 < int(refused.headers["Retry-After"]) <= 7 * 60
    assert "wait 7 minutes" in " ".join(refused.content.decode().split())
    assert User.objects.count() == 5


def test_a_flood_of_forms_is_bounded_however_they_are_filled_in(settings: Any) -> None:
    limits(settings, signup_tries="3/m/ip")
    answers = [sign_up(number, password2="something else").status_code for number in range(4)]
    assert answers == [200, 200, 200, 429]


def test_sign_ups_by_invitation_count_for_their_event(settings: Any) -> None:
    limits(settings, signup_done="0/m/ip", signup_invited="2/m/key")
    assert sign_up(0).status_code == 429
    cup, link = invitation()
    assert [sign_up(number, opened(link)).status_code for number in (1, 2, 3)] == [302, 302, 429]
    _other, another_link = invitation()
    assert sign_up(4, opened(another_link)).status_code == 302
    late = opened(link)
    tournament_invitation_withdraw(tournament=cup)
    cache.clear()
    assert sign_up(5, late).status_code == 429


def test_a_refused_sign_in_says_how_long_to_wait(settings: Any) -> None:
    limits(settings, login="1/m/ip")
    for _attempt in range(2):
        refused = Client().post(reverse("account_login"), {"login": "x", "password": "y"})
    assert refused.status_code == 429
    assert 50 <= int(refused.headers["Retry-After"]) <= 60


def test_one_of_two_simultaneous_sign_ups_with_a_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_given: Any, **_named: Any) -> None:
        raise IntegrityError("UNIQUE constraint failed: accounts_user.username_key")

    UserFactory()
    monkeypatch.setattr("arena.accounts.adapter.Adapter.save_user", late)
    page = sign_up(1)
    assert page.status_code == 200
    assert "Somebody took this name or address just now" in page.content.decode()
    assert User.objects.count() == 1
