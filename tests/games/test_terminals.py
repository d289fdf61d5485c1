"""``peck`` on terminals and pipes that lack letters: the exit code is that of the answer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes
PECK = (sys.executable, "-m", "tournaments.peck")
SOURCE = "print('\\N{HATCHING CHICK} \\u017c')\ndef act(view):\n    print('\\u2660')\n    return view['actions'][0]\n"


def peck(*arguments: str, encoding: str, folder: Path) -> "subprocess.CompletedProcess[bytes]":
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([*PECK, *arguments], cwd=folder, env=environment, capture_output=True, timeout=120)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_bot_with_letters_that_are_not_there_is_told_all_the_same(encoding: str, tmp_path: Path) -> None:
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
