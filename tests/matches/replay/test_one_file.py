"""A match as one file: it makes no request, and an unfinished match cannot be downloaded."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Game, MatchState
from matches.replay import one_file
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.matches.airing.on_air import match_on_air
from tests.matches.factories import FinishedMatchFactory, MatchFactory

HOSTILE = "</script><script>alert(1)</script><!--"  # 38 of the 40 characters of a name
SIZE_MOST = 1_500_000


def file_of(match: object, **query: object) -> str:
    answer = Client().get(reverse("matches:file", args=[getattr(match, "pk", match)]), query)
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment; ")
    return answer.content.decode()


@pytest.mark.django_db
def test_it_makes_no_request() -> None:
    match = FinishedMatchFactory(seats=[BotVersionFactory(bot=BotFactory(name=name)) for name in (HOSTILE, "Owl")])
    text = file_of(match)
    assert "default-src 'none'" in unescape(text)
    assert not re.findall(r"<(?:link|img|iframe)|\ssrc=", text)
    assert HOSTILE not in text
    assert text.count("<script") == text.count("</script>") == 5
    assert len(text) < SIZE_MOST
    print(f"{len(text)} bytes for {match.games.count()} games")


@pytest.mark.django_db
def test_an_unfinished_match_cannot_be_downloaded() -> None:
    for match in (match_on_air(elapsed=30), match_on_air(elapsed=-30), MatchFactory(), MatchFactory(running=True)):
        assert Client().get(reverse("matches:file", args=[match.pk])).status_code == 404
        assert "replay.html" not in Client().get(reverse("matches:detail", args=[match.pk])).content.decode()


@pytest.mark.django_db
def test_a_long_match_is_several_files(monkeypatch: pytest.MonkeyPatch) -> None:
    match = FinishedMatchFactory(blocks=2)
    monkeypatch.setattr(one_file, "GAMES_MOST", 3)
    page = Client().get(reverse("matches:detail", args=[match.pk])).content.decode()
    assert re.findall(r"replay\.html(\?from=\d+)?\"", page) == ["", "?from=4"]
    assert f"/matches/{match.pk}/games/3/frames.json" in file_of(match, **{"from": 4})
    assert f"/matches/{match.pk}/games/0/frames.json" not in file_of(match, **{"from": 4})
    for wrong, status in (("5", 404), ("0", 400), ("x", 400), ("-1", 400), ("9" * 30, 400)):
        answer = Client().get(reverse("matches:file", args=[match.pk]), {"from": wrong})
        assert answer.status_code == status, wrong


@pytest.mark.django_db
def test_a_damaged_game_is_left_out() -> None:
    match = FinishedMatchFactory()
    Game.objects.filter(match=match, index=1).update(record=b"nonsense")
    text = file_of(match)
    assert f"/matches/{match.pk}/games/0/frames.json" in text
    assert f"/matches/{match.pk}/games/1/frames.json" not in text
    assert match.state == MatchState.FINISHED
