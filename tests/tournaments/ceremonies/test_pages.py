"""The page of a ceremony and its operations: who may, what they are shown, and what is refused."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.test_permissions import token_of
from tests.tournaments.ceremonies.ceremony import all_drawn, begun, ceremony_in, sealed, step
from tests.tournaments.factories import running_tournament
from tests.tournaments.test_pages import text_of
from tournaments.models import Ceremony, Publication, Tournament
from tournaments.services import ceremony_announce, tournament_publish
from web.topics import topic_ticket

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]

ROLES = ("nobody", "author", "other organiser", "arbiter", "organiser", "staff")
ACTS: dict[str, dict[str, Any]] = {
    "start": {"pace": 0},
    "advance": {"place": 4},
    "pace": {"pace": 8},
    "accept": {},
}


def client_of(cup: Tournament, role: str) -> Client:
    client = Client()
    people = {
        "author": lambda: cup.entries.order_by("pk")[0].bot.owner,
        "other organiser": lambda: UserFactory(is_organiser=True),
        "arbiter": UserFactory,
        "organiser": lambda: cup.organiser,
        "staff": lambda: UserFactory(is_staff=True),
    }
    if role in people:
        person = people[role]()
        if role == "arbiter":
            cup.arbiters.add(person)
        client.force_login(person)
        client.person = person  # type: ignore[attr-defined]
    return client


def address(cup: Tournament, name: str = "ceremony", *rest: str) -> str:
    return reverse(f"tournaments:{name}", args=[cup.slug, *rest])


@pytest.mark.parametrize("role", ROLES)
def test_only_the_organiser_and_staff_step_a_ceremony(role: str) -> None:
    cup = sealed(4)
    begun(cup)
    before = Ceremony.objects.values().get()
    client = client_of(cup, role)
    for act, body in ACTS.items():
        answer = client.post(address(cup, "ceremony-act", act), body)
        assert answer.status_code == (302 if role in ("nobody", "organiser", "staff") else 403), act
        token = {"authorization": f"Token {token_of(client.person)}"} if role != "nobody" else {}  # type: ignore[attr-defined]
        over = Client().post(f"/api/tournaments/{cup.slug}/ceremony/{act}/", body, headers=token)
        assert over.status_code == (401 if role == "nobody" else 200 if role in ("organiser", "staff") else 403), act
    may = role in ("organiser", "staff")
    assert (Ceremony.objects.values().get() != before) == may
    assert ceremony_in(cup).left == (3 if may else 4)
    assert client.post(address(cup), {"call_off": "1"}).status_code == (
        422 if may else 302 if role == "nobody" else 403
    )


@pytest.mark.parametrize("role", ROLES)
def test_everyone_is_shown_what_was_revealed_and_nobody_more(role: str) -> None:
    cup = sealed(4)
    begun(cup)
    step(cup)
    client = client_of(cup, role)
    last, *others = cup.entries.order_by("pk").select_related("bot")
    for name in ("ceremony", "ceremony-live"):
        page = client.get(address(cup, name)).content.decode()
        assert last.bot.name in page
        assert not [one.bot.name for one in others if one.bot.name in page]
        assert ("Reveal" in page) == (role in ("organiser", "staff"))
    assert_clean_page(client.get(address(cup)))
    [rank] = Client().get(f"/api/tournaments/{cup.slug}/ceremony/").json()["ranks"]
    assert (rank["rank"], rank["bots"][0]["bot"]["slug"]) == (4, last.bot.slug)


def test_spectators_follow_the_ceremony_and_not_the_tournament() -> None:
    cup = sealed(4)
    begun(cup)
    page = Client().get(address(cup)).content.decode()
    assert topic_ticket(f"ceremony.{cup.pk}") in page
    assert topic_ticket(f"tournament.{cup.pk}") not in page


def test_shared_ranks_are_called_shared() -> None:
    cup = all_drawn(4)
    begun(cup)
    assert "4 places are about to be revealed" in text_of(Client().get(address(cup)))
    step(cup)
    page = Client().get(address(cup)).content.decode()
    assert "Place 1, shared:" in page
    assert "The ceremony is over" in page


def test_after_its_end_only_those_who_see_results_see_it() -> None:
    cup = sealed(2)
    begun(cup)
    while ceremony_in(cup).is_on:
        step(cup)
    assert Client().get(address(cup)).status_code == 200
    tournament_publish(tournament=cup, publication=Publication.HIDDEN)
    assert Client().get(address(cup)).status_code == 403
    assert Client().get(f"/api/tournaments/{cup.slug}/ceremony/").status_code == 403
    assert client_of(cup, "organiser").get(address(cup)).status_code == 200


def test_others_see_no_ceremony_until_one_is_announced() -> None:
    cup = sealed(2)
    assert Client().get(address(cup)).status_code == 404
    page = client_of(cup, "organiser").get(address(cup))
    assert_clean_page(page)
    assert "nobody else sees it" in text_of(page)
    ceremony_announce(tournament=cup, planned_at=timezone.now() + timedelta(hours=1))
    assert "The ceremony begins" in text_of(Client().get(address(cup)))
    assert "They are revealed in a ceremony" in text_of(Client().get(reverse("tournaments:detail", args=[cup.slug])))


def test_it_is_announced_and_called_off_on_its_page() -> None:
    cup = running_tournament(2, publication=Publication.HIDDEN)
    client = client_of(cup, "organiser")
    late = (timezone.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    assert client.post(address(cup), {"planned_at": "2001-01-01T10:00", "pace": 8}).status_code == 422
    assert client.post(address(cup), {"planned_at": late, "pace": 1}).status_code == 422
    assert not Ceremony.objects.exists()
    assert client.post(address(cup), {"planned_at": late, "pace": 12}).status_code == 302
    assert ceremony_in(cup).pace == 12
    assert "You can start it once the tournament is over." in text_of(client.get(address(cup)))
    assert client.post(address(cup), {"call_off": "1"}).status_code == 302
    assert not Ceremony.objects.exists()


def test_it_is_announced_and_called_off_over_the_api() -> None:
    cup = running_tournament(2, publication=Publication.HIDDEN)
    headers = {"authorization": f"Token {token_of(cup.organiser)}"}
    where, kind = f"/api/tournaments/{cup.slug}/ceremony/", "application/json"
    late = (timezone.now() + timedelta(days=1)).isoformat()
    answer = Client().put(where, {"planned_at": late, "pace": 9}, kind, headers=headers)
    assert (answer.status_code, answer.json()["pace"]) == (200, 9)
    assert Client().put(where, {"planned_at": None, "pace": 1}, kind, headers=headers).status_code == 409
    assert Client().put(where, {"planned_at": late}, kind).status_code == 401
    assert Client().post(f"{where}start/", headers=headers).json()["code"] == "wrong_state"
    assert Client().delete(where, headers=headers).status_code == 204
    assert Client().get(where).status_code == 404


@pytest.mark.parametrize("sent_place", ["", "x", "0", "-1", "9" * 30, "3"])
def test_a_step_that_makes_no_sense_reveals_nothing(sent_place: str) -> None:
    cup = sealed(4)
    begun(cup)
    client = client_of(cup, "organiser")
    assert client.post(address(cup, "ceremony-act", "advance"), {"place": sent_place}).status_code == 302
    assert ceremony_in(cup).left == 4


def test_the_next_step_of_the_organiser_leads_to_the_ceremony() -> None:
    cup = sealed(3)
    client, detail = client_of(cup, "organiser"), reverse("tournaments:detail", args=[cup.slug])
    assert "Hold a ceremony" in text_of(client.get(detail))
    begun(cup)
    page = text_of(client.get(detail))
    assert "3 places are still to be revealed" in page
    assert "Go to the ceremony" in page
    assert "Watch the ceremony" in text_of(Client().get(detail))


def test_an_overlay_has_no_frame() -> None:
    cup = sealed(3)
    begun(cup)
    assert "data-overlay" in Client().get(f"{address(cup)}?overlay=1").content.decode()
    assert "data-overlay" not in Client().get(address(cup)).content.decode()
