"""Tests for the package of a game: rules, views, secrets, records, pictures and house bots. Needs ``pecking[testing]``.

A complete test file of a package::

    from pecking.testing import game_tests
    from pecking_order_pig import GAME

    TestPig = game_tests(GAME)
"""

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from games.game import CatalogueGame

pytest.register_assert_rewrite("pecking.testing.checks", "pecking.testing.suite")


def game_tests(game: CatalogueGame, *, golden: Path | None = None, thorough: bool = False) -> type:
    """Return a test class for pytest. The package must be installed, so that records of the game can be read.

    ``golden`` is the file of golden records, by default ``golden.json`` of the package. With ``thorough``, every
    version is tested with every number of players and every option, and slow tests are marked ``slow``.
    """
    from pecking.testing import suite
    from pecking.testing.random_games import random_game_cases

    path = golden or Path(str(game.file("golden.json")))
    entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    values = {
        "case": random_game_cases(game, thorough=thorough),
        "ruleset": [pytest.param(one, id=one.id) for one in game.versions],
        "bot": [pytest.param(one, id=one.name) for one in game.house_bots],
        "entry": [pytest.param(one, id=f"{one['ruleset']}-{one['players']}-{one['reason']}") for one in entries],
        "game": [pytest.param(game, id=game.name)],
        "golden": [pytest.param(entries, id="golden")],
    }
    tests = {name: test for name, test in vars(suite).items() if name.startswith("test_")}
    return type(f"Test{game.title}", (), {name: staticmethod(_of(test, values)) for name, test in tests.items()})


def _of(test: Any, values: dict[str, list[Any]]) -> Any:
    """Return a copy of the test for these values. A copy is needed because pytest stores marks in the function."""

    def marked(**arguments: Any) -> None:
        test(**arguments)

    marked.__signature__ = inspect.signature(test)  # type: ignore[attr-defined]
    marked.__doc__ = test.__doc__
    marked.pytestmark = list(getattr(test, "pytestmark", []))  # type: ignore[attr-defined]
    for name in marked.__signature__.parameters:  # type: ignore[attr-defined]
        if name in values:
            marked = pytest.mark.parametrize(name, values[name])(marked)
    return marked
