"""House bots that use numpy where it is play in plain Python where it is not: in a browser."""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from games.catalogue import GAMES, current
from games.catalogue.laghetti.bots import daring
from games.table import Table
from pecking.testing.random_games import random_game_seed
from tests.games.house.duel import duel
from tests.games.test_laghetti import after, card, position

Load = Callable[[str, str], ModuleType]
S24, S1 = card("S", 24), card("S", 1)
SAGES = [("pickomino", "sage"), ("heckmeck", "sage")]


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> Load:
    """Imports a house bot as if there were no numpy."""

    def load(game: str, name: str) -> ModuleType:
        module = f"games.catalogue.{game}.bots.{name}"
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "numpy", None)
            patch.delitem(sys.modules, module, raising=False)
            loaded = import_module(module)
            patch.setitem(sys.modules, module, loaded)  # so that the one before comes back
        assert loaded.np is None
        return loaded

    return load


def test_every_house_bot_of_the_catalogue_plays_without() -> None:
    assert [bot.title for game in GAMES.values() for bot in game.house_bots if bot.needs_numpy] == []


@pytest.mark.parametrize(("game", "name"), SAGES)
def test_what_is_calculated_exactly_is_decided_the_same(plain: Load, game: str, name: str) -> None:
    with_numpy, without = import_module(f"games.catalogue.{game}.bots.{name}"), plain(game, name)
    table = Table(current(game), 3, {}, random_game_seed(game, 1))
    decided: list[tuple[Any, Any]] = []
    while not table.over and len(decided) < 25:
        view = table.view(table.actor)
        decided.append((with_numpy.act(view), without.act(view)))
        table.play(decided[-1][0])
    assert [one for one in decided if one[0] != one[1]] == []


def test_the_guide_deals_and_plays_out_as_it_does_with_numpy(plain: Load) -> None:
    guide = plain("laghetti", "guide")
    assert guide.act(position([[3], [S24], [14]]).view(1)) == "bid 1"
    lead = after(position([[3, 7], [S24, S1], [14, 15]]), "bid 1", "bid 0", "bid 2")
    assert guide.act(lead.view(1)) == f"play {S24} S"
    for bid, wins in ((1, True), (0, False)):
        state = after(position([[0, 21], [14, 15], [3, 7]]), "bid 2", "bid 1", f"bid {bid}", "play 14 S", "play 3")
        assert guide.act(state.view(0)) == ("play 21" if wins else "play 0")
    table = Table(current("laghetti"), 4, {}, random_game_seed("guide", 4))
    while not table.over and table.view(table.actor)["phase"] == "bid":
        view = table.view(table.actor)
        assert guide.act(view) == guide.act(view)
        table.play(guide.act(view))


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
def test_the_guide_is_the_strongest_without_too(plain: Load, players: int) -> None:
    lead = duel(current("laghetti"), plain("laghetti", "guide").act, daring.act, 8, players)
    print(f"{players} players: {lead}")
    assert lead.lead - lead.half > 0
