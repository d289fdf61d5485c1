"""A worker without its embedded clock: it would go on, and nothing would be swept any more."""

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

import pytest

from tests.matches.site import Site
from tests.waiting import eventually

pytestmark = [pytest.mark.processes, pytest.mark.postgres]


@contextmanager
def keeper() -> Iterator[tuple[Popen[bytes], int]]:
    """The worker of ``manage.py up`` that has the clock, and the number of the clock's process."""
    with tempfile.TemporaryDirectory(prefix="peck-") as directory, Site(Path(directory)) as site:
        quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
        schedule = f"--schedule={directory}/beat"
        worker = site.celery("worker", "--pool=solo", "--queues=housekeeping", "--beat", schedule, *quiet)
        # A worker that starts has other children for a moment; the clock is there once it has its file.
        site.wait_for(lambda: any(site.directory.glob("beat*")) and len(children(worker)) == 1, 120)
        yield worker, children(worker)[0]


def children(process: Popen[bytes]) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def test_a_worker_whose_clock_is_killed_ends_to_be_started_again() -> None:
    with keeper() as (worker, clock):
        os.kill(clock, signal.SIGKILL)
        assert worker.wait(60) == 1


def test_a_stopped_worker_ends_in_order_and_its_clock_with_it() -> None:
    with keeper() as (worker, clock):
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(60) == 0
        assert eventually(lambda: not Path(f"/proc/{clock}").exists())
