"""A cage lives as long as its worker: many boxes, zygotes that die or wear out, and nothing left when it closes."""

import multiprocessing
import os
import signal
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from games.protocol import BotFault, Limits, PlatformFault, Verdict
from sandbox import Cage
from sandbox import box as box_module
from sandbox import cage as cage_module
from tests.hostile.traces import descendants, traces
from tests.waiting import eventually

from .conftest import DEFAULTS, VIEW, Start
from .ordinary_user import REPOSITORY

pytestmark = pytest.mark.processes

BOT = {"bot.py": b"def act(view): return view['actions'][0]"}


def zygotes(cage: Cage) -> tuple[int, ...]:
    """The outer and the inner process of the cage's zygote."""
    outer = cage._zygote._process.pid
    return (outer, *descendants(outer))


def have_ended(pids: tuple[int, ...], *, within: float = 120.0) -> bool:
    """None of the processes lives, or will after so many seconds."""
    return eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids), within)


def status(pid: int) -> list[str]:
    """Return the fields of a process from its state on (proc_pid_stat(5), field 3)."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def cpu_seconds(pid: int) -> float:
    """Return what a process has computed so far, in its own code."""
    return int(status(pid)[11]) / os.sysconf("SC_CLK_TCK")


def test_a_closed_cage_leaves_nothing() -> None:
    before = traces()
    with Cage.open() as cage:
        running = cage.start(BOT, {}, 1, DEFAULTS)
        cage.start(BOT, {}, 2, DEFAULTS)
        assert running.act(VIEW).action == "go"
        pids = zygotes(cage)
        assert len(pids) == 4
    assert traces() == before
    assert have_ended(pids, within=0.0)
    assert running.closed
    cage.close()


def test_boxes_play_side_by_side(start: Start) -> None:
    source = "class Bot:\n def __init__(self, t): self.t = t\n def act(self, v): return str(self.t['n'])"
    boxes = [start(source, table={"n": n}) for n in range(7)]
    for _ in range(3):
        assert [box.act(VIEW).action for box in boxes] == [str(n) for n in range(7)]


def test_a_dead_zygote_is_the_platforms_fault_and_is_replaced() -> None:
    with Cage.open() as cage:
        box = cage.start(BOT, {}, 1, DEFAULTS)
        pids = zygotes(cage)
        os.kill(pids[0], signal.SIGKILL)
        assert have_ended(pids[1:])  # the first is ours to wait for
        with pytest.raises(PlatformFault):
            box.act(VIEW)
        assert box.closed
        assert cage.start(BOT, {}, 1, DEFAULTS).act(VIEW).action == "go"
        assert have_ended(pids, within=0.0)


def test_a_zygote_wears_out_once_no_box_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cage_module, "_RENEWAL", 3)
    with Cage.open() as cage:
        first = zygotes(cage)[0]
        boxes = [cage.start(BOT, {}, n, DEFAULTS) for n in range(4)]
        assert zygotes(cage)[0] == first, "boxes live in it"
        for box in boxes:
            box.close()
        cage.start(BOT, {}, 1, DEFAULTS)
        assert zygotes(cage)[0] != first


def test_a_bot_killed_from_outside_loses_nothing(start: Start) -> None:
    box = start("def act(view): return 'go'")
    os.kill(box.pid, signal.SIGKILL)
    with pytest.raises(PlatformFault):
        box.act(VIEW)


def test_a_bot_is_frozen_off_turn(start: Start) -> None:
    source = (
        "import os, sys\n"
        "def act(view):\n"
        "    tag = bytes(sys._getframe(1).f_locals['view'][1:9])\n"
        "    while True:\n"
        "        os.write(3, b'A' + tag + b'\\xa2go')\n"
        "        for _ in range(3000): pass\n"
        "        tag = os.read(3, 65536)[1:9]\n"
    )
    box = start(source)
    for _ in range(5):
        box.act(VIEW)
        assert eventually(lambda: status(box.pid)[0] == "T")


def test_computing_off_turn_is_a_fault(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    box = start(
        "import os, sys\n"
        "def act(view):\n"
        "    tag = bytes(sys._getframe(1).f_locals['view'][1:9])\n"
        "    os.write(3, b'A' + tag + b'\\xa2go')\n"
        "    while True: pass\n"
    )
    with monkeypatch.context() as patch:
        patch.setattr(box_module, "_STOP", signal.SIGCONT)
        box.act(VIEW)
    assert eventually(lambda: cpu_seconds(box.pid) > 0.3)
    with pytest.raises(BotFault) as caught:
        box.act(VIEW)
    assert caught.value.verdict is Verdict.OFF_TURN
    assert caught.value.cpu > 0.1


def test_a_moment_off_turn_is_charged_and_no_fault(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine may take the core away from a bot that has just answered, and charge the bot for it."""
    box = start(
        "import os, sys, time\n"
        "def act(view):\n"
        "    tag = bytes(sys._getframe(1).f_locals['view'][1:9])\n"
        "    while True:\n"
        "        os.write(3, b'A' + tag + b'\\xa2go')\n"
        "        until = time.process_time() + 0.04\n"
        "        while time.process_time() < until: pass\n"
        "        tag = os.read(3, 65536)[1:9]\n"
    )
    with monkeypatch.context() as patch:
        patch.setattr(box_module, "_STOP", signal.SIGCONT)
        first = box.act(VIEW)
    assert eventually(lambda: status(box.pid)[0] == "S")
    second = box.act(VIEW)
    assert (first.action, second.action) == ("go", "go")
    assert first.cpu + second.cpu > 0.03  # some of it before the judge looked


def test_state_does_not_leak_from_game_to_game(start: Start) -> None:
    source = (
        "import json, random, numpy, sys\n"
        "def act(view):\n"
        "    seen = hasattr(json, 'seen') or hasattr(numpy, 'seen') or 'seen' in sys.modules\n"
        "    json.seen = numpy.seen = True; sys.modules['seen'] = sys\n"
        "    return str(seen)\n"
    )
    assert [start(source).act(VIEW).action for _ in range(3)] == ["False"] * 3


def test_a_cage_of_another_process_is_refused(cage: Cage) -> None:
    pid = os.fork()
    if pid == 0:
        try:
            cage.start(BOT, {}, 1, DEFAULTS)
        except RuntimeError as error:
            os._exit(0 if "after the fork" in str(error) else 2)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert cage.start(BOT, {}, 1, DEFAULTS).act(VIEW).action == "go"


def test_one_core_is_shared_by_judge_and_bots_and_given_back(start: Start) -> None:
    mine = os.sched_getaffinity(0)
    core = max(mine)
    with Cage.open(core=core) as cage:
        assert os.sched_getaffinity(0) == {core}
        box = cage.start({"bot.py": b"import os\ndef act(view): return repr(os.sched_getaffinity(0))"}, {}, 1, DEFAULTS)
        assert box.act(VIEW).action == repr({core})
    assert os.sched_getaffinity(0) == mine


JUDGE = """
import sys, time
from games.protocol import Limits
from sandbox import Cage
cage = Cage.open()
box = cage.start({"bot.py": b"def act(view):\\n while True: pass"}, {}, 1, Limits(act_cpu=60, game_cpu=60, act_wall=60))
print(*[cage._zygote._process.pid, box.pid], flush=True)
box.act({})
"""


def test_everything_dies_with_the_judge() -> None:
    judge = subprocess.Popen([sys.executable, "-c", JUDGE], stdout=subprocess.PIPE, text=True, cwd=REPOSITORY)
    assert judge.stdout is not None
    pids = tuple(map(int, judge.stdout.readline().split()))
    family = (*pids, *descendants(pids[0]))
    assert len(set(family)) == 3
    judge.kill()
    judge.wait()
    judge.stdout.close()
    assert have_ended(family)


def test_many_boxes_leave_no_descriptor_and_no_process(cage: Cage) -> None:
    before = traces()
    for n in range(40):
        source = BOT["bot.py"] if n % 2 else b"def act(view): 1 / 0"
        box = cage.start({"bot.py": source}, {}, n, Limits())
        try:
            box.act(VIEW)
        except BotFault:
            assert n % 2 == 0
        box.close()
    assert traces() == before


def play_in_a_worker(answer: Connection) -> None:
    """What a prefork worker's child does: open lazily, play, close."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.umask(0o077)
    with Cage.open() as cage:
        answer.send(cage.start(BOT, {}, 1, DEFAULTS).act(VIEW).action)
    answer.send(traces().processes)


def test_a_daemonic_child_of_a_prefork_pool_can_open_one() -> None:
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=play_in_a_worker, args=(theirs,), daemon=True)
    child.start()
    assert ours.recv() == "go"
    assert ours.recv() == 0
    child.join()
    assert child.exitcode == 0


def test_when_memory_is_short_the_kernel_takes_bots_first(start: Start) -> None:
    box = start("def act(view): return 'go'")
    assert Path(f"/proc/{box.pid}/oom_score_adj").read_text().strip() == "1000"
