"""The house bots: complete files, legal everywhere, and the stand-in never surprises."""

import ast
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bots.house import HOUSE, HouseBot, stand_in
from games.catalogue import GAMES, current
from games.table import Table
from tests.games.playing import needed, option_sets, seed

BOTS = [bot for bots in HOUSE.values() for bot in bots]
every_bot = pytest.mark.parametrize("bot", BOTS, ids=lambda bot: f"{bot.ruleset}-{bot.name}")


def loaded(bot: HouseBot) -> Callable[[Any], str]:
    """As the cage loads it: from its source alone."""
    module = ModuleType("bot")
    exec(compile(bot.source(), "bot.py", "exec"), module.__dict__)
    act: Callable[[Any], str] = module.act
    return act


def test_every_ruleset_has_house_bots_and_a_stand_in() -> None:
    assert set(HOUSE) == set(GAMES)
    assert all(bots and stand_in(name) for name, bots in HOUSE.items())
    assert all(len({bot.name for bot in bots}) == len(bots) for bots in HOUSE.values())


@every_bot
def test_a_house_bot_is_one_file_that_needs_nothing_of_ours(bot: HouseBot) -> None:
    tree = ast.parse(bot.source())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    froms = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    roots = {name.partition(".")[0] for name in [*froms, *(alias.name for node in imports for alias in node.names)]}
    assert roots <= {"functools", "itertools", "math", "numpy", "random", "typing"}
    assert bot.source() == Path(__file__).parents[3].joinpath("bots/house", bot.ruleset, f"{bot.name}.py").read_bytes()


@every_bot
def test_a_house_bot_plays_legally_at_every_table(bot: HouseBot) -> None:
    act, others, ruleset = loaded(bot), stand_in(bot.ruleset), current(bot.ruleset)
    for number, options in enumerate(option_sets(ruleset)):
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
