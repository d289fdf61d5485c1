"""Every ruleset, with every number of players and every option, keeps what the platform is built on."""

from pathlib import Path

from games.catalogue import GAMES
from pecking.testing import game_tests

GOLDEN = Path(__file__).parent / "golden"
for _game in GAMES.values():
    globals()[f"Test{_game.name.title()}"] = game_tests(_game, golden=GOLDEN / f"{_game.name}.json", thorough=True)
