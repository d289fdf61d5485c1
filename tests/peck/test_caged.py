"""``--caged``: the site's own cage at home."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import sandbox
from arena.site.author_kit import kit_peck_file
from peck.__main__ import main
from peck.site_cage import NO_CAGE
from sandbox import Layer, SandboxUnavailable

processes = pytest.mark.processes
Capture = pytest.CaptureFixture[str]
GOOD = "def act(view):\n    return view['actions'][0]\n"
PEEKS = "def act(view):\n    open('/etc/passwd').read()\n    return view['actions'][0]\n"
CALLS = "import socket\n\n\ndef act(view):\n    socket.create_connection(('127.0.0.1', 9))\n"
LUCKY = "import random\n\n\ndef act(view):\n    return random.choice(view['actions'])\n"
NUMPY = "import numpy\n\n\ndef act(view):\n    return view['actions'][numpy.random.randint(len(view['actions']))]\n"


def file(folder: Path, source: str, name: str) -> str:
    (folder / name).write_text(source)
    return str(folder / name)


def records(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.glob("*.peck")}


@processes
@pytest.mark.parametrize("judges", ["1", "2"])
def test_the_same_games_are_played_caged_and_not(judges: str, tmp_path: Path, capsys: Capture) -> None:
    bots = [file(tmp_path, LUCKY, "lucky.py"), file(tmp_path, NUMPY, "numpied.py")]
    for name, caged in (("caged", ["--caged", "-j", judges]), ("plain", [])):
        call = ["play", "pickomino", *bots, "--blocks", "2", "--json", "--records", str(tmp_path / name), *caged]
        assert main(call) == 0
    data = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(line["slowest_ms"] > 0 for one in data for line in one["bots"])
    assert len(records(tmp_path / "caged")) == 4
    assert records(tmp_path / "caged") == records(tmp_path / "plain")


@processes
@pytest.mark.parametrize("source", [PEEKS, CALLS])
def test_what_a_bot_may_do_at_home_it_may_not_do_in_the_cage(source: str, tmp_path: Path, capsys: Capture) -> None:
    bot = file(tmp_path, source, "nosy.py")
    assert main(["check", "pickomino", bot, "--caged"]) == 3
    assert "refused" in capsys.readouterr().out
    if source is PEEKS:
        assert main(["check", "pickomino", bot]) == 0


@processes
def test_the_gate_decides_in_the_cage(tmp_path: Path, capsys: Capture) -> None:
    bots = [file(tmp_path, LUCKY, "old.py"), file(tmp_path, GOOD, "new.py")]
    assert main(["gate", "pickomino", *bots, "--caged", "--blocks", "2", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["blocks"] == 2


@processes
def test_a_folder_is_caged_with_its_files_and_a_file_without_those_beside_it(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "helper.py").write_text("PICK = 0\n")
    source = "import helper\n\n\ndef act(view):\n    return view['actions'][helper.PICK]\n"
    alone, whole = file(tmp_path, source, "alone.py"), file(tmp_path, source, "bot.py")
    good = file(tmp_path, GOOD, "good.py")
    call = ["--blocks", "1", "--caged", "--quiet"]
    assert main(["play", "pickomino", str(Path(whole).parent), good, *call]) == 0
    assert main(["play", "pickomino", alone, good, *call]) == 3
    assert "No module named 'helper'" in capsys.readouterr().err


def test_a_machine_that_cannot_cage_says_what_is_missing(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable() -> None:
        raise SandboxUnavailable([Layer("users", False, "none to be had", "run it as root")])

    monkeypatch.setattr(sandbox.Cage, "open", unavailable)
    bot = file(tmp_path, GOOD, "good.py")
    for call in (["play", "pickomino", bot, bot], ["gate", "pickomino", bot, bot], ["check", "pickomino", bot]):
        assert main([*call, "--caged"]) == 5
        output = capsys.readouterr()
        assert "users (none to be had): run it as root" in output.err
        assert not output.out


@processes
def test_the_package_says_in_a_sentence_that_it_has_no_cage(tmp_path: Path) -> None:
    kit = tmp_path / "peck.pyz"
    kit.write_bytes(kit_peck_file())
    bot = file(tmp_path, GOOD, "good.py")
    for call in (["play", "pickomino", bot, bot], ["gate", "pickomino", bot, bot], ["check", "pickomino", bot]):
        done = subprocess.run(
            [sys.executable, "-IB", str(kit), *call, "--caged"], capture_output=True, text=True, timeout=120
        )
        assert (done.returncode, done.stdout) == (5, "")
        assert NO_CAGE in done.stderr
        assert "Traceback" not in done.stderr
