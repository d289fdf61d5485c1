"""Pictures of matches: what they show, to whom, and what a link's preview contains."""

import json
import re
from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.catalogue import find
from games.picture import picture_alone
from games.table import Table
from matches.models import Audience, Match, MatchLog
from matches.replay.pictures import match_picture_boards
from matches.selectors import matches_with_seats
from tests.bots.factories import BotVersionFactory
from tests.matches.airing.on_air import air, match_on_air
from tests.matches.factories import BRISK, FinishedMatchFactory, MatchFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _cold() -> None:
    caches["optional"].clear()


@pytest.fixture
def finished() -> Any:
    versions = [BotVersionFactory(bot__name=name, source=BRISK) for name in ("<b>Hen</b>", "Crow & Co")]
    return FinishedMatchFactory(seats=versions)


def words(svg: str) -> str:
    return " ".join(" ".join(fromstring(svg).itertext()).split())


def address(match: Any, form: str = "svg", index: int = 0, **query: Any) -> str:
    text = "&".join(f"{name}={value}" for name, value in query.items())
    return reverse("matches:picture", args=[match.pk, index, form]) + f"?{text}"


def test_a_picture_shows_the_requested_step(client: Client, finished: Any) -> None:
    steps = json.loads(client.get(reverse("matches:game-frames", args=[finished.pk, 0])).content)["frames"]
    first, last, beyond = (
        client.get(address(finished, step=step)).content.decode() for step in (0, len(steps) - 1, 999_999)
    )
    assert "The game is over." not in words(first)
    assert "The game is over." in words(last)
    assert last == beyond
    assert first == client.get(address(finished)).content.decode()
    assert first == client.get(address(finished, step="-3")).content.decode()


def test_names_are_text_and_the_second_game_has_the_seats_changed(client: Client, finished: Any) -> None:
    first, second = (client.get(address(finished, index=index)).content.decode() for index in (0, 1))
    assert "<b>" not in first
    assert words(first).index("<b>Hen") < words(first).index("Crow & Co")
    assert words(second).index("<b>Hen") > words(second).index("Crow & Co")


def test_a_file_may_be_saved_and_opened_but_runs_nothing(client: Client, finished: Any) -> None:
    answer = client.get(address(finished))
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Cache-Control"] == "public, max-age=3600"
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    assert "script-src" not in answer["Content-Security-Policy"]


def test_a_preview_is_a_png_of_the_declared_size(client: Client, finished: Any) -> None:
    data = client.get(address(finished, "png", step=40)).content
    assert data.startswith(b"\x89PNG")
    assert (int.from_bytes(data[16:20]), int.from_bytes(data[20:24])) == (1200, 630)
    assert data != client.get(address(finished, "png", step=0)).content
    assert client.get(address(finished, "gif")).status_code == 404


def test_a_link_preview_shows_its_step_and_no_result(client: Client, finished: Any) -> None:
    page = client.get(reverse("matches:detail", args=[finished.pk]) + "?game=2&step=31").content.decode()
    properties = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', page))
    assert properties["title"] == "&lt;b&gt;Hen&lt;/b&gt;, Crow &amp; Co"
    assert properties["description"] == "Pickomino, game 2, step 31"
    assert properties["url"].endswith(f"/matches/{finished.pk}/?game=2&amp;step=31")
    assert properties["image"] == f"http://testserver/matches/{finished.pk}/games/1/picture.png?step=31"
    bare = client.get(reverse("matches:detail", args=[finished.pk]) + "?step=1e9&game=Ω").content.decode()
    assert f"/matches/{finished.pk}/games/0/picture.png?step=0" in bare


def test_what_not_everyone_may_see_has_no_picture(client: Client, finished: Any) -> None:
    Match.objects.update(audience=Audience.ORGANISER)
    assert client.get(address(finished)).status_code == 404


def test_a_game_that_was_not_played_has_none(client: Client, finished: Any) -> None:
    assert client.get(address(finished, index=99)).status_code == 404


@pytest.mark.parametrize("many", [1, 5])
def test_pictures_of_many_matches_take_two_queries_and_none_is_drawn_twice(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(many):
        FinishedMatchFactory()
        MatchLog.objects.create(match=(live := MatchFactory(running=True)), attempt=1, game=0, seed=bytes(16))
        MatchLog.objects.create(match=live, attempt=1, game=1, seed=bytes(16))
        MatchFactory()
    matches = list(matches_with_seats(Match.objects.all()))
    with CaptureQueriesContext(connection) as queries:
        drawn = _svgs(matches)
    assert len(queries) == 2
    assert set(drawn) == {match.pk for match in matches}
    draw: Callable[..., Any] = lambda *_: pytest.fail("drawn again")  # noqa: E731
    monkeypatch.setattr("matches.replay.pictures._draw", draw)
    assert _svgs(matches) == drawn


def test_a_match_being_played_is_shown_where_it_stands() -> None:
    live: Any = MatchFactory(running=True)
    log = MatchLog.objects.create(match=live, attempt=1, game=0, seed=bytes(16))
    MatchLog.objects.create(match=live, attempt=0, game=3, seed=bytes(16), actions="nonsense")
    before = _svgs([live])[live.pk]
    log.actions = Table(find(live.ruleset), 2, live.options, bytes(16)).state.actions()[0]
    log.save()
    assert _svgs([live])[live.pk] != before


def test_a_log_that_does_not_replay_leaves_its_match_without_a_picture() -> None:
    live: Any = MatchFactory(running=True)
    MatchLog.objects.create(match=live, attempt=1, game=0, seed=bytes(16), actions="take 9")
    assert _svgs([live]) == {}


def test_where_results_are_shown_a_finished_match_shows_how_it_ended(finished: Any) -> None:
    matches = list(matches_with_seats(Match.objects.all()))
    (ended,) = match_picture_boards(matches, ends=True).values()
    (begun,) = match_picture_boards(matches).values()
    assert "The game is over." in ended.svg
    assert "The game is over." not in begun.svg


def test_a_match_on_air_is_pictured_as_far_as_it_has_been_shown(client: Client) -> None:
    match = match_on_air(elapsed=30.0)
    frames_url = reverse("matches:game-frames", args=[match.pk, 0])
    least = len(client.get(frames_url).json()["frames"])
    (board,) = match_picture_boards(list(matches_with_seats(Match.objects.all()))).values()
    beyond = client.get(address(match, step=999_999)).content.decode()
    most = len(client.get(frames_url).json()["frames"])  # a beat may have passed meanwhile
    body = [client.get(address(match, step=step)).content.decode() for step in (0, *range(least - 1, most))]
    assert beyond in body[1:]
    assert picture_alone(board.svg) in body[1:]
    assert "The game is over." not in beyond
    assert client.get(address(match, index=1)).status_code == 404
    air(match, -60.0)
    assert client.get(address(match, step=999_999)).content.decode() == body[0]


def test_a_match_to_be_broadcast_is_pictured_before_its_first_action_while_it_is_played() -> None:
    live: Any = MatchFactory(running=True, tempo="story")
    before = _svgs([live])
    log = MatchLog.objects.create(match=live, attempt=1, game=0, seed=bytes(16))
    log.actions = Table(find(live.ruleset), 2, live.options, bytes(16)).state.actions()[0]
    log.save()
    assert _svgs([live]) == before
    Match.objects.filter(pk=live.pk).update(tempo="")
    live.refresh_from_db()
    assert _svgs([live]) != before


def _svgs(matches: list[Any]) -> dict[int, str]:
    return {pk: board.svg for pk, board in match_picture_boards(matches).items()}
