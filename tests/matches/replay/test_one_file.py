"""A match as one file: it plays from the disk without a network, in any language, whatever the bots are called."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, expect

from matches.models import Game, MatchState
from matches.replay import one_file
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.browser.people import loaded, press
from tests.matches.airing.on_air import match_on_air
from tests.matches.factories import FinishedMatchFactory, MatchFactory
from tests.matches.replay.frozen import made_by

HOSTILE = "</script><script>document.title='x'</script><!--"
SIZE_MOST = 1_500_000


def file_of(match: object, **query: object) -> str:
    answer = Client().get(reverse("matches:file", args=[getattr(match, "pk", match)]), query)
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment; ")
    return answer.content.decode()


@pytest.mark.django_db
def test_it_asks_nobody_for_anything() -> None:
    match = FinishedMatchFactory(seats=[BotVersionFactory(bot=BotFactory(name=name)) for name in (HOSTILE, "Owl")])
    text = file_of(match)
    assert "default-src 'none'" in unescape(text)
    assert not re.findall(r"<(?:link|img|iframe)|\ssrc=", text)
    assert HOSTILE not in text
    assert text.count("<script") == text.count("</script>") == 5
    assert len(text) < SIZE_MOST
    print(f"{len(text)} bytes for {match.games.count()} games")


@pytest.mark.django_db
def test_nothing_of_a_match_that_is_not_over_can_be_kept() -> None:
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


@pytest.fixture(scope="module")
def kept() -> Iterator[Path]:
    """Files of house matches of every game, by ``python -m tests.matches.replay.kept_files``."""
    with TemporaryDirectory() as folder:
        for name, text in made_by("tests.matches.replay.kept_files").items():
            Path(folder, f"{name}.html").write_text(text, encoding="utf-8")
        yield Path(folder)


@pytest.mark.browser
@pytest.mark.parametrize("name", ["pickomino", "heckmeck", "laghetti", "karteneck", "german"])
def test_it_plays_from_the_disk(browser: Browser, kept: Path, name: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((kept / f"{name}.html").as_uri())
    last = loaded(page)
    expect(page.locator(".rp-stage")).to_be_visible()
    page.locator("match-replay").focus()
    press(page, "End", f"{last} / {last}")
    expect(page.get_by_role("button", name="Abspielen" if name == "german" else "Play", exact=True)).to_be_visible()
    expect(page.locator(".rp-end")).to_be_visible()  # comes later, and is in the file
    expect(page.locator(".rp-seats")).to_contain_text("Fat Crow")
    assert page.title().startswith("Fat Crow")
    assert wrong == []
    assert [url for url in asked if not url.startswith(("file:", "blob:"))] == []
    context.close()
