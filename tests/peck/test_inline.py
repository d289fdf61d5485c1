"""Bots in the judge's own interpreter, as in a browser: the game of the site, and each bot with its own things."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from peck import browser
from peck.browser import Desk, opened
from peck.inline import InlineCage
from tests.peck.browsers import hashes, in_the_cage, series

ACT = "def act(view): return view['actions'][0]"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(str(tmp_path), lambda text: None)


def call(desk: Desk, do: str, **message: Any) -> Any:
    return json.loads(desk.answer(json.dumps({"do": do, **message})))


def spec(*bots: dict[str, str] | str, ruleset: str = "pickomino/1") -> dict[str, Any]:
    return {
        "ruleset": ruleset,
        "seed": "luck",
        "bots": [{"house": bot} if isinstance(bot, str) else {"files": bot} for bot in bots],
    }


@pytest.mark.processes
@pytest.mark.parametrize("games", [4, pytest.param(200, marks=pytest.mark.slow)])
def test_the_records_are_those_of_the_cage(games: int, tmp_path: Path) -> None:
    assert hashes(InlineCage(tmp_path), games) == in_the_cage(games)


def test_a_series_leaves_the_interpreter_as_it_was(tmp_path: Path) -> None:
    before, path, here = set(sys.modules), sys.path[:], Path.cwd()
    for order, index in series(3):
        Desk(str(tmp_path), lambda text: None)._play(order, index)
    assert sys.path == path
    assert Path.cwd() == here
    assert not {"bot", "helper", "js"} & (set(sys.modules) - before)


@pytest.mark.parametrize(
    ("source", "verdict", "line"),
    [
        ("def act(view):\n    return 1 / 0", "crashed", 2),
        ("def act(view)\n    pass", "import_error", 1),
        ("import sys\ndef act(view): sys.exit(3)", "exited", 2),
        ("def act(view): return act(view)", "crashed", 1),
        ("def act(view): raise MemoryError", "memory", 1),
        ("def act(view): return 'dance'", "illegal_action", None),
        ("def act(view): return 5", "malformed", None),
        ("def act(view): return 'x' * 9999", "oversize", None),
        ("x = 1", "no_entry_point", None),
        ("import js\n" + ACT, "import_error", 1),
        ("import pyodide.ffi\n" + ACT, "import_error", 1),
        ("import games\n" + ACT, "import_error", 1),
        ("def act(view):\n    import matches.referee.match_series", "crashed", 2),
    ],
)
def test_a_fault_is_reported_in_the_words_of_the_site(desk: Desk, source: str, verdict: str, line: int | None) -> None:
    [fault] = call(desk, "play", spec=spec({"bot.py": source}, "random"), index=0)["faults"]
    assert (fault["seat"], fault["verdict"], fault["line"]) == (0, verdict, line)


def test_output_is_kept_up_to_the_cap_and_returned_by_seat(desk: Desk) -> None:
    flood = "def act(view):\n    print('x' * 10**6)\n    return view['actions'][0]"
    quiet, loud = call(desk, "play", spec=spec({"bot.py": ACT}, {"bot.py": flood}), index=0)["printed"]
    assert quiet == ""
    assert 4096 <= len(loud) <= 16_000


def test_the_acting_seat_is_announced_before_it_acts(tmp_path: Path) -> None:
    steps: list[int] = []
    desk = opened_quietly(tmp_path, steps)
    call(desk, "play", spec=spec({"bot.py": ACT}, {"bot.py": "x = 1 / 0"}), index=0)
    assert steps[:2] == [0, 1]


def opened_quietly(folder: Path, positions: list[int]) -> Desk:
    return Desk(str(folder), lambda text: positions.append(json.loads(text)["position"]))


def test_a_bots_file_stays_in_its_folder(desk: Desk) -> None:
    with pytest.raises(RuntimeError, match="no file of a bot"):
        call(desk, "play", spec=spec({"bot.py": ACT, "../bot.py": ACT}, "random"), index=0)


def test_the_frames_of_a_record_are_those_of_the_player(desk: Desk) -> None:
    played = call(desk, "play", spec=spec({"bot.py": ACT}, "greedy"), index=1)
    batch = call(desk, "film", record=played["record"], game=1, end=played["end"])
    assert (batch["game"], batch["first"], batch["end"]) == (1, 0, played["end"])
    assert batch["frames"][-1][3] == "end"


def test_the_tally_counts_whole_blocks(desk: Desk) -> None:
    order = spec({"bot.py": ACT}, "greedy")
    for index in range(3):
        call(desk, "play", spec=order, index=index)
    tally = call(desk, "tally")
    assert tally["games"] == 2
    assert [line["games"] for line in tally["lines"]] == [2, 2]
    assert sum(line["share"] for line in tally["lines"]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("ruleset", "players"), [("pickomino/1", 2), ("heckmeck/2", 7), ("laghetti/1", 4), ("karteneck/2", 3)]
)
def test_a_person_plays_a_whole_game(desk: Desk, ruleset: str, players: int) -> None:
    order = {"ruleset": ruleset, "seed": "person", "bots": [None, *[{"house": "random"}] * (players - 1)]}
    table = call(desk, "sit", spec=order, seat=0)
    shown = len(table["frames"]["frames"])
    while not table["over"]:
        assert table["actions"] == table["view"]["actions"]
        assert table["view"]["you"] == 0
        table = call(desk, "act", action=table["actions"][-1])
        assert table["frames"]["first"] == shown
        shown += len(table["frames"]["frames"])
    assert table["frames"]["frames"][-1][3] == "end"
    assert sorted(table["frames"]["end"]["places"])[0] == 1
    assert not table["faults"]


def test_what_a_person_may_not_do_changes_nothing(desk: Desk) -> None:
    order = {"ruleset": "pickomino/1", "seed": "person", "bots": [None, {"house": "random"}]}
    table = call(desk, "sit", spec=order, seat=0)
    with pytest.raises(ValueError, match="dance"):
        call(desk, "act", action="dance")
    assert call(desk, "act", action=table["actions"][0])["frames"]["first"] == len(table["frames"]["frames"])


def test_opening_empties_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", {"SECRET": "x"})
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "argv", ["x"])
    opened(str(tmp_path / "bots"), lambda text: None)
    import os

    assert os.environ == {}


@pytest.mark.parametrize("line", ["import numpy as np", "from numpy.random import default_rng"])
def test_where_there_is_no_numpy_the_fault_says_what_to_do(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    for name in [one for one in sys.modules if one.partition(".")[0] == "numpy"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [one for one in sys.path if "site-packages" not in one])
    (fault,) = call(desk, "play", spec=spec({"bot.py": f"{line}\n{ACT}"}, "miser"), index=0)["faults"]
    assert (fault["verdict"], fault["line"]) == ("import_error", 1)
    assert "there is no NumPy here" in fault["detail"]
    assert "numpy and its own files" not in fault["detail"]
    (other,) = call(desk, "play", spec=spec({"bot.py": f"import pandas\n{ACT}"}, "miser"), index=0)["faults"]
    assert "numpy and its own files" in other["detail"]


class Ended(BaseException):
    """The page ends the worker."""


@pytest.mark.parametrize(
    ("source", "line", "where"),
    [
        ("print('start')\ndef act(view):\n    print('asked')\n    while True:\n        pass", (4, 5), "in act"),
        ("def look():\n    n = 1\n    while n:\n        n += 1\ndef act(view):\n    look()", (3, 4), "in look"),
        (
            "class Bot:\n    def __init__(self, table):\n        for _ in iter(int, 1):\n            pass",
            (3, 4),
            "__init__",
        ),
    ],
)
def test_a_call_without_an_answer_reports_line_and_output(
    source: str, line: tuple[int, int], where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[dict[str, Any]] = []

    def send(text: str) -> None:
        calls.append(json.loads(text))
        if calls[-1]["say"] == "late":
            raise Ended

    monkeypatch.setattr(browser, "LATE_SECONDS", 0.05)
    desk = Desk(str(tmp_path), send)
    order = spec({"bot.py": source}, "random")
    number = 1 if "Bot" in source else 3  # both start first
    answer = call(desk, "play", spec=order, index=0, watch=number)
    (late,) = (one for one in calls if one["say"] == "late")
    assert late["line"] in line
    assert where in late["detail"]
    allowed = "2 s are allowed at the start" if number == 1 else "1 s are allowed for one action"
    assert allowed in late["detail"]
    assert late["output"].split() == (["asked"] if "asked" in source else [])
    assert answer["faults"][0]["exception"] == "Ended"


def test_output_is_reported_with_its_line(desk: Desk) -> None:
    source = "import helper, sys\ndef act(view):\n    print('turn', view['turn'])\n    print()\n" + (
        "    sys.stdout.write('x' * 500)\n    return helper.best(view)"
    )
    helper = "def best(view):\n    for n in range(2): print(n, end=' ')\n    return view['actions'][0]"
    played = call(desk, "play", spec=spec({"bot.py": source, "helper.py": helper}, "greedy"), index=0)
    [(_, first, times, turn), (_, wrote, _, xs), (name, inner, count, text)], others = played["lines"]
    assert (first, turn.split()[0], wrote, xs, others) == (3, "turn", 5, "x" * 120, [])
    assert times > 1
    assert (name, inner, text[0]) == ("helper.py", 2, "0")
    assert count == 1  # it never ends its line


def test_a_game_returns_notes_views_output_and_times_of_its_bots(desk: Desk) -> None:
    explaining = """
asked = 0
def act(view):
    global asked
    asked += 1
    print("turn", asked)
    return {"action": view["actions"][0], "note": "first", "value": 0.5} if asked < 3 else view["actions"][asked // 9]
"""
    game = call(desk, "play", spec=spec("random", {"bot.py": explaining}), index=1)
    again = {"record": game["record"]}
    notes = call(desk, "notes", logs=game["logs"], **again)
    assert [(one["seat"], one["note"], one["marks"], one["value"]) for one in notes] == [(1, "first", [], 0.5)] * 2
    log, position = game["logs"][1], game["order"].index(1)
    step, seen = 0, []
    while step is not None:
        seen.append(call(desk, "decision", position=position, step=step, log=log, **again))
        step = seen[-1]["after"]
    assert [one["step"] for one in seen[:2]] == [one["step"] for one in notes]
    assert [one["number"] for one in seen] == list(range(1, seen[0]["count"] + 1))
    bots = [one for one in seen if not one["stood_in"]]
    assert [one["printed"] for one in bots] == [f"turn {one['number']}\n" for one in bots]
    assert [one["ms"] for one in bots] == log["ms"][: len(bots)]
    assert all(one["view"]["you"] == position and one["action"] in one["view"]["actions"] for one in seen)
    assert all(one["ms"] is None for one in seen[len(bots) :])
    assert len(call(desk, "luck", **again)["luck"]) == 2
