"""The house bots of our games lie in their folders, and each game has a stand-in; the rest is in pecking.testing."""

from dataclasses import replace
from pathlib import Path

import pytest

from games.catalogue import GAMES, catalogue_stand_in
from games.game import CatalogueGame, HouseBot

FOLDERS = Path(__file__).parents[3] / "platform/games/catalogue"
BOTS = [(game, bot) for game in GAMES.values() for bot in game.house_bots]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_stand_in_that_is_no_house_bot_is_named(game: CatalogueGame) -> None:
    with pytest.raises(LookupError, match="no house bot 'nobody'"):
        _ = replace(game, plays_on="nobody").stand_in


@pytest.mark.parametrize(("game", "bot"), BOTS, ids=lambda one: one.name)
def test_the_source_of_a_house_bot_is_its_file(game: CatalogueGame, bot: HouseBot) -> None:
    assert bot.source() == (FOLDERS / game.name / "bots" / f"{bot.name}.py").read_bytes()


def test_no_stand_in_for_an_unknown_game() -> None:
    with pytest.raises(KeyError):
        catalogue_stand_in("chess")
