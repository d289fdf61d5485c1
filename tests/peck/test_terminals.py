"""``peck`` on terminals and pipes with a limited encoding: the exit code is that of the answer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes
PECK = (sys.executable, "-m", "peck")
SOURCE = "print('\\N{HATCHING CHICK} \\u017c')\ndef act(view):\n    print('\\u2660')\n    return view['actions'][0]\n"


def peck(*arguments: str, encoding: str, folder: Path) -> "subprocess.CompletedProcess[bytes]":
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([*PECK, *arguments], cwd=folder, env=environment, capture_output=True, timeout=120)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_bot_name_outside_the_encoding_is_still_printed(encoding: str, tmp_path: Path) -> None:
    name = "\u017c\u00f3\u0142w.py"
    (tmp_path / name).write_text(SOURCE, encoding="utf-8")
    (tmp_path / "bad.py").write_text(SOURCE + "raise ValueError('\u2660')\n", encoding="utf-8")
    checked = peck("check", "pickomino", name, encoding=encoding, folder=tmp_path)
    assert (checked.returncode, b"Traceback" in checked.stderr) == (0, False), checked.stderr
    assert b"accepted for pickomino" in checked.stdout
    refused = peck("check", "pickomino", "bad.py", encoding=encoding, folder=tmp_path)
    assert refused.returncode == 3, refused.stderr
    assert b"refused (import_error" in refused.stdout
    missing = peck("verify", "\u017c.rec", encoding=encoding, folder=tmp_path)
    assert (missing.returncode, b"Traceback" in missing.stderr) == (1, False), missing.stderr
    played = peck("play", "pickomino", name, name, encoding=encoding, folder=tmp_path)
    assert (played.returncode, b"Traceback" in played.stderr) == (0, False), played.stderr


def begun(*arguments: str, folder: Path, **streams: object) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([*PECK, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL, **streams)  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text("def act(view):\n    print('x' * 200)\n    return view['actions'][0]\n")
    (tmp_path / "view.json").write_text('{"ruleset": "pickomino/1", "actions": ["stop"], "you": 0, "players": []}')
    return tmp_path


COMMANDS = (
    ["--help"],
    ["play", "--help"],
    ["vectors", "missing.json"],
    ["completion", "bash"],
    ["check", "pickomino", "bot.py"],
    ["play", "pickomino", "bot.py", "bot.py", "--blocks", "2"],
    ["new", "pickomino", "crow"],
)


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_closed_pipe_ends_it_with_141_and_without_a_message(arguments: list[str], home: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    running = begun(*arguments, folder=home, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (running.communicate(timeout=120)[1], running.returncode) == (b"", 141)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_output_to_a_full_device_is_reported_as_such(arguments: list[str], home: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        running = begun(*arguments, folder=home, stdout=full, stderr=subprocess.PIPE)
    errors = running.communicate(timeout=120)[1].decode().splitlines()
    assert (errors, running.returncode) == (["the output cannot be written: No space left on device"], 1)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["vectors", "missing.json"], ["new", "pickomino", "crow"]], ids=" ".join
)
def test_a_closed_output_is_no_traceback(arguments: list[str], home: Path) -> None:
    script = 'exec "$@" >&- 2>&-'
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(["sh", "-c", script, "sh", *PECK, *arguments], cwd=home, env=environment, timeout=120)
    assert done.returncode == {"vectors": 1}.get(arguments[0], 0)


@pytest.mark.parametrize("module", ["argparse", "peck.cli", "peck.verify", "peck.account"])
def test_an_interrupt_while_it_is_imported_ends_it_as_later(module: str, home: Path) -> None:
    script = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "from peck.__main__ import main\n"
        f"for name in list(sys.modules):\n    name == {module!r} and sys.modules.pop(name)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.exit(main(['--help']))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", script], cwd=home, env=environment, capture_output=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX"}], ids=str)
def test_without_a_locale_it_works_in_a_folder_with_non_ascii_letters(locale: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "\u017c\u00f3\u0142w \u00fc"
    folder.mkdir()
    (folder / "b\u00f6t.py").write_text(SOURCE, encoding="utf-8")
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONUTF8"))
    }
    environment = {**inherited, **locale, "PYTHONPATH": os.pathsep.join(sys.path), "XDG_CONFIG_HOME": str(folder)}

    def run(*arguments: str) -> "subprocess.CompletedProcess[bytes]":
        command = [*PECK, *arguments]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=300)

    for arguments in (
        ["check", "pickomino", "b\u00f6t.py"],
        ["new", "pickomino", "kr\u00e4he"],
        ["check", "kr\u00e4he"],
        ["play", "pickomino", "b\u00f6t.py", "kr\u00e4he", "--blocks", "1", "--records", "sp\u00e4ter"],
        ["watch", "--help"],
    ):
        done = run(*arguments)
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False), (arguments, done.stderr)
    records = [one for one in (folder / "sp\u00e4ter").iterdir() if one.suffix != ".jsonl"]
    assert records
    assert run("verify", str(records[0])).returncode == 0
