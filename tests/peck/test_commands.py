"""``peck play``, ``peck gate``, ``peck replay`` and ``peck verify`` at home."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from games.catalogue import GAMES
from games.record import Record
from peck.__main__ import main
from peck.bots import HomeBot, peck_bots_at
from peck.tally import Line, tally_table

pytestmark = pytest.mark.processes

Capture = pytest.CaptureFixture[str]

BOT = "def act(view):\n    return view['actions'][-1]\n"
CLASS = """
class Bot:
    def __init__(self, table):
        assert set(table) == {"ruleset", "options", "players", "seat", "seed"}

    def act(self, view):
        return view["actions"][-1]

    def game_over(self, result):
        assert len(result["points"]) == 2
"""
BRIEF = ["--blocks", "1", "--limit", "act_wall=1.1", "--limit", "act_cpu=0.05"]


@pytest.fixture
def bots(tmp_path: Path) -> list[str]:
    for name, text in (("plain.py", BOT), ("classy.py", CLASS)):
        (tmp_path / name).write_text(text)
    return [str(tmp_path / "plain.py"), str(tmp_path / "classy.py")]


def bot(folder: Path, source: str, name: str = "mine.py") -> str:
    (folder / name).write_text(source)
    return str(folder / name)


def test_bots_play_every_rotation_and_the_records_verify(bots: list[str], tmp_path: Path, capsys: Capture) -> None:
    records = tmp_path / "records"
    options = ["--blocks", "2", "--option", "steal=mandatory", "--records", str(records)]
    assert main(["play", "pickomino", *bots, *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:4]] == ["game 1.1", "game 1.2", "game 2.1", "game 2.2"]
    assert [line.split()[0] for line in lines[4:]] == ["bot", "plain", "classy"]
    assert main(["verify", str(records / "game-2.2.peck")]) == 0
    assert capsys.readouterr().out.startswith("holds: pickomino/1, ")


def test_results_are_for_programs_too_and_the_same_with_two_processes(bots: list[str], capsys: Capture) -> None:
    outputs = []
    for processes in ("1", "2"):
        assert main(["play", "pickomino", *bots, "--blocks", "3", "--json", "-j", processes]) == 0
        outputs.append(json.loads(capsys.readouterr().out))
    for one in outputs:
        assert one["blocks"] == 3
        assert sum(line["share"] for line in one["bots"]) == pytest.approx(1)
        assert all(line["low"] <= line["share"] <= line["high"] for line in one["bots"])
        for line in one["bots"]:
            del line["median_ms"], line["slowest_ms"]
    assert outputs[0] == outputs[1]


def test_two_bots_with_helpers_of_one_name_each_run_with_their_own(tmp_path: Path, capsys: Capture) -> None:
    """The old one's helper used to answer for both, and both were called "bot"."""
    for name, picked in (("old", 0), ("new", -1)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "util.py").write_text(f"PICKED = {picked}\n")
        (tmp_path / name / "bot.py").write_text("import util\ndef act(view): return view['actions'][util.PICKED]\n")
    paths = [str(tmp_path / name / "bot.py") for name in ("old", "new")]
    records = tmp_path / "kept"
    assert main(["play", "pickomino", *paths, "--blocks", "1", "--json", "--records", str(records)]) == 0
    assert [line["name"] for line in json.loads(capsys.readouterr().out)["bots"]] == ["old/bot", "new/bot"]
    for seat, path in enumerate(paths):
        for given, code in ((path, 0), (paths[1 - seat], 1)):
            record = str(records / "game-1.1.peck")
            for two in ((given, record), (record, given)):
                assert main(["replay", *two, "--seat", str(seat)]) == code


def test_a_zip_a_folder_and_a_file_are_the_same_bot(tmp_path: Path, bots: list[str], capsys: Capture) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "bot.py").write_text("from helper import last as act\n")
    (tmp_path / "folder" / "helper.py").write_text("def last(view):\n    return view['actions'][-1]\n")
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as packed:
        for file in (tmp_path / "folder").iterdir():
            packed.write(file, file.name)
    loose = bot(tmp_path, "from beside import last as act\n")
    (tmp_path / "beside.py").write_text("def last(view):\n    return view['actions'][-1]\n")
    shown = []
    lone = {loose: "mine.py imports beside.py", str(tmp_path / "folder" / "bot.py"): "bot.py imports helper.py"}
    for path in (str(tmp_path / "folder"), str(tmp_path / "packed.zip"), *lone):
        assert main(["play", "pickomino", path, bots[0], "--blocks", "2", "--json"]) == 0
        output = capsys.readouterr()
        shown.append(json.loads(output.out)["bots"][0]["points"])
        assert [line for line in output.err.splitlines() if line.startswith("note: ")] == [
            f"note: {said} beside it: upload a zip that holds them" for one, said in lone.items() if one == path
        ]
    assert len(set(shown)) == 1


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1", "no_entry_point: bot.py defines neither act(view) nor class Bot"),
        ("def act(view:", "import_error, line 1"),
        ("import nothing_of_that_name", "import_error, line 1: ModuleNotFoundError"),
        ("def act(view):\n    return 'fly'", "illegal_action: 'fly' is not legal here"),
        ("def act(view):\n    return 7", "malformed: act must return text"),
        ("def act(view):\n    return 1 / 0", "crashed, line 2: ZeroDivisionError"),
        ("def act(view):\n    while True:\n        pass", "cpu_time, line "),
        ("import time\ndef act(view):\n    time.sleep(60)", "slept, line 3"),
        ("import os\ndef act(view): os._exit(0)", "exited: the bot's process ended itself with code 0"),
        ("import sys\ndef act(view): sys.exit(3)", "exited, line 2: SystemExit: 3"),
        ("class Bot:\n def __init__(self, table): raise OSError('x')\n def act(self, view): ...", "crashed, line 2"),
        ("import os, signal\ndef act(view): os.kill(os.getpid(), signal.SIGSEGV)", "killed: the bot's process crashed"),
    ],
)
def test_a_bot_that_fails_gets_the_sites_verdict_and_a_stand_in_plays_on(
    source: str, words: str, bots: list[str], tmp_path: Path, capsys: Capture
) -> None:
    assert main(["play", "pickomino", bots[0], bot(tmp_path, source), *BRIEF]) == 3
    printed = capsys.readouterr()
    assert words in printed.err
    assert "Traceback" not in printed.out
    assert "mine, seat 1" in printed.err
    assert printed.out.count("game ") == 2


def test_what_a_bot_prints_is_not_mixed_into_the_results(tmp_path: Path, bots: list[str], capfd: Capture) -> None:
    loud = (
        "import os\nprint('loud')\ndef act(view):\n print('louder'); os.write(1, b'raw'); return view['actions'][0]\n"
    )
    assert main(["play", "pickomino", bot(tmp_path, loud), bots[0], "--blocks", "1"]) == 0
    captured = capfd.readouterr()
    assert "loud" not in captured.out + captured.err
    assert "raw" not in captured.out


def test_a_game_over_that_raises_costs_nothing(tmp_path: Path, bots: list[str]) -> None:
    source = (
        "class Bot:\n def __init__(s, t): ...\n def act(s, v): return v['actions'][0]\n def game_over(s, r): 1 / 0\n"
    )
    assert main(["play", "pickomino", bot(tmp_path, source), bots[0], "--blocks", "2"]) == 0


def test_wrong_calls_are_explained(bots: list[str], tmp_path: Path, capsys: Capture) -> None:
    for arguments, words in (
        (["play", "chess", *bots], "known: pickomino"),
        (["play", "pickomino", bots[0]], "allowed: 2 to 7"),
        (["play", "pickomino", *bots, "--option", "steal=never"], "'steal'"),
        (
            ["play", "pickomino", bots[0], str(tmp_path / "none.py")],
            "none.py: no such file; there are classy.py, plain.py",
        ),
        (["play", "pickomino", bots[0], str(tmp_path)], "has no bot.py"),
        (["play", "pickomino", *bots, "--limit", "act_cpu=soon"], "'act_cpu'"),
        (["gate", "pickomino", *bots, "--effect", "7"], "effect"),
    ):
        assert main(arguments) == 2
        captured = capsys.readouterr()
        assert words in captured.err
        assert captured.out == ""
    for arguments, words in (
        (["verify", bots[0]], "record, bytes"),
        (["verify", str(tmp_path / "no")], "no such file"),
    ):
        assert main(arguments) == 1
        assert words in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["play", "pickomino", *bots, "--blocks", "0"])


def test_the_gate_finds_the_better_one_and_says_so(bots: list[str], tmp_path: Path, capsys: Capture) -> None:
    first = bot(tmp_path, "def act(view): return view['actions'][0]\n", "first.py")
    assert main(["gate", "pickomino", first, bots[0], "--effect", "0.25"]) in (0, 1)
    forward = capsys.readouterr().out.splitlines()[-1]
    assert main(["gate", "pickomino", bots[0], first, "--effect", "0.25", "--json"]) in (0, 1)
    backward = json.loads(capsys.readouterr().out)["answer"]
    answers = {"better": "worse", "worse": "better", "too close to call": "too close to call"}
    assert f"is {answers[backward]} (" in forward


def test_the_gate_may_adjust_for_luck_where_the_game_has_a_value(tmp_path: Path, capsys: Capture) -> None:
    first = bot(tmp_path, "def act(view): return view['actions'][0]\n", "first.py")
    greedy = bot(tmp_path, GAMES["pickomino"].house_bots[1].source().decode(), "greedy.py")
    assert main(["gate", "pickomino", first, greedy, "--effect", "0.25", "--error", "0.25", "--luck"]) == 0
    assert "greedy is better (8 blocks)" in capsys.readouterr().out
    assert main(["gate", "karteneck", first, first, "--luck"]) == 2
    assert "luck" in capsys.readouterr().err


VIEW = {"game": "pickomino/1", "options": {}, "you": 1, "players": 2, "actions": ["roll", "stop"]}


@pytest.mark.parametrize(
    ("source", "expected", "code"),
    [
        (BOT, "'stop': legal", 0),
        (CLASS, "'stop': legal", 0),
        ("from beside import act\n", "'roll': legal", 0),
        ("def act(view): return 'fly'\n", "illegal_action: 'fly' is not legal there", 3),
        ("def act(view): return {}['lost']\n", "KeyError: 'lost'", 3),
        ("def act(view): raise SystemExit(0)\n", "SystemExit", 3),
        ("x = 1\n", "defines neither", 3),
    ],
)
def test_one_saved_view_is_played_again(source: str, expected: str, code: int, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "beside.py").write_text("def act(view): return view['actions'][0]\n")
    (tmp_path / "view.json").write_text(json.dumps(VIEW))
    two = [bot(tmp_path, source), str(tmp_path / "view.json")]
    for either in (two, two[::-1]):
        assert main(["replay", *either]) == code
        captured = capsys.readouterr()
        assert expected in captured.out + captured.err


def test_a_failure_that_took_thirty_turns_happens_again_from_the_record(
    bots: list[str], tmp_path: Path, capsys: Capture
) -> None:
    source = """
class Bot:
    def __init__(self, table):
        self.turns = 0
    def act(self, view):
        self.turns += 1
        if self.turns > 30:
            raise RuntimeError("thirty")
        return view["actions"][{pick}]
"""
    failing = bot(tmp_path, source.format(pick=-1))
    assert main(["play", "pickomino", bots[0], failing, "--blocks", "2", "--records", str(tmp_path / "kept")]) == 3
    capsys.readouterr()
    records = sorted((tmp_path / "kept").glob("*.peck"))
    (record, *_) = (one for one in records if any(step.cause for step in Record.decode(one.read_bytes()).replay()))
    assert main(["replay", failing, str(record)]) == 3
    assert "crashed, line 8: RuntimeError: thirty" in capsys.readouterr().out
    assert main(["replay", bots[0], str(record)]) == 1
    assert "it failed there (crashed), and now answers" in capsys.readouterr().out
    assert main(["replay", bot(tmp_path, source.format(pick=0)), str(record)]) == 1
    assert "the record has" in capsys.readouterr().out
    assert main(["replay", failing, str(record), "--seat", "9"]) == 2
    assert "--seat" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["[1", "{}", "[]", "", "\0" * 40])
def test_a_file_that_holds_nothing_to_replay_is_named(
    content: str, bots: list[str], tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "some.json").write_text(content)
    assert main(["replay", bots[0], str(tmp_path / "some.json")]) == 2
    captured = capsys.readouterr()
    assert "some.json" in captured.err
    assert "Traceback" not in captured.err


def test_an_interrupt_ends_with_what_is_known_so_far(bots: list[str], tmp_path: Path) -> None:
    script = (
        "import os, signal, sys\nfrom peck import play as commands\nfrom peck.__main__ import main\n"
        "told = commands._print_block\n"
        "def after_two(one, *rest):\n told(one, *rest)\n one.block == 1 and os.kill(os.getpid(), signal.SIGINT)\n"
        "commands._print_block = after_two\nsys.exit(main(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", script, "play", "pickomino", *bots, "--blocks", "500"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, cwd=tmp_path, env={**os.environ})
    assert done.returncode == 130
    assert "interrupted after 2 of 500 blocks" in done.stderr
    assert "Traceback" not in done.stderr
    assert "plain" in done.stdout.splitlines()[-2]


def test_for_a_bot_that_sits_twice_the_failed_seat_is_named(tmp_path: Path, capsys: Capture) -> None:
    source = (
        "class Bot:\n def __init__(s, t): s.t = t\n def act(s, v): return v['actions'][0 if s.t['seat'] == 0 else 99]\n"
    )
    mine = bot(tmp_path, source)
    assert main(["play", "pickomino", mine, mine, "--blocks", "1"]) == 3
    errors = capsys.readouterr().err
    assert errors.count("mine, seat 1, ") == 2
    assert "mine, seat 0" not in errors


def test_a_folder_for_records_that_cannot_be_made_is_named(bots: list[str], tmp_path: Path, capsys: Capture) -> None:
    assert main(["play", "pickomino", *bots, "--blocks", "1", "--records", f"{bots[0]}/records"]) == 1
    captured = capsys.readouterr()
    assert "plain.py/records" in captured.err
    assert "Traceback" not in captured.err


def test_a_closed_pipe_ends_it_without_a_word(bots: list[str], tmp_path: Path) -> None:
    script = "import sys\nfrom peck.__main__ import main\nsys.exit(main(sys.argv[1:]))\n"
    command = [sys.executable, "-c", script, "play", "pickomino", *bots, "--blocks", "30"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(60) == 141


def test_what_is_not_installed_here_or_lies_in_an_environment_beside_the_bot_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = bot(tmp_path, BOT, "bot.py")
    (tmp_path / "venv" / "site-packages").mkdir(parents=True)
    (tmp_path / "venv" / "site-packages" / "other.py").write_text("import numpy\n")
    with peck_bots_at([Path(mine)]) as (found,):
        assert found.preload == ()
    monkeypatch.setattr(HomeBot, "preload", ("nothing_of_that_name",))
    assert main(["play", "pickomino", mine, mine, "--blocks", "1"]) == 0


@pytest.mark.parametrize(("spent", "text"), [(0.0, "-"), (0.0041, "0.0041"), (0.4, "0.4"), (12.345, "12.35")])
def test_a_fast_bot_does_not_seem_to_take_no_time(spent: float, text: str) -> None:
    line = Line("hen", 8, 0.5, 0.4, 0.6, 3.0, 4, 0, median_ms=spent, slowest_ms=spent)
    assert tally_table([line])[1].split()[-2:] == [text, text]
