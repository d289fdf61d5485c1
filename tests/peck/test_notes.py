"""What a bot says of its moves is shown where it is played at home."""

import json
from pathlib import Path

import pytest

from peck.__main__ import main

Capture = pytest.CaptureFixture[str]
WITH_NOTES = """
def act(view):
    return {"action": view["actions"][0], "note": "safe\\u202e\\x1b[31m", "marks": ["die W"], "value": 0.625}
"""
SILENT = "def act(view): return view['actions'][-1]\n"


@pytest.fixture
def bot(tmp_path: Path) -> str:
    (tmp_path / "says.py").write_text(WITH_NOTES)
    (tmp_path / "silent.py").write_text(SILENT)
    return str(tmp_path / "says.py")


@pytest.mark.parametrize("how", [(), ("--in-process",), ("-j", "2")])
def test_notes_stand_below_their_game(how: tuple[str, ...], bot: str, tmp_path: Path, capsys: Capture) -> None:
    call = ["play", "pickomino", bot, str(tmp_path / "silent.py"), "--blocks", "1", *how]
    assert main(call) == 0
    assert "believes" not in capsys.readouterr().out
    assert main([*call, "--notes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    notes = [line for line in lines if line.startswith("  action ")]
    assert lines[0].startswith("game 1.1")
    assert notes[0].startswith("  action 1, says: safe")
    assert all(line.endswith("; expects 62.5 %; marks die W") for line in notes)
    assert not {"\u202e", "\x1b"} & set("".join(lines))
    for other in (["--json"], ["--quiet"]):
        assert main([*call, "--notes", *other]) == 0
        assert "  action " not in capsys.readouterr().out


def test_a_view_and_a_record_that_are_replayed_show_it(bot: str, tmp_path: Path, capsys: Capture) -> None:
    silent = str(tmp_path / "silent.py")
    assert main(["play", "pickomino", silent, silent, "--blocks", "1", "--records", str(tmp_path / "kept"), "-q"]) == 0
    assert main(["replay", bot, str(tmp_path / "kept" / "game-1.1.peck"), "--seat", "0"]) == 1
    assert "it says: safe" in capsys.readouterr().out
    (tmp_path / "view.json").write_text(json.dumps({"actions": ["roll"]}))
    assert main(["replay", bot, str(tmp_path / "view.json")]) == 0
    assert "it says: safe" in capsys.readouterr().out
