"""What one box can learn of another by ways that are not, or cannot be, closed: ``python -m tests.hostile.leaks``.

Prints for each the bits that agree of those sent, and bits a second: as many as a perfect code would bring through.
docs/explanation/sandbox.md has the figures.
"""

import json
import math
import multiprocessing
import os
import secrets
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from multiprocessing.connection import Connection
from typing import Final

from games.protocol import Limits
from sandbox import Box, Cage

from .bits import BITS, FOLDER, agreement

_LIMITS: Final = Limits(
    start_cpu=5, start_wall=30, act_cpu=30, act_wall=60, game_cpu=300, game_wall=600, memory=512 << 20, output=1 << 14
)
_SLOT: Final = 0.010  # seconds
_ROUNDS: Final = 5


def bot(cage: Cage, name: str) -> Box:
    return cage.start({"bot.py": (FOLDER / f"{name}.py").read_bytes()}, {}, 1, _LIMITS)


def capacity(agree: int, of: int) -> float:
    """Bits that come through, of ``of`` sent, when so many agree."""
    wrong = min(max(1 - agree / of, 1e-9), 1 - 1e-9)
    return of * (1 + wrong * math.log2(wrong) + (1 - wrong) * math.log2(1 - wrong))


def row(name: str, agree: int, of: int, seconds: float) -> None:
    sigma = abs(agree - of / 2) / math.sqrt(of / 4)
    rate = f"{capacity(agree, of) / seconds:9.1f} bits/s" if sigma > 3 else "   at chance"
    print(f"{name:52}{agree:5} of {of:5}   {sigma:5.1f} sd{rate}", flush=True)


def through_the_cache(name: str, writer: Callable[[], Box], reader: Callable[[Box], Box]) -> None:
    agree, seconds = 0, 0.0
    for _ in range(_ROUNDS):
        key = secrets.token_hex(6)
        one = writer()
        begin = time.perf_counter()
        agree += agreement(one, lambda one=one: reader(one), lambda kind, bits, key=key: [kind, key, bits])  # type: ignore[misc]
        seconds += time.perf_counter() - begin
    row(name, agree, BITS * _ROUNDS, seconds)


def counters(cage: Cage) -> None:
    """Numbers of the kernel's that differ between two boxes in turn, by whether one before them was busy."""
    bits = [secrets.randbits(1) for _ in range(BITS)]
    readings: list[dict[str, object]] = []
    begin = time.perf_counter()
    for bit in bits:
        writer = bot(cage, "x30_counters")
        writer.act({"job": ["w", bit], "actions": ["go"]})
        writer.close()
        reader = bot(cage, "x30_counters")
        readings.append(json.loads(reader.act({"job": ["r"], "actions": ["go"]}).output))
        reader.close()
    seconds = time.perf_counter() - begin
    for name in readings[0]:
        values = [reading[name] for reading in readings]
        if any(value != values[0] for value in values) and not name.endswith("_ns"):  # that is the clock
            steps = [b - a if isinstance(a, int) and isinstance(b, int) else 0 for a, b in pairwise(values)]
            middle = sorted(steps)[len(steps) // 2]
            agree = sum((step > middle) == bool(bit) for step, bit in zip(steps, bits[1:], strict=True))
            row(f"counters, next box: {name}", max(agree, len(steps) - agree), len(steps), seconds)
    same = [name for name in readings[0] if all(reading[name] == readings[0][name] for reading in readings)]
    print(f"counters, next box: {len(same)} of {len(readings[0])} numbers are always the same or refused")


def _write(core: int, link: Connection) -> None:
    with Cage.open(core) as cage:
        box = bot(cage, "x31_contention")
        link.send("ready")
        while (job := link.recv()) is not None:
            box.act({"job": job, "actions": ["go"]})


def at_the_same_time(name: str, ours: int, theirs: int) -> None:
    link, other = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_write, args=(theirs, other))
    process.start()
    with Cage.open(ours) as cage:
        box = bot(cage, "x31_contention")
        link.recv()
        bits = [secrets.randbits(1) for _ in range(BITS)]
        begin = time.monotonic() + 0.1
        link.send(["w", begin, _SLOT, bits])
        read = json.loads(box.act({"job": ["r", begin, _SLOT, BITS], "actions": ["go"]}).output)
        row(name, sum(a == b for a, b in zip(bits, read, strict=True)), BITS, BITS * _SLOT)
        box.close()
    link.send(None)
    process.join()


def main() -> int:
    first, *more = sorted(os.sched_getaffinity(0))
    with Cage.open(first) as cage:
        one, other = bot(cage, "x29_processor_cache"), bot(cage, "x29_processor_cache")
        through_the_cache("processor cache, two live boxes of a match", lambda: one, lambda _: other)

        def next_box(before: Box) -> Box:
            before.close()
            return bot(cage, "x29_processor_cache")

        through_the_cache("processor cache, the next box", lambda: bot(cage, "x29_processor_cache"), next_box)
        counters(cage)
    at_the_same_time("at the same time, two cages on one core", first, first)
    if more:
        at_the_same_time("at the same time, two cages on two cores", first, more[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
