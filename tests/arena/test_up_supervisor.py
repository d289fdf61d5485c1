"""What `up` starts stays up, and goes with it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.embedded.supervisor import Service, Supervisor
from tests.waiting import eventually

pytestmark = pytest.mark.processes

SLEEPER = "import time; time.sleep(60)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); time.sleep(60)"
)
PARENT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open(sys.argv[1], "w").write(str(child.pid))
time.sleep(60)
"""
KEEPER = """
import sys, threading
sys.path.insert(0, sys.argv[1])
from arena.embedded.supervisor import Service, Supervisor
from tests.waiting import eventually
keeper = Supervisor(print)
keeper.start(Service("sleeper", (sys.executable, "-c", "import time; time.sleep(60)")))
print(keeper.runs[0].process.pid, flush=True)
keeper.watch(threading.Event())
"""


def python(source: str, *arguments: object) -> tuple[str, ...]:
    return (sys.executable, "-c", source, *map(str, arguments))


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def tending(supervisor: Supervisor, condition: Callable[[], object]) -> bool:
    def look() -> object:
        supervisor.tend()
        return condition()

    return eventually(look)


def test_a_killed_service_is_restarted_and_reported(supervisor: Supervisor, messages: list[str]) -> None:
    supervisor.start(Service("sleeper", python(SLEEPER)))
    first = supervisor.runs[0].process.pid
    os.kill(first, signal.SIGKILL)
    assert tending(supervisor, lambda: supervisor.runs[0].process.pid != first)
    assert is_alive(supervisor.runs[0].process.pid)
    assert messages == ["The sleeper was ended by SIGKILL: starting it again."]


def test_the_pause_before_a_new_start_doubles_while_a_service_keeps_dying(
    supervisor: Supervisor, messages: list[str], tmp_path: Path
) -> None:
    supervisor.start(Service("hasty", python("raise SystemExit('no luck')"), log=tmp_path / "hasty.log"))
    pauses = []
    for deaths in (1, 2, 3):
        assert tending(supervisor, lambda deaths=deaths: len(messages) == deaths)
        pauses.append(supervisor.runs[0].pause)
    assert pauses == [0.5, 1.0, 2.0]
    assert messages[0] == f"The hasty ended with status 1: starting it again.\n  {tmp_path / 'hasty.log'}: no luck"


def test_what_is_to_run_once_may_end_but_not_fail(supervisor: Supervisor, messages: list[str], tmp_path: Path) -> None:
    flag = tmp_path / "second"
    source = "import pathlib, sys; p = pathlib.Path(sys.argv[1]); ok = p.exists(); p.touch(); raise SystemExit(not ok)"
    supervisor.start(Service("demo", python(source, flag), once=True))
    assert tending(supervisor, lambda: supervisor.runs[0].done)
    assert messages == ["The demo ended with status 1: starting it again."]


@pytest.mark.parametrize("whose", ["its own", "a child's"])
def test_a_stalled_service_is_replaced_and_reported(
    supervisor: Supervisor, messages: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    monkeypatch.setattr("arena.embedded.supervisor.STILL_MOST", 0.4)
    monkeypatch.setattr("arena.embedded.supervisor.STILL_LOOK", 0.1)
    note = tmp_path / "pid"
    supervisor.start(Service("worker", python(PARENT, note)))
    assert eventually(lambda: note.exists() and note.read_text())
    first, child = supervisor.runs[0].process.pid, int(note.read_text())
    os.kill(first if whose == "its own" else child, signal.SIGSTOP)
    assert tending(supervisor, lambda: supervisor.runs[0].process.pid != first)
    assert messages[0] == "The worker has stood still for 0 s: killing it."
    assert messages[1].startswith("The worker was ended by SIGKILL: starting it again.")
    assert eventually(lambda: not is_alive(child))


def test_a_briefly_stalled_service_goes_on(
    supervisor: Supervisor, messages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.embedded.supervisor.STILL_LOOK", 0)
    supervisor.start(Service("sleeper", python(SLEEPER)))
    first = supervisor.runs[0].process.pid
    os.kill(first, signal.SIGSTOP)
    assert tending(supervisor, lambda: supervisor.runs[0].still_since is not None)
    os.kill(first, signal.SIGCONT)
    assert tending(supervisor, lambda: supervisor.runs[0].still_since is None)
    assert (supervisor.runs[0].process.pid, messages) == (first, [])


def test_children_of_a_dead_service_go_before_it_is_started_again(supervisor: Supervisor, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    supervisor.start(Service("parent", python(PARENT, note)))
    assert eventually(lambda: note.exists() and note.read_text())
    child, first = int(note.read_text()), supervisor.runs[0].process.pid
    os.kill(first, signal.SIGKILL)
    assert tending(supervisor, lambda: supervisor.runs[0].process.pid != first)
    assert eventually(lambda: not is_alive(child))


def test_stopping_ends_even_what_will_not_stop_and_all_its_children(supervisor: Supervisor, tmp_path: Path) -> None:
    note, log = tmp_path / "pid", tmp_path / "log"
    supervisor.start(Service("parent", python(PARENT, note)))
    supervisor.start(Service("stubborn", python(STUBBORN), log=log))
    assert eventually(lambda: note.exists() and note.read_text() and log.read_text())
    pids = [int(note.read_text()), *(run.process.pid for run in supervisor.runs)]
    began = time.monotonic()
    supervisor.stop(patience=0.5)
    assert time.monotonic() - began < 30  # less than they sleep
    assert eventually(lambda: not any(map(is_alive, pids)))


def test_services_that_have_ended_do_not_disturb_stopping(supervisor: Supervisor) -> None:
    for name in ("store", "web"):
        supervisor.start(Service(name, python("")))
    pids = [run.process.pid for run in supervisor.runs]
    assert eventually(lambda: not any(map(is_alive, pids)))
    supervisor.stop(patience=1)
    assert supervisor.runs == []


def test_the_service_started_first_is_stopped_last(supervisor: Supervisor, tmp_path: Path) -> None:
    log = tmp_path / "order"
    source = """
import signal, sys, time

def end(*_):
    open(sys.argv[1], "a").write(sys.argv[2] + " ")
    sys.exit()
signal.signal(signal.SIGTERM, end)
open(sys.argv[1] + sys.argv[2], "w").close()
time.sleep(60)
"""
    for name in ("store", "web", "worker"):
        supervisor.start(Service(name, python(source, log, name)))
    assert eventually(lambda: all(Path(f"{log}{name}").exists() for name in ("store", "web", "worker")))
    supervisor.stop(patience=60)
    assert log.read_text().split()[-1] == "store"
    assert len(log.read_text().split()) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of their parent's death")
def test_services_do_not_outlive_a_supervisor_that_was_killed() -> None:
    roots = str(Path(__file__).resolve().parents[2] / "platform")
    keeper = subprocess.Popen(python(KEEPER, roots), stdout=subprocess.PIPE, text=True)
    assert keeper.stdout
    pid = int(keeper.stdout.readline())
    assert is_alive(pid)
    keeper.kill()
    keeper.wait()
    keeper.stdout.close()
    assert eventually(lambda: not is_alive(pid))


def test_each_start_begins_a_new_log_and_keeps_the_last_one(supervisor: Supervisor, tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_text("yesterday")
    supervisor.start(Service("web", python("print('today')"), log=log, once=True))
    assert tending(supervisor, lambda: supervisor.runs[0].done)
    assert log.read_text() == "today\n"
    assert (tmp_path / "web.last.log").read_text() == "yesterday"
