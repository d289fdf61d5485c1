"""``peck new-game`` writes a package that passes ``pecking.testing``, with nothing of the platform changed."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from games.catalogue import GAMES
from peck.__main__ import main
from peck.new_game import new_game_files

ROOT = Path(__file__).parents[2]
PACKAGED = ROOT / "packages/pig"


def installed(folder: Path, name: str) -> dict[str, str]:
    """The environment of a process in which the package in ``folder`` is installed: its metadata lie beside it."""
    about = folder / f"pecking_order_{name}-1.0.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pecking-order-{name}\nVersion: 1.0.0\n")
    (about / "entry_points.txt").write_text(f"[pecking_order.games]\n{name} = pecking_order_{name}:GAME\n")
    return {**os.environ, "PYTHONPATH": str(folder)}


@pytest.mark.processes
def test_a_new_game_passes_its_tests_and_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "package"
    assert main(["new-game", "cant_stop", "--title", "Can't Stop!", "--folder", str(folder)]) == 0
    assert "README.md says what to do next" in capsys.readouterr().out
    environment = installed(folder, "cant_stop")

    def python(*words: str) -> str:
        ended = subprocess.run(
            [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=500
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    python("-m", "pecking.testing.golden", "cant_stop")
    passed = python("-m", "pytest", "tests", "-q", "-n0", "-p", "no:cacheprovider", "-p", "no:django")
    assert " passed" in passed
    assert "failed" not in passed
    python("-m", "peck", "new", "cant_stop", str(tmp_path / "bot"))
    bots = [str(tmp_path / "bot/bot.py"), str(tmp_path / "bot/opponents/careful-can-t-stop.py")]
    output = python("-m", "peck", "play", "cant_stop", *bots, "--blocks", "40", "--in-process", "--quiet")
    assert output.splitlines()[2].startswith("careful-can-t-stop")


def test_the_packaged_pig_is_what_is_written_for_it() -> None:
    for path, text in new_game_files("pig", "Pig"):
        if path.startswith("pecking_order_pig/"):
            assert (PACKAGED / path).read_text(encoding="utf-8") == text, path


def test_the_project_file_registers_the_game() -> None:
    files = dict(new_game_files("pass_the_pigs", "Pass the Pigs"))
    project = tomllib.loads(files["pyproject.toml"])["project"]
    assert project["name"] == "pecking-order-pass-the-pigs"
    assert project["entry-points"]["pecking_order.games"] == {"pass_the_pigs": "pecking_order_pass_the_pigs:GAME"}
    assert "${{ vars.SITE }}" in files[".github/workflows/test.yml"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["Pig!"], "is no name of a game"),
        (["../pig"], "is no name of a game"),
        ([next(iter(GAMES))], "already"),
        (["dice", "--title", 'x"""'], "is no title"),
        (["dice", "--title", ""], ""),
    ],
)
def test_a_name_that_cannot_be_is_refused(
    words: list[str], error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-game", *words]) == (2 if error else 0)
    assert error in capsys.readouterr().err


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kept.txt").write_text("mine")
    assert main(["new-game", "dice", "--folder", str(tmp_path)]) == 2
    assert "exists already; nothing was written" in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["kept.txt"]
