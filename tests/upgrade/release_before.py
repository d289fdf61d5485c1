"""The release before this one, beside whose programs this one's must work while a site is being upgraded.

Who makes a release sets ``COMMIT`` to the one before it.
"""

import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
COMMIT: Final = "ca53a5fc3426d7416fdd430ca67ab52e001f643c"


def git(*arguments: str) -> bytes:
    """What git says; the test is skipped where it does not know the release before, as in a copy without history."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True)
    if done.returncode:
        pytest.skip(f"git does not know the release before: {done.stderr.decode().strip()[-200:]}")
    return done.stdout


def checked_out(directory: Path) -> Path:
    """Its files, below ``directory``."""
    subprocess.run(["tar", "-x", "-C", directory], input=git("archive", COMMIT), check=True)
    return directory
