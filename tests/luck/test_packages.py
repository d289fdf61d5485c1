"""The luck of games that packages bring: found by entry point, and Pig's, which is exact."""

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from random import Random
from types import ModuleType
from typing import Any

import pytest

from tests.games.sample import pig  # isort: skip
from pecking_order_pig.luck import LUCK, PigJudge, PigValue, held, rolled, solved, starts
from pecking_order_pig.position import GOAL, Position

from games.catalogue import GAMES
from games.record import Record
from games.table import Table
from luck import UNIT, GameAccount, Unanalysed, analysis, luck_analyse, luck_mark, luck_value_of
from luck.analysis import GROUP, OWN, luck_modules_found, luck_values_known
from luck.judge import GameLuck, KnownValue
from pecking.testing.random_games import random_game_seed

PIG = EntryPoint("pig", "pecking_order_pig.luck:LUCK", GROUP)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "pig", pig.GAME)  # type: ignore[arg-type]
    monkeypatch.setattr(analysis, "_installed", lambda: luck_modules_found([PIG]))
    monkeypatch.setitem(luck_values_known(), "pig/1-v1", LUCK.values[0])


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], str]:
    """Return why a package that registers this for Pig is refused."""

    def made(luck: Any) -> str:
        holder = ModuleType("held_luck")
        holder.LUCK = luck  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "held_luck", holder)
        games, broken = luck_modules_found([EntryPoint("pig", "held_luck:LUCK", GROUP)])
        assert list(games) == list(OWN)
        return broken["held_luck:LUCK"]

    return made


def record(players: int, key: int, *, holds_at: int = 20) -> Record:
    table, rng = Table(pig.GAME.current, players, {}, random_game_seed(key)), Random(key)
    while not table.over:
        careful = "hold" if table.state.won >= holds_at else "roll"  # type: ignore[attr-defined]
        table.play(careful if table.actor == 0 else rng.choice(table.state.actions()))
    return table.record()


def account(of: Record) -> GameAccount:
    analysed = luck_analyse(of)
    assert isinstance(analysed, GameAccount)
    return analysed


def test_a_package_computes_the_luck_of_its_game() -> None:
    games, broken = luck_modules_found([PIG])
    assert (list(games), broken) == ([*OWN, "pig"], {})
    assert luck_value_of("pig/1") == "pig/1-v1"


def test_broken_modules_are_reported_and_the_others_are_found(registered: Callable[[Any], str]) -> None:
    value = PigValue()
    assert "expected a GameLuck of this engine, got a str" in registered("nonsense")

    def with_(**changes: Any) -> GameLuck:
        other = type("Other", (PigValue,), changes)()
        return GameLuck((KnownValue(other, PigJudge),))

    assert "is no version of 'pig'" in registered(with_(ruleset="pig/2", id="pig/2-v1"))
    assert "must begin with 'pig/1-'" in registered(with_(id="v1"))
    assert "at most 40 long" in registered(with_(id="pig/1-" + "v" * 40))
    assert "be unique" in registered(replace(LUCK, values=(*LUCK.values, KnownValue(value, PigJudge))))
    missing = EntryPoint("pig", "no_such_package.luck:LUCK", GROUP)
    assert "ModuleNotFoundError" in luck_modules_found([missing])[1][missing.value]
    elsewhere = EntryPoint("nowhere", PIG.value, GROUP)
    assert "no game 'nowhere' is installed" in luck_modules_found([elsewhere])[1][PIG.value]
    twice = EntryPoint("pickomino", PIG.value, GROUP)
    assert "another package registers the luck of this game" in luck_modules_found([twice])[1][PIG.value]


def test_the_table_of_pig_is_its_own_solution() -> None:
    for own in range(GOAL):
        for other in range(GOAL):
            assert abs(starts()[own][other] - rolled(own, other, 0)) <= 2
            assert held(own, other, 0) <= starts()[own][other]
    small = solved(7)  # one good roll of a 2 to 6, twice at most
    assert small[6][6] == pytest.approx(6 / 7)  # wins unless it rolls a 1, and then the other does the same


def test_a_game_of_pig_adds_up_and_its_careless_player_loses_by_decisions() -> None:
    for key in range(8):
        analysed = account(record(2, key))
        for seat in range(2):
            parts = (
                analysed.start[seat]
                + analysed.luck[seat]
                - analysed.lost[seat]
                + analysed.theirs[seat]
                + analysed.unexplained[seat]
            )
            assert parts == analysed.final[seat]
            assert abs(analysed.unexplained[seat]) <= len(analysed.shares)  # rounding alone: the value is exact
        assert analysed.lost[0] < analysed.lost[1]
        assert {one.kind for one in analysed.decisions} == {"roll_or_hold"}
    assert any(luck_mark(one.lost) == "blunder" for one in analysed.decisions)
    assert analysed.start[0] == starts()[0][0] > UNIT // 2


def test_a_table_outside_the_value_gives_the_reason() -> None:
    analysed = luck_analyse(record(3, 1))
    assert isinstance(analysed, Unanalysed)
    assert (analysed.code, analysed.details["option"]) == ("options", "players")


def test_a_position_that_is_over_has_what_it_came_to() -> None:
    assert PigJudge().at(Position((50, 12))) == (UNIT, 0)
