"""Services that are forks of `up`: restarted, ended and named like programs."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from celery.signals import celeryd_after_setup, worker_shutting_down

from arena.embedded.supervisor import Service, Supervisor
from matches.worker import celery_worker  # noqa: F401  its handlers
from matches.worker.process import worker_process_is_draining
from tests.arena.test_up_supervisor import eventually, is_alive, tending

pytestmark = pytest.mark.processes

KEEPER = """
import sys, threading, time
sys.path[:0] = sys.argv[1:]
from arena.embedded.supervisor import Service, Supervisor
keeper = Supervisor(print)
keeper.start(Service("sleeper", work=lambda: time.sleep(60)))
print(keeper.runs[0].process.pid, flush=True)
keeper.watch(threading.Event())
"""


def printing(*words: object) -> Callable[[], None]:
    return partial(print, *words)


def sleeping() -> None:
    time.sleep(60)


def failing() -> None:
    raise RuntimeError("no luck")


def test_a_fork_that_is_killed_is_started_again(supervisor: Supervisor, messages: list[str]) -> None:
    supervisor.start(Service("sleeper", work=sleeping))
    first = supervisor.runs[0].process.pid
    os.kill(first, signal.SIGKILL)
    assert tending(supervisor, lambda: supervisor.runs[0].process.pid != first)
    assert is_alive(supervisor.runs[0].process.pid)
    assert messages == ["The sleeper was ended by SIGKILL: starting it again."]


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
    supervisor: Supervisor, messages: list[str], tmp_path: Path, work: Callable[[], None], ending: str
) -> None:
    log = tmp_path / "hasty.log"
    supervisor.start(Service("hasty", work=work, log=log))
    assert tending(supervisor, lambda: messages)
    assert messages[0] == f"The hasty {ending.format(log=log)}"


def test_a_fork_that_runs_once_may_end_and_its_output_is_in_its_log(
    supervisor: Supervisor, messages: list[str], tmp_path: Path
) -> None:
    log = tmp_path / "demo.log"
    supervisor.start(Service("demo", work=printing("cups"), once=True, log=log))
    assert tending(supervisor, lambda: supervisor.runs[0].done)
    assert (log.read_text(), messages) == ("cups\n", [])


def test_a_fork_has_its_title_leads_a_session_and_stops_on_a_signal(supervisor: Supervisor) -> None:
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


def test_after_what_runs_once_something_may_be_done_and_another_service_started_again(
    supervisor: Supervisor, messages: list[str]
) -> None:
    supervisor.start(Service("web server", work=sleeping))
    first = supervisor.runs[0].process.pid
    again = partial(supervisor.restart, "web server", 30)
    supervisor.start(Service("playground", (sys.executable, "-c", ""), once=True, then=again))
    assert tending(supervisor, lambda: supervisor.runs[1].done)
    second = supervisor.runs[0].process.pid
    assert second != first
    assert is_alive(second)
    assert not is_alive(first)
    assert messages == []


def test_a_worker_that_drains_leaves_those_forked_from_the_same_process_at_work(supervisor: Supervisor) -> None:
    def worker(stops: bool) -> None:
        queues = SimpleNamespace(consume_from=())
        instance = SimpleNamespace(app=SimpleNamespace(amqp=SimpleNamespace(queues=queues)))
        celeryd_after_setup.send(sender="it", instance=instance)
        if stops:
            worker_shutting_down.send(sender="it")
        sys.exit(10 + worker_process_is_draining())

    ends = []
    for stops in (True, False):
        supervisor.start(Service("worker", work=partial(worker, stops), once=True))
        ends.append(supervisor.runs[-1].process.wait())
    assert ends == [11, 10]
    assert not worker_process_is_draining()
