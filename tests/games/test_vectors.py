"""``peck vectors``: the rule sheets' examples hold, and nothing that is not understood passes."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.catalogue import GAMES
from games.rule_vectors import VectorError, rule_vector_run, rule_vectors_of
from games.ruleset import Ruleset
from peck.__main__ import main

PICKOMINO = Path(__file__).parent / "vectors" / "pickomino.json"
VECTORS = rule_vectors_of(json.loads(PICKOMINO.read_text(encoding="utf-8")))


ALL = [
    vector
    for path in sorted(PICKOMINO.parent.glob("*.json"))
    for vector in rule_vectors_of(json.loads(path.read_text(encoding="utf-8")))
]


@pytest.mark.parametrize("vector", ALL, ids=lambda vector: vector["id"])
def test_the_examples_of_the_rule_sheets_hold(vector: Any) -> None:
    rule_vector_run(vector)


SUPERSEDED = [
    (ruleset, copy.deepcopy(vector))  # running a vector uses up its deck
    for game in GAMES.values()
    for ruleset in game.versions[:-1]
    for vector in ALL
    if vector["game"] == game.name
]


@pytest.mark.parametrize(
    ("ruleset", "vector"), SUPERSEDED, ids=lambda one: one["id"] if isinstance(one, dict) else one.id
)
def test_an_example_that_names_no_version_holds_by_every_one(ruleset: Ruleset, vector: Any) -> None:
    rule_vector_run(vector | {"game": ruleset.id})


def changed(*path: Any, value: Any) -> Any:
    """The first vector with one value changed, or one key added."""
    vector = copy.deepcopy(VECTORS[0])
    place = vector
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return vector


@pytest.mark.parametrize(
    ("vector", "words"),
    [
        (changed("colour", value="red"), "vector: unknown key 'colour'"),
        (changed("game", value="chess"), "ruleset 'chess' is unknown"),
        (changed("options", "colour", value="red"), "option 'colour'"),
        (changed("options", "steal", value="never"), "option 'steal': 'never' is not allowed"),
        (changed("given", "weather", value="fine"), "given: unknown key 'weather'"),
        (changed("given", "to_move", value="Nobody"), "'Nobody' is not one of the players"),
        (changed("given", "grill", value=[20]), "no tile"),
        (changed("given", "players", value=["Jonathan"]), "players: 1 is not allowed"),
        (changed("given", "stacks", value={"Nobody": []}), "'Nobody' is not one of the players"),
        (changed("actions", 0, "speed", value=9), "action 0: unknown key 'speed'"),
        (changed("actions", 0, "type", value="fly"), "action 0: unknown action 'fly'"),
        (changed("actions", 0, "dice", value=[1, 1]), "action 0: 'roll 1 1' is not legal"),
        (changed("actions", 0, "dice", value=[7] * 8), "no die shows"),
        (changed("actions", 1, "face", value=9), "action 1: 'take 9' is not legal"),
        (changed("expect", "mood", value="good"), "expect: unknown key 'mood'"),
        (changed("expect", "total", value=25), "expect: total should be 25, is 26"),
        (changed("expect", "log_contains", value=[["flip", 34]]), "log_contains"),
        (changed("checkpoints", 0, "total", value=9), "after action 1: total should be 9, is 10"),
        (changed("checkpoints", 0, "after_action", value=99), "'after_action' 99 names no action"),
        (changed("checkpoints", 0, "mood", value=1), "unknown key 'mood'"),
        ([], "not an object"),
    ],
)
def test_what_does_not_hold_or_is_not_understood_fails_by_name(vector: Any, words: str) -> None:
    with pytest.raises(VectorError) as failed:
        rule_vector_run(vector)
    assert words in str(failed.value)


def test_a_theft_that_the_options_force_needs_no_action_but_may_be_named() -> None:
    vector = next(copy.deepcopy(vector) for vector in VECTORS if vector["id"] == "PK-fig4b")
    vector["options"] = {"steal": "mandatory"}
    rule_vector_run(vector)
    vector["actions"].pop()
    rule_vector_run(vector)


def test_the_command_prints_a_line_a_vector_and_the_sum(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", str(PICKOMINO)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(VECTORS) + 1
    assert lines[0] == "ok    PK-fig3"
    assert lines[-1] == "17 passed, 0 failed"


def test_the_command_fails_if_anything_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chess = VECTORS[0] | {"id": "CH", "game": "chess"}
    odd = VECTORS[0] | {"id": "odd", "expect": []}
    (tmp_path / "mixed.json").write_text(json.dumps({"format": "x", "vectors": [VECTORS[1], chess, odd]}))
    (tmp_path / "broken.json").write_text("{")
    assert main(["vectors", *(str(tmp_path / name) for name in ("mixed.json", "broken.json", "none.json"))]) == 1

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ok    PK-fig4a"
    assert lines[1].startswith("FAIL  CH: ruleset 'chess' is unknown")
    assert lines[2].startswith("FAIL  odd: ")
    assert lines[3].startswith("FAIL  ")
    assert lines[-1] == "1 passed, 4 failed"


JUNK: list[Any] = [None, 0, -1, 99, 10**30, 1.5, True, "", "A", "W", "tile:", [], {}, [[]], [None], {"A": []}, [1, "W"]]


def places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value within a JSON value."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*here, key)
        yield from places(value[key], (*here, key))


def broken(number: int) -> Any:
    """A vector with something left out or replaced by something odd."""
    rng = random.Random(f"broken {number}")
    vector = copy.deepcopy(ALL[number % len(ALL)])
    *way, last = rng.choice([*places({key: vector[key] for key in ("given", "actions", "expect")})])
    place = vector
    for key in way:
        place = place[key]
    if rng.random() < 0.3:
        del place[last]
    else:
        place[last] = copy.deepcopy(rng.choice(JUNK))
    return vector


def test_a_vector_that_is_broken_anywhere_fails_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vectors = [broken(number) for number in range(4 * len(ALL))]
    (tmp_path / "broken.json").write_text(json.dumps({"vectors": vectors}))
    assert main(["vectors", str(tmp_path / "broken.json")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(vectors) + 1
    assert sum(line.startswith("FAIL") for line in lines) > len(vectors) / 2
