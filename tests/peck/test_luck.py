"""``peck luck``."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.site.author_kit import kit_peck_file
from luck import UNIT, luck_analyse
from peck.__main__ import main
from tests.luck.games import played


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.rec"
    path.write_bytes(played(("random", "greedy"), 3, faults={1: 60}).encode())
    return str(path)


def test_it_prints_the_parts_the_turns_and_the_costliest_decisions(
    record: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["luck", record]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("by the value pickomino/1-v1")
    assert [line.split(",")[0] for line in lines[1:3]] == ["seat 0: start 52.9", "seat 1: start 47.1"]
    assert lines[3].startswith("seat 1: a stand-in from step ")
    assert any(line.startswith("after turn 1 (step ") for line in lines)
    assert any(line.startswith("blunder at step ") and "seat 0" in line for line in lines)
    assert not any(line.startswith("blunder") and "seat 1" in line for line in lines[-3:])


def test_as_json_it_is_the_whole_analysis(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["luck", record, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data == json.loads(json.dumps(luck_analyse(played(("random", "greedy"), 3, faults={1: 60})).to_dict()))
    assert sum(data["final"]) == UNIT


@pytest.mark.processes
def test_without_numpy_it_prints_the_same(record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor with anything else: from the file that authors take home."""
    assert main(["luck", record, "--json"]) == 0
    (tmp_path / "peck.pyz").write_bytes(kit_peck_file())
    command = [sys.executable, "-I", "-S", "peck.pyz", "luck", record, "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == capsys.readouterr().out


def test_where_there_is_no_value_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.rec"
    path.write_bytes(played(("random", "random"), 1, "heckmeck/1").encode())
    assert main(["luck", str(path)]) == 1
    assert capsys.readouterr().err == "There is no value for heckmeck/1 yet: its luck cannot be told.\n"
    assert main(["luck", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["code"] == "no_value"


def test_for_laghetti_it_prints_what_the_cards_were_worth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.rec"
    path.write_bytes(played(("steady",) * 3, 1, "laghetti/1").encode())
    assert main(["luck", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("by the means laghetti/1-d1")
    assert len(lines) == 1 + 19 + 3
    assert lines[1].startswith("round 1, 1 each (step 3): ")
    assert main(["luck", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"] == "dealt"


def test_a_file_that_is_no_record_or_does_not_hold_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.rec"
    path.write_bytes(b"no record")
    assert main(["luck", str(path)]) == 1
    path.write_bytes(replace(played(("greedy", "cautious"), 2), digest=bytes(16)).encode())
    assert main(["luck", str(path)]) == 1
    assert main(["luck", str(tmp_path / "nothing")]) == 1
    assert capsys.readouterr().err.count("does not hold: ") == 3
