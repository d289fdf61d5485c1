"""Measure what ``make run`` costs a machine: its processes, their memory and their processor time.

A site with its own data and the demo is started. Its processes are measured twice: ``--busy`` seconds after its page
answers, while cups are played, and ``--idle`` seconds after it, when nobody visits. Processor time is measured for
``--window`` seconds each time. Memory is the proportional set size (PSS): a page that four processes share counts as a
quarter for each. The processes of bots are listed separately.

``python -m benchmarks.at_home --pid 1234`` measures a running site once; 1234 is the process of its ``manage.py up``.
"""

import argparse
import os
import re
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.browser.running import StartedSite, data_directory

TICKS: Final = os.sysconf("SC_CLK_TCK")
MIB: Final = 1024  # KiB, the unit of the kernel's figures
OF_A_BOT: Final = "box of a bot"
ZYGOTE: Final = "zygote, with the boxes that ended"


@dataclass(frozen=True, slots=True)
class Usage:
    """A process: its name, its memory in KiB, and its processor time in seconds."""

    name: str
    memory: int
    spent: float


def main() -> None:
    """Print a table for each measurement."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.at_home", description=__doc__)
    parser.add_argument("--pid", type=int, help="of a site that runs")
    parser.add_argument("--busy", type=float, default=60)
    parser.add_argument("--idle", type=float, default=1800)
    parser.add_argument("--window", type=float, default=60)
    args = parser.parse_args()
    if args.pid:
        look("now", args.pid, args.window)
        return
    with data_directory() as var:
        begun = time.monotonic()
        site = StartedSite(var).wait_until_up()
        up = time.monotonic()
        print(f"up after {up - begun:.1f} s", flush=True)
        try:
            for when, seconds in (("busy", args.busy), ("idle", args.idle)):
                time.sleep(max(0.0, up + seconds - time.monotonic()))
                look(f"{when}, {seconds:.0f} s after the page answered", site.process.pid, args.window)
        finally:
            site.stop()


def look(title: str, root: int, window: float) -> None:
    """Print the process ``root`` and all below it, with the processor time that they use within ``window`` seconds."""
    before, began = family(root), time.monotonic()
    time.sleep(window)
    after, took = family(root), time.monotonic() - began
    ours = {pid: usage for pid, usage in after.items() if usage.name != OF_A_BOT}
    memory = sum(usage.memory for usage in ours.values()) / MIB
    print(f"\n{title}: {len(ours)} processes, {memory:.0f} MiB", flush=True)
    names, memories = Counter[str](), Counter[str]()
    spent: dict[str, float] = defaultdict(float)
    for pid, usage in after.items():
        names[usage.name] += 1
        memories[usage.name] += usage.memory
        spent[usage.name] += max(0.0, usage.spent - (before[pid].spent if pid in before else 0.0))
    for name, number in sorted(names.items()):
        print(f"  {number} x {name}: {memories[name] / MIB:.0f} MiB, {100 * spent[name] / took:.1f} % of a core")
    print(f"  all: {100 * sum(spent.values()) / took:.1f} % of a core", flush=True)


def family(root: int) -> dict[int, Usage]:
    """Return the process ``root`` and all processes below it."""
    found: dict[int, Usage] = {}
    left = [(root, "")]
    while left:
        pid, parent = left.pop()
        try:
            name = _name(pid, parent)
            found[pid] = Usage(name, _memory(pid), _spent(pid, with_dead=name == ZYGOTE))
            tasks = list(Path(f"/proc/{pid}/task").iterdir())
            left += [(int(child), name) for task in tasks for child in (task / "children").read_text().split()]
        except (OSError, IndexError):  # the process has ended meanwhile
            continue
    return found


def _name(pid: int, parent: str) -> str:
    if parent in {ZYGOTE, OF_A_BOT}:
        return OF_A_BOT
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    if any("zygote" in word for word in words):
        return ZYGOTE
    return next((_readable(word) for word in words if _readable(word)), words[-2] if len(words) > 1 else "?")


def _readable(word: str) -> str:
    """Return a readable name for a word of a command line; a fork of ``up`` is named after its role."""
    name = re.sub(r" \d+$", "", word.removeprefix("pecking-order: "))
    if name != word:
        return name
    names = (
        ("--queues=", f"worker of {word.partition('=')[2]}"),
        ("valkey", "Valkey"),
        ("arena.serving", "web server"),
    )
    return {"demo": "demo", "up": "supervisor"}.get(word) or next((name for sign, name in names if sign in word), "")


def _memory(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def _spent(pid: int, *, with_dead: bool) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(ticks) for ticks in fields[11 : 15 if with_dead else 13]) / TICKS


if __name__ == "__main__":
    main()
