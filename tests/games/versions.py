"""Every version of every game's rules, superseded ones too, and every case to try."""

from typing import Any

from games.catalogue import GAMES
from pecking.testing.random_games import random_game_cases as cases_of

VERSIONS = [ruleset for game in GAMES.values() for ruleset in game.versions]


def cases() -> list[Any]:
    return [case for game in GAMES.values() for case in cases_of(game)]
