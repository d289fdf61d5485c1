"""A worker that hangs is ended: by its heartbeat, or where no thread of Python runs any more, by a watchdog."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKER = """
import ctypes, sys
from django.conf import settings
settings.configure(LEASE_SECONDS=0.4, DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3"}})
from matches.worker.process import Heartbeat
with Heartbeat(lambda: True, stall=0.5, last_words=lambda seconds: print("hung for", seconds, flush=True)):
    if sys.argv[1] == "rules":
        while True:
            pass
    ctypes.PyDLL(None).sleep(60)  # which keeps the lock of the interpreter
"""


@pytest.mark.processes
@pytest.mark.parametrize(
    ("what", "code", "message"),
    [("rules", -signal.SIGKILL, "hung for 0.5\n"), ("compiled", 1, "")],
    ids=["rules", "compiled"],
)
def test_a_worker_that_hangs_is_ended(what: str, code: int, message: str) -> None:
    environ = os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}"}
    command = [sys.executable, "-c", WORKER, what]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=50, check=False)
    assert (done.returncode, done.stdout) == (code, message), done.stderr
    assert "Timeout" in done.stderr if what == "compiled" else "no progress for" in done.stderr
