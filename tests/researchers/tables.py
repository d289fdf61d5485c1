"""Every game at every number of players."""

import pytest

from games.catalogue import GAMES

TABLES = [(game.name, players) for game in GAMES.values() for players in game.current.seats]
every_table = pytest.mark.parametrize(("game", "players"), TABLES)
SECRETIVE = ("laghetti", "karteneck")
