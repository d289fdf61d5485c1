"""The data set of a season: offered once it is over, for who may see the league, and it plays again."""

import argparse
import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.cache import caches
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from leagues.errors import LeagueWrongState
from leagues.models import LeagueMatch, Season
from leagues.selectors.exports import SEASON_DATASET, season_dataset_contents
from leagues.services import season_dataset_licence_set, season_end, season_schedule
from matches.datasets.archive import JSON_ARCHIVE, dataset_archive
from matches.proof.dataset import dataset_prove
from peck.connection import SiteError
from peck.dataset import run_dataset
from peck.site import Site
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tests.arena.prepared import make_files
from tests.bots.test_permissions import token_of
from tests.groups.factories import GroupFactory, member_in
from tests.leagues.factories import open_league, season_of, worker_up
from tests.tournaments.proof.events import play
from web.models import PreparedFile

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_counts() -> None:
    caches["optional"].clear()


def over(**fields: Any) -> Season:
    """A season that has ended, in which everybody has played."""
    league = open_league(bots=3, **fields)
    worker_up()
    season = season_of(league)
    season_schedule(season_id=season.pk)
    for one in LeagueMatch.objects.filter(season=season).select_related("match")[:3]:
        play(one.match)
    season_end(league=league)
    season.refresh_from_db()
    return season


def statuses(season: Season, person: Any) -> list[int]:
    """Those of the page, of a file on it and of the same over the API, once a worker has made it."""
    client, token = Client(), {}
    if person is not None:
        client.force_login(person)
        token = {"authorization": f"Token {token_of(person)}"}
    where = [season.league.slug, season.number]
    file = reverse("leagues:dataset-file", args=[*where, "dataset.zip"])
    if person is not None:
        client.post(file)
        make_files()
    api = reverse("api-leagues:dataset.zip", args=where)
    page = reverse("leagues:dataset", args=where)
    return [client.get(page).status_code, client.get(file).status_code, Client().get(api, headers=token).status_code]


def test_it_is_for_who_sees_the_league_once_its_organiser_offers_it() -> None:
    organiser, member, outsider = OrganiserFactory(), UserFactory(), UserFactory()
    season = over(organiser=organiser)
    owner, staff = season.season_entries.earliest("pk").version.bot.owner, UserFactory(is_staff=True)
    address = reverse("leagues:dataset", args=[season.league.slug, season.number])
    api = f"/api/leagues/{season.league.slug}/seasons/{season.number}/dataset/"
    for person in (outsider, owner, None):
        assert set(statuses(season, person)[:1]) == {404}
    for person in (outsider, owner):
        client = Client()
        client.force_login(person)
        assert client.post(address, {"licence": "CC0-1.0"}).status_code == 403
        token = {"authorization": f"Token {token_of(person)}"}
        assert Client().put(api, {"licence": "CC0-1.0"}, "application/json", headers=token).status_code == 403
    client = Client()
    client.force_login(organiser)
    assert client.get(address).status_code == 200
    assert client.post(address, {"licence": "WTFPL"}).status_code == 404
    assert client.post(address, {"licence": "CC-BY-4.0"}).status_code == 302
    token = {"authorization": f"Token {token_of(organiser)}"}
    for licence, status in (("WTFPL", 400), ("ODbL-1.0", 200), ("ODbL-1.0", 200)):
        answer = Client().put(api, {"licence": licence}, "application/json", headers=token)
        assert answer.status_code == status
    assert answer.json()["dataset_licence"] == "ODbL-1.0"
    for person in (outsider, owner, organiser, staff):
        assert statuses(season, person) == [200, 200, 200]
    assert PreparedFile.objects.get(kind=SEASON_DATASET).attempt == 1
    assert statuses(season, None) == [200, 302, 401]
    for visitor in (Client(), client):
        assert_clean_page(visitor.get(address))
    group = GroupFactory(created_by=organiser)
    member_in(group, member)
    type(season.league).objects.filter(pk=season.league_id).update(audience="group", group=group)
    assert statuses(season, outsider) == [404] * 3
    assert statuses(season, member) == [200] * 3
    running = season_of(open_league())
    with pytest.raises(LeagueWrongState):
        season_dataset_licence_set(season=running, licence="CC0-1.0")
    with pytest.raises(IntegrityError), transaction.atomic():
        Season.objects.filter(pk=running.pk).update(dataset_licence="CC0-1.0")


def test_its_matches_stand_in_their_order_and_play_again(tmp_path: Path) -> None:
    season = season_dataset_licence_set(season=over(), licence="CC0-1.0")
    path = tmp_path / "dataset.zip"
    path.write_bytes(b"".join(dataset_archive(season_dataset_contents(season), JSON_ARCHIVE)))
    assert dataset_prove(path).games
    with ZipFile(path) as archive:
        games = [json.loads(line) for line in archive.read("games.jsonl").splitlines()]
    order = [game["round"] for game in games]
    assert order == sorted(order)
    assert set(order) == set(
        LeagueMatch.objects.filter(season=season, match__state="finished").values_list("number", flat=True)
    )
    assert {bot["entry"] for game in games for bot in game["bots"]} <= set(
        season.season_entries.values_list("version", flat=True)
    )


@pytest.mark.django_db(transaction=True)
def test_peck_waits_until_it_is_prepared(
    live_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    season = season_dataset_licence_set(season=over(), licence="CC0-1.0")
    site = Site(live_server.url, token_of(UserFactory()))
    target, waited = tmp_path / "data.zip", list[float]()
    given = argparse.Namespace(
        contest=season.league.slug, season=season.number, parquet=False, output=target, json=False
    )

    def wait(seconds: float) -> None:
        assert not list(tmp_path.iterdir())
        waited.append(seconds)
        make_files()

    assert run_dataset(site, given, wait) == 0
    assert waited == [3]
    assert "is preparing it" in capsys.readouterr().out
    assert dataset_prove(target).licence == "CC0-1.0"
    given.season = 9
    with pytest.raises(SiteError):
        run_dataset(site, given, wait)
    assert list(tmp_path.iterdir()) == [target]
