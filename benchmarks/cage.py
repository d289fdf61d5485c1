"""Measure the cage: the overhead for each action of a bot, and the cost of starting and running a bot.

Referee and bots are pinned to one core, as on workers. ``best`` is the fastest run, ``median`` includes the effect of
other programs.
"""

import os
import platform
import shutil
import socket
import statistics
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from games.protocol import MIB, Limits
from sandbox import Backend, Box, Cage, SandboxUnavailable
from sandbox.interpreter import interpreter_find

LIMITS = Limits(game_cpu=3600, game_wall=7200)
BOT = {"bot.py": b"def act(view): return view['actions'][0]"}
NUMPY_BOT = {"bot.py": b"import numpy\ndef act(view): return view['actions'][0]"}
VIEW = {
    "game": "pickomino/1",
    "options": {"steal": True, "tie_break": "highest_tile", "short": False},
    "you": 0,
    "players": 2,
    "actor": 0,
    "phase": "choose",
    "turn": 17,
    "grill": [21, 23, 24, 26, 27, 28, 30, 31, 33, 36],
    "facedown": [34, 35],
    "stacks": [[22, 29], [25]],
    "worms": [3, 2],
    "aside": {"1": 0, "2": 2, "3": 0, "4": 0, "5": 1, "W": 0},
    "sum": 9,
    "dice_left": 5,
    "rolled": ["1", "1", "3", "4", "W"],
    "last": {"event": "take", "seat": 1, "tile": 25},
    "actions": ["take 1", "take 3", "take 4", "take W"],
}
PING_PONG = r"""
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}
int main(void) {
    int s[2]; char ask[1024] = {0}, answer[64] = {0};
    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s);
    if (!fork()) { close(s[0]); while (read(s[1], ask, sizeof ask) > 0) write(s[1], answer, sizeof answer); exit(0); }
    close(s[1]);
    for (int batch = 0; batch < 200; batch++) {
        double t = now();
        for (int i = 0; i < 100; i++) { write(s[0], ask, sizeof ask); read(s[0], answer, sizeof answer); }
        printf("%f\n", (now() - t) / 100);
    }
}
"""


def row(name: str, seconds: list[float], *, unit: str = "us", note: str = "") -> None:
    scale = {"us": 1e6, "ms": 1e3}[unit]
    best, median = min(seconds) * scale, statistics.median(seconds) * scale
    print(f"{name:44} best {best:8.1f} {unit}   median {median:8.1f} {unit}   {note}".rstrip(), flush=True)


def timed(what: Callable[[], object], *, batches: int, per_batch: int = 1) -> list[float]:
    """Return the seconds for one call of ``what``, for each batch."""
    seconds = []
    for _ in range(batches):
        begin = time.perf_counter()
        for _ in range(per_batch):
            what()
        seconds.append((time.perf_counter() - begin) / per_batch)
    return seconds


def actions(cage: Cage) -> None:
    box = cage.start(BOT, {}, 1, LIMITS)
    timed(lambda: box.act(VIEW), batches=1, per_batch=1000)
    whole, charged = [], []
    for _ in range(400):
        begin = time.perf_counter()
        charged.append(sum(box.act(VIEW).cpu for _ in range(20)) / 20)
        whole.append((time.perf_counter() - begin) / 20)
    box.close()
    beyond = [a - b for a, b in zip(whole, charged, strict=True)]
    row("caged action, clock and freezing", whole)
    row("  of it, the bot's own CPU time", charged)
    row("  of it, beyond the bot's own time", beyond, note="aim 25")
    row("  floor: Python ping-pong, SEQPACKET", python_ping_pong())
    floor = c_ping_pong()
    if floor is None:
        print("  floor: C ping-pong, SEQPACKET                not measured: no C compiler here")
        return
    row("  floor: C ping-pong, SEQPACKET", floor)
    for name, seconds in (("  whole action / C ping-pong", whole), ("  beyond the bot's time / C ping-pong", beyond)):
        ratio, usual = min(seconds) / min(floor), statistics.median(seconds) / statistics.median(floor)
        print(f"{name:44} best {ratio:8.1f} x    median {usual:8.1f} x    aim 5")


def c_ping_pong() -> list[float] | None:
    """Return the seconds to send 1 KB and receive 64 bytes between two C programs on this core; None without a
    compiler.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder, "pingpong")
        subprocess.run([compiler, "-O2", "-w", "-x", "c", "-", "-o", binary], input=PING_PONG.encode(), check=True)
        output = subprocess.run([binary], capture_output=True, text=True, check=True).stdout
    return [float(line) / 1e6 for line in output.split()]


def python_ping_pong() -> list[float]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    pid = os.fork()
    if pid == 0:
        ours.close()
        while theirs.recv(2048):
            theirs.send(b"x" * 64)
        os._exit(0)
    theirs.close()

    def round_trip() -> None:
        ours.send(b"x" * 1024)
        ours.recv(64)

    with ours:
        seconds = timed(round_trip, batches=200, per_batch=20)
    os.waitpid(pid, 0)
    return seconds


def starts(cage: Cage) -> None:
    def life(files: dict[str, bytes]) -> None:
        cage.start(files, {}, 1, LIMITS).close()

    ready: list[float] = []
    for _ in range(60):
        begin = time.perf_counter()
        box = cage.start(NUMPY_BOT, {}, 1, LIMITS)
        ready.append(time.perf_counter() - begin)
        box.close()
    row("bot start with numpy, to ready", ready, unit="ms")
    row("bot start and end, with numpy", timed(lambda: life(NUMPY_BOT), batches=30), unit="ms")
    row("  a bare interpreter importing numpy", timed(lambda: bare([]), batches=8), unit="ms")
    if (bwrap := shutil.which("bwrap")) is None:
        print("  bwrap + python + numpy                       not measured: bwrap is not installed")
        return
    walls = [bwrap, "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--"]
    walled = timed(lambda: bare(walls), batches=12)
    row("  bwrap + python + numpy", walled, unit="ms")
    best, usual = min(walled) / min(ready), statistics.median(walled) / statistics.median(ready)
    print(f"{'  bwrap + python + numpy / bot start':44} best {best:8.1f} x    median {usual:8.1f} x    aim 10")


def matches(cage: Cage) -> None:
    """Measure a match: two new processes, thirty actions each, the result of the game, and the end of the processes."""

    def match() -> None:
        boxes = [cage.start(NUMPY_BOT, {"seat": seat}, seat, LIMITS) for seat in range(2)]
        for _ in range(30):
            for box in boxes:
                box.act(VIEW)
        for box in boxes:
            box.finish({"places": [1, 2]})
            box.close()

    seconds = timed(match, batches=40)
    row("match: 2 fresh bots, 30 actions each", seconds, unit="ms")
    best, usual = 1 / min(seconds), 1 / statistics.median(seconds)
    print(f"{'  matches per second on one core':44} best {best:8.0f} /s   median {usual:8.0f} /s   rules not included")


def bare(before: list[str]) -> None:
    found = interpreter_find()
    code = f"import sys; sys.path.append({found.site!r}); import msgspec, numpy"
    command = [*before, found.executable, "-s", "-S", "-P", "-c", code]
    subprocess.run(command, env=found.environment(), check=True)


def behind_bwrap(core: int) -> None:
    """Measure the alternative way to start bots, for machines that forbid the first one."""
    try:
        cage = Cage.open(core, backend=Backend.BWRAP)
    except SandboxUnavailable as denied:
        print(f"behind bwrap: not measured: {denied}")
        return
    with cage:
        box = cage.start(NUMPY_BOT, {}, 1, LIMITS)
        row("behind bwrap: caged action", timed(lambda: box.act(VIEW), batches=100, per_batch=20))
        box.close()
        boxes: list[Box] = []
        ready = timed(lambda: boxes.append(cage.start(NUMPY_BOT, {}, 1, LIMITS)), batches=8)
        row("behind bwrap: bot start with numpy, to ready", ready, unit="ms")
        for box in boxes:
            box.close()
        memory(cage)


def memory(cage: Cage) -> None:
    boxes = [cage.start(NUMPY_BOT, {}, n, LIMITS) for n in range(8)]
    for box in boxes:
        box.act(VIEW)
    try:
        kib = [proportional(box) for box in boxes]
    except OSError as error:
        print(f"{'memory of an idle bot with numpy':44} not to be read here: {error}")
    else:
        mean = statistics.mean(kib) / 1024
        print(f"{'memory of an idle bot with numpy':44} {mean:13.2f} MiB PSS, 8 side by side; aim 5")
    for box in boxes:
        box.close()


def proportional(box: Box) -> int:
    """Return the proportional memory of the box in KiB: shared pages are divided by the number of their users."""
    with Path(f"/proc/{box.pid}/smaps_rollup").open() as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def main() -> None:
    core = max(os.sched_getaffinity(0))
    opened: list[Cage] = []
    optimised = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
    build = f"Python {platform.python_version()} built {'with' if optimised else 'without'} optimisation"
    user = "root" if os.geteuid() == 0 else "an ordinary user"
    print(f"core {core}, load {os.getloadavg()[0]:.1f}, {user}, {build}")
    for name in ("cage opened, library copied, once a machine", "cage opened, probe included, once a worker"):
        begin = time.perf_counter()
        opened.append(Cage.open(core))
        print(f"{name:44} {(time.perf_counter() - begin) * 1e3:13.0f} ms")
    opened[1].close()
    with opened[0] as cage:
        copy = cage.library
        where = "one for each worker" if copy is None else f"one for the machine, in {copy.place}"
        print(f"{'memory of the copy of the library':44} {0 if copy is None else copy.size / MIB:13.1f} MiB, {where}")
        actions(cage)
        starts(cage)
        matches(cage)
        memory(cage)
    behind_bwrap(core)


if __name__ == "__main__":
    main()
