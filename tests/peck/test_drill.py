"""``peck drill-make`` and ``peck drill``: the costliest decisions of recorded games, made again."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalogue.pickomino import bots as house
from games.untrusted import UntrustedError
from luck import UNIT, GameAccount, luck_analyse
from luck.game_account import Alternative, Decision
from matches.referee.costly_positions import Costly, Drill, LookedAt, costly_positions_drill
from peck.__main__ import main
from peck.positions import Source, positions_looked_at
from tests.luck.games import played

Told = pytest.CaptureFixture[str]

FIRST = "def act(view):\n    return view['actions'][0]\n"
HOUSE = Path(house.__file__).parent
RECORD = played(("greedy", "random"), 5)
COUNTS = """
class Bot:
    def __init__(self, table):
        self.asked = 0

    def act(self, view):
        self.asked += 1
        return view["actions"][self.asked % len(view["actions"])]
"""


@pytest.fixture
def records(tmp_path: Path) -> list[str]:
    paths = []
    for key in range(3):
        paths.append(tmp_path / f"game-{key}.peck")
        paths[-1].write_bytes(played(("random", "greedy"), key).encode())
    return list(map(str, paths))


def made(records: list[str], file: Path, *more: str) -> Drill:
    assert main(["drill-make", *records, "-o", str(file), *more]) == 0
    return Drill.read(file)


def bot(folder: Path, source: str = FIRST, name: str = "mine.py") -> str:
    (folder / name).write_text(source)
    return str(folder / name)


def told(capsys: Told) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_costliest_decisions_of_a_seat_are_kept(records: list[str], tmp_path: Path, capsys: Told) -> None:
    drill = made(records, tmp_path / "drill.jsonl", "--seat", "0", "--most", "5")
    accounts = [luck_analyse(played(("random", "greedy"), key)) for key in range(3)]
    lost = sorted(
        (one.lost for each in accounts if isinstance(each, GameAccount) for one in each.decisions if one.seat == 0),
        reverse=True,
    )
    assert [one.lost(one.action) for one in drill.positions] == lost[:5]
    assert (drill.games, drill.decisions, drill.lost) == (3, len(lost), sum(lost))
    assert drill.held == sum(lost[:5]) / sum(lost)
    out = capsys.readouterr().out
    assert f"{len(lost)} decisions in 3 games of seat 0 lost {100 * sum(lost) / UNIT:.1f} points" in out
    for one in drill.positions:
        asked = one.recorded_seat(history=True)
        assert asked.turns[-1].view == one.view
        assert len(asked.turns) == one.number
        assert len(one.recorded_seat(history=False).turns) == 1
        assert one.view["you"] == one.view["actor"] == 0


def test_the_same_records_give_the_same_file(records: list[str], tmp_path: Path) -> None:
    made(records, tmp_path / "one", "--seat", "1")
    made(records, tmp_path / "two", "--seat", "1", "-j", "2")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    drill = Drill.read(tmp_path / "one")
    assert drill.encode() == (tmp_path / "one").read_text()


@pytest.mark.parametrize(("name", "calls"), [("greedy", ([], ["--history"])), ("random", (["--history"],))])
def test_the_bot_of_the_records_decides_as_before(
    name: str, calls: tuple[list[str], ...], tmp_path: Path, capsys: Told
) -> None:
    """One that rolls dice of its own does so after all that it was asked before."""
    mine = bot(tmp_path, (HOUSE / f"{name}.py").read_text())
    run = tmp_path / "run"
    play = ["play", "pickomino", bot(tmp_path, name="first.py"), mine, "--blocks", "2", "-q", "--in-process"]
    assert main([*play, "--records", str(run)]) == 0
    drill = made([str(run)], tmp_path / "drill.jsonl", "--bot", "mine")
    assert (drill.bot, drill.games) == ("mine", 4)
    assert {one.game for one in drill.positions} <= {"game-1.1", "game-1.2", "game-2.1", "game-2.2"}
    assert {one.seat for one in drill.positions} == {0, 1}
    for more in calls:
        capsys.readouterr()
        assert main(["drill", mine, str(tmp_path / "drill.jsonl"), "--in-process", "--json", *more]) == 0
        found = told(capsys)
        assert all(one["now"] | {"fault": ""} == one["before"] | {"fault": ""} for one in found["positions"])
        assert found["now"] == found["before"] == sum(one.lost(one.action) for one in drill.positions)


def test_it_fails_where_a_decision_costs_more_than_before(records: list[str], tmp_path: Path, capsys: Told) -> None:
    file = tmp_path / "drill.jsonl"
    drill = made(records, file, "--seat", "1", "--most", "50")
    call = ["drill", bot(tmp_path, FIRST.replace("[0]", "[-1]")), str(file), "--in-process"]
    capsys.readouterr()
    assert main([*call, "--json"]) == 1
    found = told(capsys)
    worse = [one for one in found["positions"] if one["now"]["lost"] - one["before"]["lost"] > UNIT // 100]
    assert found["grown"] == len(worse) > 0
    assert main([*call, "--tolerance", "100"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(drill.positions) + 2
    assert lines[1].startswith(f" 1. {drill.positions[0].game}, decision {drill.positions[0].number}: was ")
    assert f"best {drill.positions[0].best!r}" in lines[1]
    assert lines[-1].startswith("mine loses ")


def test_a_bot_with_a_memory_is_noted_and_history_gives_it_back(
    records: list[str], tmp_path: Path, capsys: Told
) -> None:
    file = tmp_path / "drill.jsonl"
    drill = made(records, file, "--seat", "1", "--most", "8")
    call = ["drill", bot(tmp_path, COUNTS), str(file), "--in-process", "--json", "--tolerance", "100"]
    capsys.readouterr()
    for more, asked in (([], lambda one: 1), (["--history"], lambda one: one.number)):
        assert main([*call, *more]) == 0
        printed = capsys.readouterr()
        assert ("has a class Bot" in printed.err) == (not more)
        answers = [one["now"]["action"] for one in json.loads(printed.out)["positions"]]
        actions = [(one.view["actions"], asked(one)) for one in drill.positions]
        assert answers == [each[number % len(each)] for each, number in actions]


def test_a_bot_that_fails_at_a_position_is_at_fault_there_alone(
    records: list[str], tmp_path: Path, capsys: Told
) -> None:
    file = tmp_path / "drill.jsonl"
    drill = made(records, file, "--seat", "1", "--most", "6")
    phase = drill.positions[0].view["phase"]
    fails = f"def act(view):\n    if view['phase'] == {phase!r}:\n        return 1 / 0\n    return view['actions'][0]\n"
    capsys.readouterr()
    assert main(["drill", bot(tmp_path, fails), str(file), "--in-process", "--json"]) == 3
    printed = capsys.readouterr()
    now = [one["now"] for one in json.loads(printed.out)["positions"]]
    assert [bool(one["fault"]) for one in now] == [one.view["phase"] == phase for one in drill.positions]
    assert now[0]["lost"] == max(map(drill.positions[0].lost, drill.positions[0].options))
    assert "ZeroDivisionError" in printed.err
    assert main(["drill", bot(tmp_path, "def act(view): return 'fly'"), str(file), "--in-process"]) == 3
    assert "is not legal there" in capsys.readouterr().out


@pytest.mark.processes
def test_processes_answer_as_one_process_does(records: list[str], tmp_path: Path, capsys: Told) -> None:
    file = tmp_path / "drill.jsonl"
    made(records, file, "--seat", "1", "--most", "6")
    call = ["drill", bot(tmp_path), str(file), "--json", "--tolerance", "100"]
    capsys.readouterr()
    found = []
    for more in ([], ["--in-process"]):
        assert main([*call, *more]) == 0
        found.append(told(capsys))
    assert found[0] == found[1]


def test_a_game_without_a_value_says_so_in_a_sentence(tmp_path: Path, capsys: Told) -> None:
    for ruleset, name in (("karteneck/1", "steady"), ("laghetti/1", "steady"), ("heckmeck/1", "random")):
        path = tmp_path / "game.peck"
        path.write_bytes(played((name,) * (3 if ruleset.startswith("lag") else 2), 1, ruleset).encode())
        assert main(["drill-make", str(path), "--seat", "0", "-o", str(tmp_path / "no")]) == 1
        assert (
            capsys.readouterr().err
            == f"There is no value for {ruleset}, so the costs of its decisions cannot be computed.\n"
        )
    assert not (tmp_path / "no").exists()


def test_any_game_with_a_value_has_drills(tmp_path: Path) -> None:
    path = tmp_path / "game.peck"
    path.write_bytes(played(("cautious", "random"), 1, "heckmeck/2").encode())
    drill = made([str(path)], tmp_path / "drill.jsonl", "--seat", "1")
    assert drill.ruleset == "heckmeck/2"
    assert drill.positions


def test_calls_that_name_no_games_are_told_why(records: list[str], tmp_path: Path, capsys: Told) -> None:
    (tmp_path / "empty").mkdir()
    other = tmp_path / "other.peck"
    other.write_bytes(played(("random", "random"), 1, "heckmeck/2").encode())
    for words, code, said in (
        (records, 2, "give --seat"),
        ([str(tmp_path / "empty")], 2, "contains no run"),
        ([str(tmp_path / "empty"), records[0]], 2, "give one folder"),
        ([records[0], str(other), "--seat", "0"], 2, "is of heckmeck/2"),
        ([str(tmp_path / "none.peck"), "--seat", "0"], 1, "No such file"),
        ([str(tmp_path / "run")], 1, "run: No such file"),
        ([__file__, "--seat", "0"], 1, "does not hold"),
        ([records[0], "--seat", "9"], 1, "game-0.peck: there is no seat 9"),
        ([records[0], "--seat", "9", "-j", "2"], 1, "game-0.peck: there is no seat 9"),
    ):
        assert main(["drill-make", *words, "-o", str(tmp_path / "no")]) == code
        assert said in capsys.readouterr().err
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(
    ("head", "change"),
    [
        ({"format": 2}, {}),
        ({"format": "1"}, {}),
        ({"lost": None}, {}),
        ({}, {"options": {"fly": 1}}),
        ({}, {"options": {}}),
        ({}, {"view": {}}),
        ({}, {"view": {"actions": [["take 1"]]}}),
        ({}, {"action": "fly"}),
        ({}, {"number": 0}),
        ({}, {"number": 10**9}),
        ({}, {"seat": -1}),
        ({}, {"seat": 7}),
        ({}, {"record": "??"}),
        ({}, {"record": "AAAA"}),
    ],
)
def test_a_file_that_is_damaged_or_forged_is_refused(
    head: dict[str, Any], change: dict[str, Any], tmp_path: Path, capsys: Told
) -> None:
    (tmp_path / "game.peck").write_bytes(RECORD.encode())
    drill = costly_positions_drill("mine", [positions_looked_at(Source(tmp_path / "game.peck", (1,)))], 1)
    first, position = map(json.loads, drill.encode().splitlines())
    file = tmp_path / "drill.jsonl"
    file.write_text(json.dumps(first | head) + "\n" + json.dumps(position | change) + "\n")
    assert main(["drill", bot(tmp_path), str(file), "--in-process"]) == 2
    assert capsys.readouterr().err.startswith(f"{file}: ")


def test_an_unknown_value_and_too_many_positions_are_refused_in_sentences_of_their_own(
    records: list[str], tmp_path: Path, capsys: Told
) -> None:
    file = tmp_path / "drill.jsonl"
    made(records, file, "--seat", "0", "--most", "1")
    file.write_text(file.read_text().replace("pickomino/1-v1", "pickomino/1-v9"))
    assert main(["drill", bot(tmp_path), str(file), "--in-process"]) == 2
    text = (
        "with the value pickomino/1-v9 of pickomino/1, which this version of peck does not have (it has pickomino/1-v1)"
    )
    assert text in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(["drill-make", *records, "--seat", "0", "--most", "501"])
    assert ended.value.code == 2
    assert "501: a file holds up to 500 positions" in capsys.readouterr().err


@given(data=st.binary(max_size=200))
def test_no_bytes_make_the_reader_fail_otherwise(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.getbasetemp() / "noise.jsonl"
    file.write_bytes(data)
    with pytest.raises(UntrustedError):
        Drill.read(file)


@given(losses=st.lists(st.lists(st.integers(1, 20), max_size=8), max_size=4), most=st.integers(1, 12))
def test_no_decision_that_is_left_out_costs_more(losses: list[list[int]], most: int) -> None:
    """Of a real game's decisions, with costs that were made up; some of them shown twice."""
    data = RECORD.encode()
    games = [LookedAt("pickomino/1", "v", len(each), sum(each), costly(data, each)) for each in losses]
    drill = costly_positions_drill("mine", games, most)
    every = sorted((lost for each in losses for lost in each), reverse=True)
    kept = [one.lost(one.action) for one in drill.positions]
    assert kept == sorted(kept, reverse=True)
    assert len({json.dumps(one.view) for one in drill.positions}) == len(kept) <= most
    numbers = {number for each in losses for number in range(1, len(each) + 1)}
    assert len(kept) == min(most, len(numbers))
    assert kept[:1] == every[:1]
    dearest = {n: max(each[n - 1] for each in losses if len(each) >= n) for n in numbers}
    assert kept == sorted(dearest.values(), reverse=True)[:most]


def costly(data: bytes, losses: list[int]) -> list[Costly]:
    options = [(Alternative("a", 100), Alternative("b", 100 - lost)) for lost in losses]
    decisions = [Decision(1, 0, "face", "b", each) for each in options]
    return [Costly("game", data, 0, number, one) for number, one in enumerate(decisions, 1)]


def test_games_that_cannot_be_analysed_are_counted_out(tmp_path: Path, capsys: Told) -> None:
    paths = [tmp_path / "whole.peck", tmp_path / "cut.peck"]
    paths[0].write_bytes(RECORD.encode())
    cut = replace(RECORD, actions=RECORD.actions[:9])
    *_, step = cut.replay()
    paths[1].write_bytes(cut.sealed(step.after).encode())
    drill = made(list(map(str, paths)), tmp_path / "drill.jsonl", "--seat", "0")
    assert drill.games == 1
    assert "1 game left out" in capsys.readouterr().err
