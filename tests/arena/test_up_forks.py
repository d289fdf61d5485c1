"""Services that are forks of `up`: kept up, ended and named like programs; and the lanes of the background worker."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena.embedded.background import LANES, LanePool
from arena.embedded.supervisor import Service, Supervisor
from tests.arena.test_up_supervisor import eventually, is_alive, tending

KEEPER = """
import sys, threading, time
sys.path[:0] = sys.argv[1:]
from arena.embedded.supervisor import Service, Supervisor
keeper = Supervisor(print)
keeper.start(Service("sleeper", work=lambda: time.sleep(60)))
print(keeper.runs[0].process.pid, flush=True)
keeper.watch(threading.Event())
"""


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def supervisor(said: list[str]) -> Iterator[Supervisor]:
    supervisor = Supervisor(said.append)
    yield supervisor
    supervisor.stop(patience=0)


def printing(*words: object) -> Callable[[], None]:
    return partial(print, *words)


def sleeping() -> None:
    time.sleep(60)


def failing() -> None:
    raise RuntimeError("no luck")


@pytest.mark.processes
def test_a_fork_that_is_killed_is_started_again(supervisor: Supervisor, said: list[str]) -> None:
    supervisor.start(Service("sleeper", work=sleeping))
    first = supervisor.runs[0].process.pid
    os.kill(first, signal.SIGKILL)
    assert tending(supervisor, lambda: supervisor.runs[0].process.pid != first)
    assert is_alive(supervisor.runs[0].process.pid)
    assert said == ["The sleeper was ended by SIGKILL: starting it again."]


@pytest.mark.processes
@pytest.mark.parametrize(
    ("work", "ending"),
    [
        (failing, "ended with status 1: starting it again.\n  {log}: RuntimeError: no luck"),
        (partial(sys.exit, 3), "ended with status 3: starting it again."),
        (partial(sys.exit, "no room"), "ended with status 1: starting it again.\n  {log}: no room"),
    ],
    ids=["an error", "a status", "a sentence"],
)
def test_a_fork_that_fails_says_why(
    supervisor: Supervisor, said: list[str], tmp_path: Path, work: Callable[[], None], ending: str
) -> None:
    log = tmp_path / "hasty.log"
    supervisor.start(Service("hasty", work=work, log=log))
    assert tending(supervisor, lambda: said)
    assert said[0] == f"The hasty {ending.format(log=log)}"


@pytest.mark.processes
def test_a_fork_that_is_to_run_once_may_end_and_what_it_says_is_in_its_log(
    supervisor: Supervisor, said: list[str], tmp_path: Path
) -> None:
    log = tmp_path / "demo.log"
    supervisor.start(Service("demo", work=printing("cups"), once=True, log=log))
    assert tending(supervisor, lambda: supervisor.runs[0].done)
    assert (log.read_text(), said) == ("cups\n", [])


@pytest.mark.processes
def test_a_fork_is_called_what_it_is_leads_a_session_and_stops_when_told_to(supervisor: Supervisor) -> None:
    handler = signal.signal(signal.SIGTERM, lambda *_: None)  # as `up` has one, which is not the fork's affair
    try:
        supervisor.start(Service("sleeper", work=sleeping))
    finally:
        signal.signal(signal.SIGTERM, handler)
    process = supervisor.runs[0].process
    command = Path(f"/proc/{process.pid}/cmdline")
    assert eventually(lambda: command.read_text().rstrip("\0") == "pecking-order: sleeper")
    assert os.getsid(process.pid) == process.pid
    supervisor.stop(patience=30)
    assert process.wait() == -signal.SIGTERM


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of their parent's death")
def test_a_fork_does_not_outlive_a_supervisor_that_was_killed() -> None:
    roots = Path(__file__).resolve().parents[2]
    command = (sys.executable, "-c", KEEPER, str(roots), str(roots / "platform"))
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "arena.settings.test"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as keeper:
        assert keeper.stdout
        pid = int(keeper.stdout.readline())
        assert is_alive(pid)
        keeper.kill()
    assert eventually(lambda: not is_alive(pid))


@pytest.fixture
def pool() -> Iterator[LanePool]:
    interval = sys.getswitchinterval()
    pool = LanePool(5)
    yield pool
    pool.on_stop()
    sys.setswitchinterval(interval)


def order(pool: LanePool, queue: str, work: Callable[[], object], expires: datetime | None = None) -> list[Any]:
    """Give the pool a message of this queue, as Celery does; what its end is told, when it comes."""
    ends: list[Any] = []
    request = {"delivery_info": {"routing_key": queue}, "expires": expires and expires.isoformat()}

    def target(*_: object) -> tuple[int, object, float]:
        return 0, work(), 0.0

    pool.on_apply(target, ("task", "id", request, b"", "json", "utf-8"), {}, callback=ends.append)
    return ends


@pytest.mark.parametrize("full", LANES)
def test_a_queue_that_is_full_of_long_work_keeps_no_other_waiting(pool: LanePool, full: str) -> None:
    over = threading.Event()
    try:
        long = [order(pool, full, partial(over.wait, 60)) for _ in range(LANES[full] * 3)]
        others = [order(pool, queue, lambda: "done") for queue in LANES if queue != full]
        assert eventually(lambda: all(others))
        assert not any(long)
    finally:
        over.set()
    assert eventually(lambda: all(long))


def test_what_expired_while_others_were_worked_on_is_dropped(pool: LanePool) -> None:
    late = order(pool, "housekeeping", lambda: "swept", datetime.now(UTC) - timedelta(seconds=1))
    in_time = order(pool, "housekeeping", lambda: "swept", datetime.now(UTC) + timedelta(minutes=1))
    assert eventually(lambda: late and in_time)
    assert (late, in_time) == ([(0, None, 0.0)], [(0, "swept", 0.0)])
