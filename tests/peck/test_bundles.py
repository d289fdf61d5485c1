"""A failure from the site, again at home: after thirty turns, by time, and in the debugger."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from zipfile import ZipFile

import pytest

from games.catalogue import current
from games.protocol import Limits
from matches.referee import GameResult, MatchSpec, series_games_play
from matches.referee.failure_bundle import failure_bundle_file
from peck.__main__ import main
from peck.bots import peck_bots_at
from peck.cage import HomeCage
from tests.peck.test_commands import BOT, Capture, bot
from tests.peck.test_stored_run import SCRIPT

pytestmark = pytest.mark.processes

LIMITS = Limits(act_cpu=0.5, act_wall=2.0)  # a virtual machine may count what its host took from a bot
STATEFUL = """
class Bot:
    def __init__(self, table):
        self.turns = 0
    def act(self, view):
        self.turns += 1
        if self.turns > 30:
            {fails}
        return view["actions"][-1]
"""


def failed(source: str, folder: Path) -> Path:
    """The bundle of the first game in which a bot with this source fails."""
    mine, other = bot(folder, source), bot(folder, BOT, "other.py")
    with peck_bots_at([Path(mine), Path(other)]) as bots, HomeCage() as cage:
        order = MatchSpec(current("pickomino"), {}, LIMITS, b"bundles", 20, tuple(bots))
        played = (game for game in series_games_play(order, cage, lambda index, table: None) if game.faults)
        game: GameResult = next(played)
    (fault,) = game.faults
    values = {name: value for name, value in asdict(fault).items() if name not in ("seat", "action_index")}
    data = failure_bundle_file(game.record, game.index % 2, LIMITS, values, match=7, game=game.index + 1)
    (folder / "failure.zip").write_bytes(data)
    return folder / "failure.zip"


@pytest.mark.parametrize(
    ("fails", "words"),
    [
        ("raise RuntimeError('thirty')", "it happens again, decision 31: crashed, line 8: RuntimeError: thirty"),
        ("while True: pass", "it happens again, decision 31: cpu_time, line 8"),
        ("return 'fly'", "it happens again, decision 31: illegal_action: 'fly' is not legal there"),
    ],
)
def test_a_failure_after_thirty_turns_happens_again(fails: str, words: str, tmp_path: Path, capsys: Capture) -> None:
    bundle = failed(STATEFUL.format(fails=fails), tmp_path)
    for order in ([str(bundle), str(tmp_path / "mine.py")], [str(tmp_path / "mine.py"), str(bundle)]):
        assert main(["replay", *order]) == 3
        assert words in capsys.readouterr().out


def test_a_fixed_bot_answers_there_and_a_deviation_is_reported(tmp_path: Path, capsys: Capture) -> None:
    bundle = failed(STATEFUL.format(fails="1 / 0"), tmp_path)
    assert main(["replay", str(bundle), bot(tmp_path, STATEFUL.format(fails="pass"))]) == 0
    assert "it does not happen again: the bot answers" in capsys.readouterr().out
    assert main(["replay", str(bundle), bot(tmp_path, BOT.replace("-1", "0"))]) == 0
    output = capsys.readouterr().out
    assert "on the site it answered" in output
    assert "it does not happen again: the bot answers" in output
    assert main(["replay", str(bundle), bot(tmp_path, "def act(view): return {}['x']\n")]) == 3
    assert "decision 1: crashed, line 1: KeyError: 'x'" in capsys.readouterr().out


def test_one_that_did_not_start_does_not_start_again(tmp_path: Path, capsys: Capture) -> None:
    bundle = failed("import nothing_of_that_name\n", tmp_path)
    assert main(["replay", str(bundle), str(tmp_path / "mine.py")]) == 3
    assert "it happens again, at the start: import_error, line 1" in capsys.readouterr().out
    assert main(["replay", str(bundle), str(tmp_path / "other.py")]) == 0
    assert "it does not happen again: the bot starts" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("fails", "typed", "answers"),
    [
        ("raise RuntimeError('thirty')", "p self.turns\nq\n", ["RuntimeError: thirty", "(Pdb) 31"]),
        ("while True: pass", "p self.turns\nq\n", ["KeyboardInterrupt", "(Pdb) 31"]),
        ("return 'fly'", "p self.turns\nc\n", ["(Pdb) 30", "it answers 'fly'"]),
    ],
)
def test_the_debugger_opens_where_it_fails(fails: str, typed: str, answers: list[str], tmp_path: Path) -> None:
    bundle = failed(STATEFUL.format(fails=fails), tmp_path)
    command = [sys.executable, "-c", SCRIPT, "replay", str(bundle), str(tmp_path / "mine.py"), "--debug"]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 3
    for answer in answers:
        assert answer in done.stdout


def test_the_debugger_ends_with_the_one_who_opened_it(tmp_path: Path) -> None:
    """Its standard output is closed when no process is left."""
    bundle = failed(STATEFUL.format(fails="while True: pass"), tmp_path)
    command = [sys.executable, "-c", SCRIPT, "replay", str(bundle), str(tmp_path / "mine.py"), "--debug"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        screen = b""
        while not screen.endswith(b"(Pdb) "):
            screen += (one := running.stdout.read(1))
            assert one, screen
        running.kill()
        assert running.stdout.read() == b""


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", "not JSON"),
        (b"{}", "'format' is missing"),
        (b'{"format": 3}', "take the site's peck of today"),
        (b'{"format": 1, "table": {}}', "'ruleset' is missing"),
    ],
)
def test_a_damaged_bundle_is_named(content: bytes, words: str, tmp_path: Path, capsys: Capture) -> None:
    with ZipFile(tmp_path / "failure.zip", "w") as packed:
        packed.writestr("failure.json", content)
    assert main(["replay", str(tmp_path / "failure.zip"), bot(tmp_path, BOT)]) == 2
    printed = capsys.readouterr()
    assert "failure.zip: " in printed.err
    assert words in printed.err


def test_a_bundle_holds_what_the_bot_received_and_no_more(tmp_path: Path) -> None:
    with ZipFile(failed(STATEFUL.format(fails="1 / 0"), tmp_path)) as packed:
        found = json.loads(packed.read("failure.json"))
    assert set(found) == {"format", "match", "game", "table", "limits", "turns", "fault"}
    assert set(found["table"]) == {"ruleset", "options", "players", "seat", "seed"}
    assert len(found["turns"]) == 31
    assert {turn["view"]["you"] for turn in found["turns"]} == {found["table"]["seat"]}
    assert [bool(turn["answer"]) for turn in found["turns"]] == [True] * 30 + [False]


def test_a_bot_that_is_the_folder_one_stands_in_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder := tmp_path / "magpie").mkdir()
    (folder / "bot.py").write_text("def act(view): return view['actions'][0]")
    monkeypatch.chdir(folder)
    with peck_bots_at([Path()]) as (bot,):
        assert bot.name == "magpie"
