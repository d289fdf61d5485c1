"""Live cells that are everyone's: who is given them, and that nothing in them is somebody's own."""

import re
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from tests.arena.factories import UserFactory
from tests.leagues.factories import worker_up
from tests.tournaments.factories import finish_matches, running_tournament
from tournaments.models import Publication, Tournament, TournamentState
from web.topics import SHARED

pytestmark = pytest.mark.django_db
OWN = (
    (r'(data-own="s\d+">)\s*<button.*?</div>\s*</span>', r"\1</span>"),
    (r'<div id="agenda".*?</div>\n', ""),
    (r'<ul class="own-now".*?</ul>', ""),
)
ROLES = ("anonymous", "another author", "author", "arbiter", "organiser", "staff")


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    caches["optional"].clear()


@pytest.fixture
def cup() -> Tournament:
    worker_up()
    cup = running_tournament(4, format="swiss", rounds=3)
    finish_matches(cup)
    return cup


def people(cup: Tournament) -> dict[str, Client]:
    entry = cup.entries.order_by("pk").first()
    assert entry is not None
    arbiter = UserFactory()
    cup.arbiters.add(arbiter)
    found = {role: Client() for role in ROLES}
    others = {"another author": UserFactory(), "author": entry.bot.owner, "staff": UserFactory(is_staff=True)}
    for role, person in {**others, "arbiter": arbiter, "organiser": cup.organiser}.items():
        found[role].force_login(person)
    return found


def live(cup: Tournament, client: Client) -> Any:
    return client.get(reverse("tournaments:live", args=[cup.slug]))


def page(cup: Tournament, client: Client) -> str:
    return client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()


@pytest.mark.parametrize("publication", Publication.values)
def test_only_what_anonymous_visitors_see_is_shared(cup: Tournament, publication: str) -> None:
    Tournament.objects.filter(pk=cup.pk).update(publication=publication)
    clients = people(cup)
    anonymous = live(cup, clients["anonymous"])
    for role, client in clients.items():
        answer = live(cup, client)
        if SHARED in answer:
            assert answer[SHARED] == f"tournament.{cup.pk} 2"
            assert answer.content == anonymous.content, role
            assert b"csrfmiddlewaretoken" not in answer.content
        assert (SHARED in answer) == (
            publication == Publication.EVERYONE and role in ("anonymous", "another author")
        ), role


@pytest.mark.parametrize("publication", Publication.values)
def test_pages_subscribe_to_the_shared_topic_and_officials_to_their_own(cup: Tournament, publication: str) -> None:
    Tournament.objects.filter(pk=cup.pk).update(publication=publication)
    clients = people(cup)
    text = live(cup, clients["anonymous"]).content.decode()
    for role, client in clients.items():
        shown = page(cup, client)
        [opened] = re.findall(r"<live-cells[^>]*>", shown)
        rules = role in ("arbiter", "organiser", "staff")
        assert (" data-shared" in opened) == (publication == Publication.EVERYONE and not rules), role
        assert ('id="agenda"' in live(cup, client).content.decode()) == rules, role
        if publication == Publication.EVERYONE:
            seen = live(cup, client).content.decode().replace(' class="mine"', "")
            for words, instead in OWN:
                seen = re.sub(words, instead, seen, flags=re.DOTALL)
            assert seen.split() == text.split(), role


def test_an_author_has_buttons_for_their_own_bot_alone(cup: Tournament) -> None:
    clients = people(cup)
    own = cup.entries.order_by("pk")[0]
    seen = page(cup, clients["author"])
    assert re.findall(r'data-own="s(\d+)"><button', seen) == [str(own.pk)]
    assert f'data-rows="s{own.pk} k{own.pk}"' in seen
    assert seen.count('class="mine"') == 1
    assert seen.count('name="csrfmiddlewaretoken"') == page(cup, clients["another author"]).count("csrfmiddleware") + 1
    withdraw = reverse("tournaments:withdraw", args=[cup.slug, own.pk])
    assert withdraw in seen
    assert withdraw not in page(cup, clients["another author"])
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', seen)[-1]
    checks = Client(enforce_csrf_checks=True)
    checks.cookies = clients["author"].cookies
    assert checks.post(withdraw, {"csrfmiddlewaretoken": token}).status_code == 302
    assert "data-own=" not in re.findall(rf'<tr id="s{own.pk}".*?</tr>', page(cup, clients["author"]), re.DOTALL)[0]


def test_a_draft_is_visible_only_to_its_officials(cup: Tournament) -> None:
    Tournament.objects.filter(pk=cup.pk).update(state=TournamentState.DRAFT)
    clients = people(cup)
    assert {live(cup, clients[role]).status_code for role in ("anonymous", "another author", "author")} == {404}
    assert not any(SHARED in live(cup, client) for client in clients.values())
    assert " data-shared" not in page(cup, clients["organiser"])
