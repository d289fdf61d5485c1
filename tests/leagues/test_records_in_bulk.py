"""All games of a season or a bot as one stream of JSON lines, whose records play again."""

import json
from base64 import b64decode
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.record import Record
from leagues.models import LeagueMatch
from leagues.services import season_schedule
from matches.models import Game
from matches.replay import records
from tests.arena.factories import UserFactory
from tests.leagues.factories import open_league, season_of, worker_up
from tests.matches.factories import FinishedMatchFactory
from tests.tournaments.proof.events import play

pytestmark = pytest.mark.django_db


def lines(client: Client, address: str) -> list[dict[str, Any]]:
    answer = client.get(address)
    assert answer.status_code == 200, address
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]  # type: ignore[attr-defined]


def test_each_line_is_a_finished_game_with_a_record_that_plays_to_its_result(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "BATCH", 1)
    league = open_league(bots=4)
    worker_up()
    season = season_of(league)
    season_schedule(season_id=season.pk)
    rows = list(LeagueMatch.objects.filter(season=season).select_related("match")[:2])
    for one in rows:
        play(one.match)
    where = [league.slug, season.number]
    page = reverse("leagues:export", args=[*where, "records.jsonl"])
    found = lines(client, page)
    assert found == lines(client, reverse("api-leagues:records.jsonl", args=where))
    assert page in client.get(reverse("leagues:detail", args=[league.slug])).content.decode()
    games = Game.objects.filter(match__in=[one.match_id for one in rows])
    assert [(one["match"], one["game"]) for one in found] == list(
        games.order_by("match", "index").values_list("match", "index")
    )
    for one in found:
        outcome = Record.decode(b64decode(one["record"])).verify()
        assert (list(outcome.points), list(outcome.places)) == (one["points"], one["places"])
    seat = rows[0].match.seats.select_related("version__bot").get(index=0)
    bot = seat.version.bot
    own = lines(client, reverse("api:records", args=[bot.slug]))
    assert own == [one for one in found if bot.slug in [who["bot"] for who in one["bots"]]]
    assert own[0]["bots"][0] == {"bot": bot.slug, "version": seat.version.number}


def test_private_games_are_in_no_file_for_others(client: Client) -> None:
    match = FinishedMatchFactory.create(audience="authors")
    bot = match.seats.first().version.bot
    assert lines(client, reverse("api:records", args=[bot.slug])) == []
    client.force_login(UserFactory())
    assert lines(client, reverse("api:records", args=[bot.slug])) == []
    assert client.get(reverse("api:records", args=["nobody"])).status_code == 404
