"""``peck play --records --resume``: what was played counts, what was not is played, nothing is half-written."""

import json
import os
import pty
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from peck.__main__ import main
from tests.peck.test_commands import BOT, CLASS, Capture

pytestmark = pytest.mark.processes

SCRIPT = "import sys\nfrom peck.__main__ import main\nsys.exit(main(sys.argv[1:]))\n"


@pytest.fixture
def bots(tmp_path: Path) -> list[str]:
    for name, text in (("plain.py", BOT), ("classy.py", CLASS)):
        (tmp_path / name).write_text(text)
    return [str(tmp_path / "plain.py"), str(tmp_path / "classy.py")]


def play(bots: list[str], folder: Path, blocks: int, *more: str) -> int:
    return main(["play", "pickomino", *bots, "--blocks", str(blocks), "--records", str(folder), "--json", *more])


def results(capsys: Capture) -> list[dict[str, object]]:
    lines = json.loads(capsys.readouterr().out)["bots"]
    return [{name: value for name, value in line.items() if not name.endswith("_ms")} for line in lines]


def test_a_run_goes_on_where_it_was_and_comes_to_the_same(bots: list[str], tmp_path: Path, capsys: Capture) -> None:
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    assert play(bots, whole, 3) == 0
    at_once = results(capsys)
    assert play(bots, halves, 1) == 0
    capsys.readouterr()
    ledger = halves / "run.jsonl"
    written = (halves / "game-1.1.peck").stat().st_mtime_ns
    ledger.write_bytes(ledger.read_bytes() + b'{"block": 1, "games": [')  # a run that was killed while it wrote
    assert play(bots, halves, 3, "--resume") == 0
    assert results(capsys) == at_once
    assert (halves / "game-1.1.peck").stat().st_mtime_ns == written
    assert len(ledger.read_text().splitlines()) == 4
    for name in sorted(one.name for one in whole.glob("*.peck")):
        assert (whole / name).read_bytes() == (halves / name).read_bytes()


def test_a_block_whose_record_is_damaged_is_played_again(bots: list[str], tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "kept"
    assert play(bots, folder, 2) == 0
    at_once = results(capsys)
    record = folder / "game-2.1.peck"
    good = record.read_bytes()
    record.write_bytes(good[:-1])
    assert play(bots, folder, 2, "--resume") == 0
    assert results(capsys) == at_once
    assert record.read_bytes() == good


def test_a_folder_with_another_run_is_left_alone(bots: list[str], tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "kept"
    assert play(bots, folder, 1) == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    (tmp_path / "changed.py").write_text(BOT.replace("-1", "0"))
    capsys.readouterr()
    changed = [bots[0], str(tmp_path / "changed.py")]
    for call, words in (
        (lambda: play(bots, folder, 1), "contains a run already: continue it with --resume"),
        (lambda: play(bots, folder, 1, "--resume", "--seed", "other"), "is a run with other seed"),
        (lambda: play(changed, folder, 1, "--resume"), "is a run with other bots"),
        (lambda: main(["play", "pickomino", *bots, "--resume"]), "--records DIR"),
    ):
        assert call() == 2
        output = capsys.readouterr()
        assert words in output.err
        assert output.out == ""
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_full_disk_is_named_and_nothing_is_half_written(bots: list[str], tmp_path: Path) -> None:
    """A disk that takes files of at most 20 bytes, and an output that takes nothing."""
    folder = tmp_path / "kept"
    folder.mkdir()

    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))

    command = [sys.executable, "-B", "-c", SCRIPT, "play", "pickomino", *bots, "--blocks", "1"]
    done = subprocess.run(
        [*command, "--records", str(folder)], capture_output=True, text=True, preexec_fn=full, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{folder}: File too large\n"
    assert list(folder.iterdir()) == []
    with Path("/dev/full").open("w") as disk:
        done = subprocess.run(command, stdout=disk, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (1, "the output cannot be written: No space left on device\n")


def test_a_bar_says_how_far_it_is_on_a_terminal_alone(bots: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, "play", "pickomino", *bots, "--blocks", "2", "-q"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, cwd=tmp_path) as running:
        os.close(theirs)
        shown = b""
        try:
            while more := os.read(ours, 4096):
                shown += more
        except OSError:  # Linux's way to say that a terminal is closed
            pass
        assert running.stdout is not None
        assert b"\x1b" not in running.stdout.read()
    os.close(ours)
    assert b"[############............] 1 of 2 blocks" in shown
    assert shown.endswith(b"\r\x1b[K")
    quiet = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, timeout=120)
    assert quiet.stderr == ""
