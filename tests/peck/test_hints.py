"""Hints and reviews for a person at a table: right, honest about what is not known, and blind to what is hidden."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.catalogue import GAMES, find
from games.table import Table
from luck import luck_value_of
from luck.analysis import luck_values_known
from peck.browser import browser_match_spec
from peck.inline import InlineCage
from peck.person_table import PersonsTable, person_table_best_opponent

TABLES = [("pickomino/1", 3), ("heckmeck/2", 2), ("laghetti/1", 3), ("karteneck/2", 4)]


def sat(folder: Path, ruleset: str, players: int, seat: int = 0) -> PersonsTable:
    bots = [{"house": "random"} if at != seat else None for at in range(players)]
    return PersonsTable(
        browser_match_spec({"ruleset": ruleset, "seed": "hint", "bots": bots}), InlineCage(folder), seat
    )


def played(table: PersonsTable, actions: int) -> PersonsTable:
    for turn in range(actions):
        legal = table.message()["actions"]
        table.act(legal[turn % len(legal)])
    return table


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_every_hint_is_legal_and_says_whose_it_is(tmp_path: Path, ruleset: str, players: int) -> None:
    table = sat(tmp_path, ruleset, players)
    for turn in range(8):
        legal = table.message()["actions"]
        hint = table.hint()
        assert hint["action"] in legal
        if luck_value_of(ruleset):
            assert hint["kind"] == "value"
            assert hint["value"].startswith(ruleset)
            assert sorted(one["action"] for one in hint["options"]) == sorted(legal)
            values = [one["value"] for one in hint["options"]]
            assert values == sorted(values, reverse=True)
        else:
            assert hint == {
                "kind": "bot",
                "bot": person_table_best_opponent(find(ruleset).name).title,
                "action": hint["action"],
            }
        table.act(legal[turn % len(legal)])


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_a_hint_is_the_same_whatever_the_others_hold(tmp_path: Path, ruleset: str, players: int) -> None:
    hidden = 0
    for actions in (0, 5):
        table = played(sat(tmp_path / str(actions), ruleset, players), actions)
        before = table.hint()
        for number in range(3):
            other = played(sat(tmp_path / f"{actions} {number}", ruleset, players), actions)
            inner: Table = other._table
            inner.state = inner.state.resample(0, Random(number))
            hidden += inner.state != table._table.state
            assert other.hint() == before
    if luck_value_of(ruleset):
        assert not hidden  # its value sees the whole state, and there is nothing in it that a seat does not see
    else:
        assert hidden


def test_games_with_a_value_hide_nothing() -> None:
    for known in luck_values_known().values():
        state = Table(find(known.value.ruleset), 2, {}, bytes(16)).state
        theirs: list[dict[str, Any]] = [state.view(seat) | {"you": None, "actions": None} for seat in (0, 1)]
        assert theirs[0] == theirs[1]
        assert state.view(None) | {"you": None} == theirs[0] | {"actions": state.view(None).get("actions")}


def test_a_review_comes_after_the_game_and_not_before(tmp_path: Path) -> None:
    table = sat(tmp_path, "pickomino/1", 2)
    with pytest.raises(LookupError, match="not over"):
        table.review()
    while legal := table.message()["actions"]:
        table.act(legal[-1])
    with pytest.raises(LookupError, match="over"):
        table.hint()
    found = table.review()
    assert found["state"] == "ready"
    own = [one for one in found["decisions"] if one["seat"] == 0]
    assert own
    assert sum(one["lost"] for one in own) == found["lost"][0]


@pytest.mark.parametrize(("ruleset", "state"), [("laghetti/1", "dealt"), ("karteneck/2", "none")])
def test_where_there_is_no_value_the_review_says_so(tmp_path: Path, ruleset: str, state: str) -> None:
    table = sat(tmp_path, ruleset, 3)
    while legal := table.message()["actions"]:
        table.act(legal[0])
    assert table.review()["state"] == state


def test_hints_come_from_the_strongest_bot_that_needs_only_python() -> None:
    found = {name: person_table_best_opponent(name).name for name in GAMES}
    assert found == {"pickomino": "sage", "heckmeck": "sage", "laghetti": "guide", "karteneck": "seer"}
