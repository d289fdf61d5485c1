"""The rules are changed in small ways, and tests must notice (make test-slow)."""

import subprocess
import sys

import pytest

from tests.games.mutants import ROOT

SAMPLE, SEED = 60, 1
MOST = 0.25  # of the sample: some changes change nothing, as of a bound that is never reached


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_most_small_changes_of_the_rules_are_noticed() -> None:
    """In an interpreter of its own, which has not loaded the rules."""
    command = [sys.executable, "-m", "tests.games.mutants", str(SAMPLE), str(SEED)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stderr
    head, *left = done.stdout.splitlines()
    assert f"{SAMPLE} tried" in head
    assert len(left) <= MOST * SAMPLE, done.stdout
