"""Where only bwrap may make namespaces, each bot gets an interpreter of its own behind its walls: as safe, slower."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from games.protocol import BotFault, Limits, PlatformFault, Verdict
from sandbox import Backend, Cage, SandboxUnavailable, bubblewrap
from tests.hostile.traces import descendants, traces
from tests.waiting import eventually

from . import container_root
from .conftest import DEFAULTS, VIEW
from .ordinary_user import REPOSITORY, command
from .test_cage import have_ended

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed here"),
]
BOT = {"bot.py": b"def act(view): return view['actions'][0]"}
FORBIDDEN = "namespaces of one's own"


@pytest.fixture(scope="module")
def walled() -> Iterator[Cage]:
    with Cage.open(backend=Backend.BWRAP) as opened:
        yield opened


def evaluate(cage: Cage, expression: str, head: str = "import os") -> str:
    source = f"{head}\ndef act(view): return str({expression})".encode()
    box = cage.start({"bot.py": source}, {}, 1, Limits(action_bytes=4096))
    try:
        return box.act(VIEW).action
    finally:
        box.close()


def fault_of(cage: Cage, body: str) -> BotFault:
    box = cage.start({"bot.py": f"import os\ndef act(view):\n {body}".encode()}, {}, 1, Limits(act_cpu=0.2, act_wall=1))
    with pytest.raises(BotFault) as caught:
        box.act(VIEW)
    return caught.value


def lacking(*words: str, as_user: bool) -> subprocess.CompletedProcess[str]:
    line = ["-m", "tests.sandbox.missing_layer", *words]
    whole = command(*line) if as_user else [sys.executable, *line]
    return subprocess.run(whole, capture_output=True, text=True, cwd=REPOSITORY, check=False)


@pytest.mark.parametrize("as_user", [False, True], ids=["as we are", "ordinary user"])
def test_it_is_used_where_a_worker_may_make_no_namespaces(as_user: bool) -> None:
    done = lacking(FORBIDDEN, "bwrap", as_user=as_user)
    assert (done.returncode, done.stdout.strip()) == (0, "bwrap"), done


@pytest.mark.skipif(not container_root.possible(), reason="only root can make a container's ids")
def test_one_that_is_setuid_helps_where_there_are_no_user_namespaces() -> None:
    container = [sys.executable, "-m", "tests.sandbox.container_root", sys.executable]
    line = [*container, "-m", "tests.sandbox.setuid_bwrap", sys.executable, "-m", "sandbox.probe"]
    done = subprocess.run(line, capture_output=True, text=True, cwd=REPOSITORY, check=False)
    assert done.returncode == 0, done
    assert "MISSING  user namespace" in done.stdout
    assert done.stdout.endswith("bots can be caged here, by way of bwrap\n")


def test_without_it_such_a_machine_is_refused_with_the_reason() -> None:
    done = lacking(FORBIDDEN, as_user=False)
    assert done.returncode == 3, done
    assert "user namespace (" in done.stdout
    assert "bwrap (bwrap: bwrap is not installed): install bubblewrap" in done.stdout


@pytest.mark.parametrize("what", ["landlock", "seccomp", "freezing and clock"])
def test_it_is_no_help_where_another_layer_is_missing(what: str) -> None:
    done = lacking(what, "bwrap", as_user=False)
    assert done.returncode == 3, done
    assert f"{what} (" in done.stdout


def test_the_message_of_bwrap_is_passed_on(tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'setting up uid map: Permission denied' >&2; exit 1\n")
    broken.chmod(0o755)
    with (
        mock.patch.object(bubblewrap, "bubblewrap_find", return_value=str(broken)),
        pytest.raises(SandboxUnavailable, match="setting up uid map: Permission denied"),
    ):
        Cage.open(backend=Backend.BWRAP)


def test_bots_play_side_by_side_and_keep_nothing_for_the_next_game(walled: Cage) -> None:
    source = b"import json\ndef act(view):\n seen = hasattr(json, 'seen'); json.seen = True; return str(seen)"
    boxes = [walled.start({"bot.py": source}, {}, 1, DEFAULTS) for _ in range(2)]
    assert [box.act(VIEW).action for box in (*boxes, *boxes)] == ["False", "False", "True", "True"]
    for box in boxes:
        box.close()


def test_a_bot_is_alone_and_under_an_id_of_nobody(walled: Cage) -> None:
    assert evaluate(walled, "(os.getpid(), os.getppid(), os.listdir('/bot'))") == "(1, 0, ['bot.py'])"
    assert (int(evaluate(walled, "os.getuid()")) != os.geteuid()) == (os.geteuid() == 0)


def test_it_reads_and_writes_nothing_but_its_own(walled: Cage) -> None:
    head = (
        "import os\n"
        "def ends(call, *words):\n"
        " try: call(*words)\n"
        " except (PermissionError, FileNotFoundError): return 'no'\n"
        " except OSError as error: return error.strerror\n"
    )
    folders = ("/", "/etc", "/proc", "/root", "/usr/lib", "/usr/bin", "/lib")
    assert evaluate(walled, f"[ends(os.listdir, path) for path in {folders}]", head) == str(["no"] * len(folders))
    files = ("/bot/new", "/new", "/usr/lib/new", "/bot/bot.py")
    answers = evaluate(walled, f"[ends(open, path, 'w') for path in {files}]", head)
    assert answers == str(["Read-only file system"] * len(files))


def test_no_capability_and_no_descriptor_is_left(walled: Cage) -> None:
    box = walled.start(BOT, {}, 1, DEFAULTS)
    status = dict(line.split(":\t", 1) for line in Path(f"/proc/{box.pid}/status").read_text().splitlines())
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[name], 16) == 0, name
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert sorted(map(int, (path.name for path in Path(f"/proc/{box.pid}/fd").iterdir()))) == [0, 1, 2, 3]
    box.close()


@pytest.mark.parametrize("code", [0, 3, 137, 159])
def test_an_exit_code_that_looks_like_a_signal_is_an_exit(walled: Cage, code: int) -> None:
    fault = fault_of(walled, f"os._exit({code})")
    assert (fault.verdict, f"with code {code}" in fault.detail) == (Verdict.EXITED, True)


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("return 1 / 0", Verdict.CRASHED),
        ("while True: pass", Verdict.CPU_TIME),
        ("import time; time.sleep(9)", Verdict.SLEPT),
        ("bytearray(1 << 34)", Verdict.MEMORY),
        ("import ctypes; ctypes.string_at(0)", Verdict.KILLED),
        ("import ctypes; ctypes.CDLL(None).unshare(0)", Verdict.FORBIDDEN_CALL),
    ],
)
def test_verdicts_are_the_same(walled: Cage, body: str, verdict: Verdict) -> None:
    assert fault_of(walled, body).verdict is verdict


def test_a_bot_is_frozen_off_turn(walled: Cage) -> None:
    box = walled.start(BOT, {}, 1, DEFAULTS)
    box.act(VIEW)
    stat = Path(f"/proc/{box.pid}/stat")
    assert eventually(lambda: stat.read_text().rpartition(")")[2].split()[0] == "T")
    box.close()


def test_the_same_seed_gives_the_same_randomness(walled: Cage) -> None:
    expression, head = "(random.random(), numpy.random.random(), hash('key'))", "import random, numpy"
    assert evaluate(walled, expression, head) == evaluate(walled, expression, head)


def test_a_dead_keeper_takes_its_boxes_along_and_is_replaced() -> None:
    before = traces()
    with Cage.open(backend=Backend.BWRAP) as cage:
        box = cage.start(BOT, {}, 1, DEFAULTS)
        pids = (box.pid, *descendants(cage._zygote._process.pid))
        os.kill(cage._zygote._process.pid, signal.SIGKILL)
        assert have_ended(pids)
        with pytest.raises(PlatformFault):
            box.act(VIEW)
        assert cage.start(BOT, {}, 1, DEFAULTS).act(VIEW).action == "go"
    assert traces() == before
