"""What ``.ci/audit`` makes of the answers of pip-audit: it names what it found, and what it could not reach."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOUND: dict[str, Any] = {"name": "django", "version": "5.2.19", "vulns": []}
UNREACHED = {"name": "hen", "skip_reason": "Dependency not found on PyPI and could not be audited: hen (1)"}
BROKEN = SOUND | {"vulns": [{"id": "PYSEC-1", "fix_versions": ["5.2.20"]}]}


def audit(tmp_path: Path, script: str) -> tuple[int, list[str]]:
    (tmp_path / "python").symlink_to(sys.executable)
    program = tmp_path / "pip-audit"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    ended = subprocess.run(
        ["sh", ROOT / ".ci/audit", "run.lock"],
        env={"BIN": str(tmp_path), "PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.stderr == ""
    assert {one.name for one in tmp_path.iterdir()} == {"python", "pip-audit"}
    return ended.returncode, ended.stdout.splitlines()


@pytest.mark.parametrize(
    ("packages", "code", "messages"),
    [
        ([SOUND], 0, ["pip-audit: 1 of 1 packages of run.lock were audited"]),
        (
            [SOUND, UNREACHED, UNREACHED | {"name": "egg"}],
            0,
            [
                "pip-audit: no data about 2 of 3 packages of run.lock"
                " (Dependency not found on PyPI and could not be audited): egg, hen",
                "pip-audit: 1 of 3 packages of run.lock were audited",
            ],
        ),
        (
            [BROKEN],
            1,
            [
                "pip-audit: django 5.2.19: PYSEC-1, mended in 5.2.20",
                "pip-audit: 1 of 1 packages of run.lock were audited",
            ],
        ),
    ],
)
def test_findings_and_gaps_are_named(
    packages: list[dict[str, Any]], code: int, messages: list[str], tmp_path: Path
) -> None:
    answer = json.dumps({"dependencies": packages, "fixes": []})
    assert audit(tmp_path, f"cat <<'JSON'\n{answer}\nJSON") == (code, messages)


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo 'ERROR: could not reach the index' >&2; exit 1", "ERROR: could not reach the index"),
        ("exit 124", "no answer within two minutes"),
        ("exit 1", "it said nothing"),
    ],
)
def test_an_unreachable_index_is_reported_with_the_reason(script: str, why: str, tmp_path: Path) -> None:
    assert audit(tmp_path, script) == (0, [f"pip-audit: nothing of run.lock was audited: {why}"])
