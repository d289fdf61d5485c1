"""A game that is no longer installed: its stored data stays readable, and every address answers."""

from typing import Any

import pytest
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse

from arena.accounts.tokens import token_create
from games.catalogue import BROKEN, GAMES
from games.encoding import encoding_seed_of
from matches.models import Match, MatchState, Seat
from matches.queue.leases import PLATFORM_FAULTS_AT_MOST
from matches.worker.playing import worker_play_claim
from tests.arena.factories import UserFactory
from tests.arena.test_every_address import NAMES, VISITORS, address, troubles, visit, whole_site
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import FinishedMatchFactory, MatchFactory
from tests.matches.in_process import InProcessCage

pytestmark = pytest.mark.django_db


@pytest.fixture
def uninstall_game(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a process that starts without the package comes to: it begins with another game."""

    installed = list(GAMES.items())

    def uninstall() -> None:
        monkeypatch.delitem(GAMES, "pickomino")  # type: ignore[arg-type]
        monkeypatch.setattr("arena.site.views.TAUGHT", GAMES["heckmeck"])
        monkeypatch.setattr("contests.game_settings_form.FIRST", "heckmeck")

    yield uninstall
    monkeypatch.undo()
    GAMES.clear()  # type: ignore[attr-defined]
    GAMES.update(installed)  # type: ignore[attr-defined]  # in the order of pages


@pytest.mark.parametrize(
    "visitor",
    [pytest.param(one, marks=() if one in ("stranger", "organiser") else pytest.mark.exhaustive) for one in VISITORS],
)
def test_no_address_breaks(visitor: str, uninstall_game: Any) -> None:
    site = whole_site()
    uninstall_game()
    found = {}
    for name in NAMES:
        answer = visit(visitor, site).get(address(name, site))
        if answer.status_code >= 500 or (name != "playground" and troubles(answer, framed=name.endswith("embed"))):
            found[name] = answer.status_code
    assert found == {}


def test_a_stored_match_names_the_missing_package_and_keeps_its_results(client: Client, uninstall_game: Any) -> None:
    match: Any = FinishedMatchFactory()
    before = client.get(reverse("matches:detail", args=[match.pk])).content.decode()
    uninstall_game()
    page = client.get(reverse("matches:detail", args=[match.pk])).content.decode()
    assert "the site needs a package with the game pickomino/1" in page
    Match.objects.update(code="a-package 1.2 00ff")
    named = client.get(reverse("matches:embed", args=[match.pk])).content.decode()
    assert "the site needs the package a-package 1.2 with the game pickomino/1" in named
    assert "<match-replay" in before
    assert "<match-replay" not in page
    for seat in match.seats.all():
        assert f">{seat.version.bot.name}<" in page
    seed = encoding_seed_of(bytes(match.games.all()[0].record)).hex()
    assert seed[:8] in before
    assert seed[:8] in page
    frames = client.get(reverse("matches:game-frames", args=[match.pk, 0]))
    assert (frames.status_code, frames.json()["error"]) == (410, "not_installed")
    record = client.get(reverse("matches:record", args=[match.pk, 0, "bin"]))
    assert record.content == bytes(match.games.all()[0].record)
    assert client.get(reverse("matches:record", args=[match.pk, 0, "json"])).status_code == 404
    data = client.get(reverse("api-matches:detail", args=[match.pk])).json()
    assert data["ruleset"] == "pickomino/1"
    assert all(isinstance(seat["score"], float) for seat in data["seats"])


def test_sparring_and_the_playground_say_that_the_game_is_missing(client: Client, uninstall_game: Any) -> None:
    version = BotVersionFactory()
    author, bot = version.bot.owner, version.bot
    uninstall_game()
    text = "The game pickomino is not installed on this site any more, or its package is broken."
    client.force_login(author)
    address = reverse("bots:spar", args=[bot.slug])
    page = client.get(address).content.decode()
    assert text in page
    assert "Start test" not in page
    typed = {"version": version.pk, "opponent": version.pk, "players_per_table": 2, "blocks": 3, "effect": 0.1}
    answer = client.post(address, typed)
    assert answer.status_code == 422
    assert text in answer.content.decode()
    headers = {"authorization": f"Token {token_create(owner=author, name='x')}"}
    sent = client.post(reverse("api:sparrings"), {"bot": bot.slug}, content_type="application/json", headers=headers)
    assert (sent.status_code, sent.json()["code"]) == (409, "invalid")
    assert text in str(sent.json())
    for name in ("playground", "play-yourself"):
        assert text in client.get(reverse(name), {"game": "pickomino"}).content.decode()
        assert text not in client.get(reverse(name), {"game": "heckmeck"}).content.decode()
        assert "installed on this site" not in client.get(reverse(name), {"game": "<b>"}).content.decode()


def test_a_match_of_it_is_held_with_the_reason_and_no_bot_is_blamed(
    monkeypatch: pytest.MonkeyPatch, uninstall_game: Any
) -> None:
    match = MatchFactory()
    uninstall_game()
    monkeypatch.setattr("matches.worker.playing.worker_process_cage", InProcessCage)
    monkeypatch.setitem(BROKEN, "pickomino", "ImportError: no module")  # type: ignore[arg-type]
    for _ in range(PLATFORM_FAULTS_AT_MOST):
        Match.objects.update(dispatch_at=match.created_at)
        assert worker_play_claim()
    match.refresh_from_db()
    assert match.state == MatchState.HELD
    assert "its package is broken: ImportError: no module" in match.last_platform_fault
    assert not Seat.objects.filter(has_forfeited=True).exists()


def test_the_checks_and_operations_say_what_is_broken(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BROKEN, "pig", "ImportError: no dice")  # type: ignore[arg-type]
    assert any("pig" in one.msg and "no dice" in one.msg for one in run_checks())
    client.force_login(UserFactory(is_staff=True))
    assert "ImportError: no dice" in client.get("/operations/").content.decode()
