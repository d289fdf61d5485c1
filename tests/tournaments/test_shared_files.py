"""Files that several are given: only what strangers are given too, each under a name of its own."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.leagues.factories import open_league
from tests.leagues.test_shared_cells import people as people_of_league
from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.test_shared_cells import people
from tournaments.models import Publication, Tournament, TournamentState
from web.downloads import KeptAs

pytestmark = pytest.mark.django_db
NAMES = ("tournament.json", "standings.csv", "fixtures.csv")
SHARERS = ("stranger", "another author")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@pytest.fixture
def cup() -> Tournament:
    cup = running_tournament(4, format="swiss", rounds=3)
    finish_matches(cup)
    return cup


def addresses(cup: Tournament) -> list[str]:
    pages = [reverse("tournaments:export", args=[cup.slug, name]) for name in NAMES]
    return pages + [
        reverse("tournaments:ratings-export", args=[cup.slug, f"ratings.{ending}"]) for ending in ("csv", "json")
    ]


def kept_as(client: Client, address: str, **headers: str) -> KeptAs | None:
    answer: Any = client.get(address, headers=headers)
    b"".join(answer.streaming_content)
    return getattr(answer, "kept_as", None)


@pytest.mark.parametrize("publication", Publication.values)
def test_only_what_strangers_are_given_is_shared(cup: Tournament, publication: str) -> None:
    Tournament.objects.filter(pk=cup.pk).update(publication=publication)
    for role, client in people(cup).items():
        for address in addresses(cup):
            answer: Any = client.get(address)
            if answer.status_code != 200:
                assert publication != Publication.EVERYONE, role
                continue
            shared = publication == Publication.EVERYONE and role in SHARERS
            assert hasattr(answer, "kept_as") == shared, (role, address)


def test_who_shares_is_sent_the_same_bytes(cup: Tournament) -> None:
    clients = people(cup)
    for address in addresses(cup):
        sent = {b"".join(clients[role].get(address).streaming_content) for role in SHARERS}  # type: ignore[attr-defined]
        assert len(sent) == 1, address


def test_each_file_language_and_tournament_has_its_own_name(cup: Tournament) -> None:
    other = running_tournament(2)
    found = [kept_as(Client(), address) for one in (cup, other) for address in addresses(one)]
    found += [kept_as(Client(), address, accept_language="de") for address in addresses(cup)]
    names = {one.name for one in found if one}
    assert len(names) == len(found) == 15


def test_the_api_gives_the_file_of_the_page(cup: Tournament) -> None:
    for address in addresses(cup)[:3]:
        assert kept_as(Client(), f"/api{address}") == kept_as(Client(), address)


def test_a_result_makes_another_revision_and_what_is_over_is_kept_for_longer(cup: Tournament) -> None:
    address = addresses(cup)[0]
    before = kept_as(Client(), address)
    over = {"state": TournamentState.FINISHED, "finished_at": timezone.now()}
    Tournament.objects.filter(pk=cup.pk).update(revision=cup.revision + 1, **over)
    after = kept_as(Client(), address)
    assert before
    assert after
    assert before.name == after.name
    assert before.revision != after.revision
    assert (before.seconds, after.seconds) == (10, 60)


def test_a_season_is_the_same_for_all_who_may_see_it_and_nobody_else_is_given_it() -> None:
    league = open_league(bots=3)
    for name in ("season.json", "ladder.csv", "matches.csv"):
        address = reverse("leagues:export", args=[league.slug, 1, name])
        found = [kept_as(client, address) for client in people_of_league(league).values()]
        assert len(set(found)) == 1
        assert None not in found
    type(league).objects.filter(pk=league.pk).update(state="draft")
    assert Client().get(address).status_code == 404


def test_the_report_of_each_stage_is_shared_too() -> None:
    cup = running_tournament(4, format="swiss", rounds=3, players_per_table=2)
    found = {
        role: kept_as(client, reverse("tournaments:report", args=[cup.slug, 1])) for role, client in people(cup).items()
    }
    assert {role for role, kept in found.items() if kept} == set(SHARERS)
    assert found["stranger"] == found["another author"]
