"""Every ruleset, with every number of players and every option, keeps what the platform is built on."""

from pathlib import Path

import pytest

from games.catalogue import GAMES
from matches.replay.one_file import replay_empty_file
from pecking.testing import game_tests

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(autouse=True)
def _player(monkeypatch: pytest.MonkeyPatch) -> None:
    """The player that a kit gets from the site."""
    monkeypatch.setattr("peck.watch.watch_player_of_kit", lambda game: replay_empty_file(GAMES[game].current.id))


for _game in GAMES.values():
    globals()[f"Test{_game.name.title()}"] = game_tests(_game, golden=GOLDEN / f"{_game.name}.json", thorough=True)
