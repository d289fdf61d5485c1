"""``peck play`` and ``peck verify``."""

import json
import sys
from pathlib import Path

import pytest

from games.cli import main

BOT = "def act(view):\n    return view['actions'][-1]\n"
CLASS = """
class Bot:
    def __init__(self, table):
        assert set(table) == {"ruleset", "options", "players", "seat", "seed"}
        self.over = 0

    def act(self, view):
        return view["actions"][-1]

    def game_over(self, result):
        assert len(result["points"]) == 2
"""


@pytest.fixture
def bots(tmp_path: Path) -> list[str]:
    for name, text in (("plain.py", BOT), ("classy.py", CLASS)):
        (tmp_path / name).write_text(text)
    return [str(tmp_path / "plain.py"), str(tmp_path / "classy.py")]


def test_local_bots_play_every_rotation_and_the_record_verifies(
    bots: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = str(tmp_path / "last.peck")
    assert main(["play", "pickomino", *bots, "--blocks", "2", "--option", "steal=mandatory", "--record", record]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["game 1.1", "game 1.2", "game 2.1", "game 2.2", "first", "points"]
    assert main(["verify", record]) == 0
    assert capsys.readouterr().out.startswith("holds: pickomino/1, ")


def test_a_bot_finds_the_files_beside_it(tmp_path: Path, bots: list[str]) -> None:
    (tmp_path / "beside_it.py").write_text("def last(view):\n    return view['actions'][-1]\n")
    (tmp_path / "bot.py").write_text("from beside_it import last as act")
    assert main(["play", "pickomino", str(tmp_path / "bot.py"), bots[0]]) == 0


def test_the_same_seed_text_gives_the_same_games(bots: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for _ in range(2):
        main(["play", "pickomino", *bots, "--seed", "again"])
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1", "defines neither act(view) nor class Bot"),
        ("def act(view:", "SyntaxError"),
        ("def act(view):\n    return 'fly'", "'fly' is not legal"),
        ("def act(view):\n    return 1 / 0", 'bad.py", line 2, in act'),
    ],
)
def test_a_bot_that_is_none_or_fails_is_named(
    source: str, words: str, bots: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.py").write_text(source)
    assert main(["play", "pickomino", bots[0], str(tmp_path / "bad.py")]) == 1
    trouble = capsys.readouterr().err
    assert words in trouble
    assert "bad" in trouble


def test_wrong_calls_are_explained(bots: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in (
        (["play", "chess", *bots], "known: pickomino"),
        (["play", "pickomino", bots[0]], "allowed: 2 to 7"),
        (["play", "pickomino", *bots, "--option", "steal=never"], "'steal'"),
        (["verify", bots[0]], "record, bytes"),
        (["verify", str(tmp_path / "none")], "No such file"),
    ):
        assert main(arguments) == 1
        assert words in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["play", "pickomino", *bots, "--blocks", "0"])


VIEW = {"game": "pickomino/1", "options": {}, "you": 1, "players": 2, "actions": ["roll", "stop"]}


@pytest.mark.parametrize(
    ("source", "said", "code"),
    [
        (BOT, "'stop': legal", 0),
        (CLASS, "'stop': legal", 0),
        ("from beside import act\n", "'roll': legal", 0),
        ("def act(view): return 'fly'\n", "'fly': NOT LEGAL", 1),
        ("def act(view): return {}['lost']\n", "KeyError: 'lost'", 1),
        ("def act(view): raise SystemExit(0)\n", "SystemExit", 1),
        ("x = 1\n", "defines neither", 1),
    ],
)
def test_one_saved_view_is_played_again(
    source: str,
    said: str,
    code: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.path", [*sys.path])
    (tmp_path / "bot.py").write_text(source)
    (tmp_path / "beside.py").write_text("def act(view): return view['actions'][0]\n")
    (tmp_path / "view.json").write_text(json.dumps(VIEW))
    assert main(["replay", str(tmp_path / "bot.py"), str(tmp_path / "view.json")]) == code
    told = capsys.readouterr()
    assert said in told.out + told.err


def test_a_file_that_holds_no_view_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "view.json").write_text("[1")
    assert main(["replay", "bot.py", str(tmp_path / "view.json")]) == 2
    assert "view.json" in capsys.readouterr().err
