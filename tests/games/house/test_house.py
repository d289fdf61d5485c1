"""The house bots: complete files, legal everywhere, and the stand-in never surprises."""

import ast
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from games.catalogue import GAMES, current, stand_in
from games.game import CatalogueGame, HouseBot
from games.table import Table
from tests.games.playing import needed, option_sets, seed

BOTS = [(game, bot) for game in GAMES.values() for bot in game.house_bots]
every_bot = pytest.mark.parametrize(("game", "bot"), BOTS, ids=lambda one: one.name)


def loaded(bot: HouseBot) -> Callable[[Any], str]:
    """As the cage loads it: from its source alone."""
    module = ModuleType("bot")
    exec(compile(bot.source(), "bot.py", "exec"), module.__dict__)
    act: Callable[[Any], str] = module.act
    return act


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_game_has_house_bots_of_its_own_and_one_of_them_is_its_stand_in(game: CatalogueGame) -> None:
    assert {bot.folder for bot in game.house_bots} == {game.folder}
    assert len({bot.name for bot in game.house_bots}) == len(game.house_bots) > 0
    assert game.stand_in in game.house_bots
    with pytest.raises(LookupError, match="no house bot 'nobody'"):
        _ = replace(game, plays_on="nobody").stand_in


@every_bot
def test_a_house_bot_is_one_file_that_needs_nothing_of_ours(game: CatalogueGame, bot: HouseBot) -> None:
    tree = ast.parse(bot.source())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    froms = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    roots = {name.partition(".")[0] for name in [*froms, *(alias.name for node in imports for alias in node.names)]}
    assert roots <= {"functools", "itertools", "math", "numpy", "random", "typing"}
    folder = Path(__file__).parents[3].joinpath("platform/games/catalogue", game.name)
    assert bot.source() == folder.joinpath("bots", f"{bot.name}.py").read_bytes()


# Each day every table is one of some bot's; that it is each bot's takes minutes.
@pytest.mark.parametrize("share", [pytest.param(1, marks=pytest.mark.slow), 4], ids=["all", "a share"])
@every_bot
def test_a_house_bot_plays_legally_at_every_table_by_every_version_of_the_rules(
    game: CatalogueGame, bot: HouseBot, share: int
) -> None:
    act, others = loaded(bot), stand_in(game.name)
    every = [(version, options) for version in game.versions for options in option_sets(version)]
    bots = game.house_bots
    share = min(share, len(bots))
    for number, (ruleset, options) in list(enumerate(every))[bots.index(bot) % share :: share]:
        players = ruleset.seats[number % len(ruleset.seats)]
        table = Table(ruleset, players, options | needed(ruleset, players), seed("house", number))
        while not table.over:
            mine = table.actor == number % players
            table.play((act if mine else others)(table.view(table.actor)))
        assert table.outcome is not None


@pytest.mark.parametrize("name", GAMES)
def test_the_stand_in_answers_the_same_view_the_same(name: str) -> None:
    games = []
    for _ in range(2):
        act, table = stand_in(name), Table(current(name), 3, {}, seed("stand-in"))
        while not table.over:
            table.play(act(table.view(table.actor)))
        games.append(table.record())
    assert games[0] == games[1]


def test_no_stand_in_for_an_unknown_game() -> None:
    with pytest.raises(KeyError):
        stand_in("chess")
