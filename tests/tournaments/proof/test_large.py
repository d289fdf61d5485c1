"""A proof of a large tournament is read as a stream: its memory is bounded."""

import re
import subprocess
import sys

import pytest

from tests.tournaments.proof.synthetic import swiss

# VmHWM, not ru_maxrss: that one counts what the process had before it began to run another program.
RUN = """
import sys
from pathlib import Path
from peck.__main__ import main
code = main(["verify", sys.argv[1]])
(peak,) = [line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print("peak", peak)
sys.exit(code)
"""


def verified(path):
    """Its output, and its peak memory in MB."""
    done = subprocess.run([sys.executable, "-c", RUN, str(path)], capture_output=True, text=True, timeout=900)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, int(re.search(r"peak (\d+)", done.stdout)[1]) / 1024


def test_a_swiss_made_by_the_pure_functions_holds(tmp_path):
    output, peak = verified(swiss(tmp_path / "proof.zip", entrants=15, rounds=3))
    assert "15 entries, 3 rounds, 21 matches, 42 games" in output
    assert peak < 200


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_swiss_of_a_thousand_is_verified_below_500_mb(tmp_path):
    output, peak = verified(swiss(tmp_path / "proof.zip", entrants=1000, rounds=10))
    print(f"{peak:.0f} MB: {output.splitlines()[0]}")
    assert "1000 entries, 10 rounds, 5000 matches, 10000 games" in output
    assert peak < 500
