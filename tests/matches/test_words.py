"""Match pages have words for all that can happen in any game."""

import json
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from games.catalogue import GAMES, current
from games.record import Record
from matches.models import Match
from tests.matches.factories import MatchFactory

GOLDEN = Path(__file__).parents[1] / "games/golden"


@pytest.mark.parametrize("name", GAMES)
def test_every_end_of_a_golden_game_has_its_words(name: str) -> None:
    for entry in json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8")):
        outcome = Record.decode(bytes.fromhex(entry["record"])).verify()
        assert outcome.reason in GAMES[name].reasons
        assert outcome.tie_break in ("", *GAMES[name].tie_breaks)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "points"), [("pickomino", "Worms"), ("karteneck", "Worms"), ("laghetti", "Game points")]
)
def test_the_points_of_a_match_are_called_as_its_game_calls_them(client: Client, name: str, points: str) -> None:
    ruleset = current(name)
    players = ruleset.seats[0]
    match: Match = MatchFactory(ruleset=ruleset.id, options=ruleset.validate(players, {}), seats=players)
    match.seats.update(score=0.5, points=3)  # columns of results stand from the first result on
    assert f'<th class="num">{points}</th>' in client.get(reverse("matches:detail", args=[match.pk])).content.decode()
