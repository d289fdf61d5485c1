"""``peck new``, ``check`` and ``completion``: bad input ends in a sentence, and nothing is overwritten."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from bots.verdicts import EXPLANATIONS
from games.catalogue import GAMES
from peck.__main__ import main
from peck.commands import SHELLS
from tests.peck.test_commands import BOT, Capture, bot

pytestmark = pytest.mark.processes

FROM_THE_FUTURE = """
from __future__ import annotations
from dataclasses import dataclass

@dataclass
class Memory:
    turns: int = 0

class Bot:
    def __init__(self, table: dict) -> None:
        self.memory = Memory()

    def act(self, view: dict) -> str:
        self.memory.turns += 1
        return view["actions"][0]
"""


@pytest.mark.parametrize("game", GAMES)
def test_a_new_bot_plays_is_accepted_and_nothing_is_overwritten(game: str, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "crow"
    assert main(["new", game, str(folder)]) == 0
    assert {one.name for one in folder.iterdir()} == {"AGENTS.md", "README.md", "bot.py", "opponents", "peck.json"}
    assert main(["check", str(folder / "bot.py")]) == 0
    assert "accepted for " in capsys.readouterr().out
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert main(["new", game, str(folder)]) == 2
    assert "exists already; nothing was written" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert [one.name for one in tmp_path.iterdir()] == ["crow"]


@pytest.mark.parametrize("game", GAMES)
def test_a_new_folder_has_every_house_bot_the_strongest_too(game: str, tmp_path: Path) -> None:
    folder = tmp_path / "crow"
    assert main(["new", game, str(folder)]) == 0
    house = GAMES[game].house_bots
    files = {one.name: one.read_bytes() for one in (folder / "opponents").iterdir()}
    assert files == {f"{bot.slug}.py": bot.source() for bot in house}
    readme = (folder / "README.md").read_text()
    assert all(f"`{bot.slug}.py` needs numpy" in readme for bot in house if bot.needs_numpy)


def test_the_readmes_first_line_of_play_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for game in ("pickomino", "laghetti"):
        assert main(["new", game, str(tmp_path / game)]) == 0
        monkeypatch.chdir(tmp_path / game)
        readme = (tmp_path / game / "README.md").read_text()
        (line,) = (one for one in readme.splitlines() if one.startswith("peck play"))
        assert main([*line.partition("#")[0].split()[1:-2], "--blocks", "1", "-q"]) == 0


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "file").write_text("")
    assert main(["new", "pickomino", str(tmp_path / "file" / "crow")]) == 1
    assert "file" in capsys.readouterr().err
    assert main(["new", "chess", str(tmp_path / "crow")]) == 2
    assert "known: pickomino" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "words", "verdict"),
    [
        ("def act(view):\n    return {}['x']\n", "refused (crashed, line 2) while it played against itself", "crashed"),
        ("def act(view): return 'fly'\n", "refused (illegal_action) while it played against itself", "illegal_action"),
        ("import os\ndef act(view): os._exit(0)\n", "refused (exited)", "exited"),
        ("import sys\ndef act(view): sys.exit(3)\n", "refused (exited, line 2)", "exited"),
        ("import helper\ndef act(view): ...\n", "refused (import_error, line 1) while it was being", "import_error"),
        ("class Bot:\n def __init__(s, t): 1 / 0\n def act(s, v): ...\n", "refused (crashed, line 2)", "crashed"),
        ("class Bot:\n def __init__(s, t): ...\n", "refused (no_entry_point)", "no_entry_point"),
        pytest.param(
            "import time\ndef act(view): time.sleep(60)\n",
            "refused (slept, line 2)",
            "slept",
            marks=pytest.mark.processes,
        ),
    ],
)
def test_the_check_says_what_the_sites_check_would_say(
    source: str, words: str, verdict: str, tmp_path: Path, capsys: Capture
) -> None:
    """A helper that lies beside the file is not uploaded with it, and so is not there."""
    (tmp_path / "helper.py").write_text("")
    assert main(["check", "pickomino", bot(tmp_path, source), "--view", str(tmp_path / "view.json")]) == 3
    output = capsys.readouterr().out
    assert output.startswith(f"{tmp_path / 'mine.py'}: {words}")
    assert f"{EXPLANATIONS[verdict].title} {EXPLANATIONS[verdict].advice}" in output
    if verdict == "illegal_action":
        assert "it answered 'fly'" in output
        assert "actions" in json.loads((tmp_path / "view.json").read_text())


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1\n", "not accepted: bot.py defines neither a function act(view) nor a class Bot at module level."),
        ("def act(view:\n", "not accepted: Syntax error in bot.py, line 1"),
        ("", "not accepted: The file is empty."),
    ],
)
def test_what_the_site_would_not_take_is_not_taken(source: str, words: str, tmp_path: Path, capsys: Capture) -> None:
    assert main(["check", "pickomino", bot(tmp_path, source)]) == 3
    assert words in capsys.readouterr().out


def test_zips_folders_and_the_newest_python_are_checked_too(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "bot.py").write_text("from helper import act\n")
    (tmp_path / "folder" / "helper.py").write_text(BOT)
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as packed:
        for file in (tmp_path / "folder").iterdir():
            packed.write(file, file.name)
    with zipfile.ZipFile(tmp_path / "deep.zip", "w") as packed:
        packed.writestr("inside/bot.py", BOT)
    mine = bot(tmp_path, FROM_THE_FUTURE)
    for path in (str(tmp_path / "folder"), str(tmp_path / "packed.zip"), mine):
        assert main(["check", "pickomino", path]) == 0, capsys.readouterr()
    assert main(["play", "pickomino", mine, mine, "--blocks", "1"]) == 0
    assert main(["check", "pickomino", str(tmp_path / "deep.zip")]) == 3
    assert "bot.py is in a subfolder" in capsys.readouterr().out
    for call, words in (
        (["check", mine], "which game?"),
        (["check", "chess", mine], "known: pickomino"),
        (["check", "pickomino", str(tmp_path / "none.py")], "none.py: no such file"),
        (["check", "pickomino", str(tmp_path)], "has no bot.py"),
    ):
        assert main(call) == 2
        assert words in capsys.readouterr().err


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_complete_commands_options_and_games(shell: str, tmp_path: Path, capsys: Capture) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for word in ("play", "gate", "check", "resume", "karteneck"):
        assert word in script
    if shutil.which(shell):
        (tmp_path / "script").write_text(script)
        subprocess.run([shell, "-n", str(tmp_path / "script")], check=True, timeout=60)


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
def test_bash_completes_what_was_begun(capsys: Capture) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    for words, answer in (
        (["peck", "pl"], "play"),
        (["peck", "play", "--res"], "--resume"),
        (["peck", "new", "la"], "laghetti"),
    ):
        text = f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _peck; echo ${{COMPREPLY[@]}}"
        done = subprocess.run(["bash", "-c", f"{script}\n{text}"], capture_output=True, text=True, check=True)
        assert done.stdout.split() == [answer]


@pytest.mark.parametrize(
    ("source", "verdict", "rule"),
    [
        ("import threading\nthreading.Thread(target=print).start()\n", "import_error", "a bot is one thread"),
        ("open('notes.txt', 'a')\n", "import_error", "nothing can be written"),
        ("import pathlib\npathlib.Path('new').mkdir()\n", "import_error", "nothing can be written"),
        ("import subprocess\nsubprocess.run(['true'])\n", "import_error", "a bot is one process"),
        ("import socket\nsocket.socket()\n", "import_error", "no network"),
        pytest.param(
            "hoard = bytearray(1 << 30)\n", "memory", "", marks=pytest.mark.skipif(sys.platform != "linux", reason="")
        ),
    ],
)
def test_a_check_at_home_refuses_what_the_site_refuses(
    source: str, verdict: str, rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    act = "def act(view): return view['actions'][0]\n"
    assert main(["check", "pickomino", bot(tmp_path, source + act)]) == 3
    printed = capsys.readouterr().out
    assert f"refused ({verdict}" in printed
    assert rule in printed


def test_a_check_at_home_says_what_it_has_not_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    read = "from pathlib import Path\nPath(__file__).read_text()\ndef act(view): return view['actions'][0]\n"
    assert main(["check", "pickomino", bot(tmp_path, read)]) == 0
    assert "not checked here: modules that the site does not have" in capsys.readouterr().out


def test_a_refused_check_at_home_writes_its_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = bot(tmp_path, "def act(view): return str(1 // 0)\n")
    assert main(["check", "pickomino", file]) == 3
    assert f"peck replay {file} view.json" in capsys.readouterr().out
    assert main(["replay", file, "view.json"]) == 3
