"""How many bits one box can hand to another: ``channels`` holds bots that write some and read them back.

``python -m tests.hostile.bits`` prints a table for every way into the cage, for us and for an ordinary user, and exits
with 1 if one of them carries bits; ``--json WAY`` prints the rows of one way for the user who runs it.
"""

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from games.protocol import Limits
from sandbox import Backend, Box, Cage
from tests.sandbox.ordinary_user import REPOSITORY, command

from .notebook import notes, right
from .oracle import right_guesses
from .table import ME

FOLDER: Final = Path(__file__).parent / "channels"
BITS: Final = 128
CHANCE: Final = range(47, 82)  # of 128, within three standard deviations (5.66 each) of 64
LATER: Final = 5.0  # seconds
AGAIN: Final = 5  # times, where the machine has other work; this table asks once more
PAUSE: Final = 2.0  # seconds
NOTES: Final = 60
NOTES_BY_CHANCE: Final = 8
NOTE_SLOT: Final = 0.02  # seconds
SWEPT: Final = 1 << 26  # bytes, read and written
_LIMITS: Final = Limits(
    start_cpu=5, start_wall=30, act_cpu=10, act_wall=60, game_cpu=100, game_wall=600, output=1 << 14
)
DOORS: Final = (
    *(("@library", call) for call in ("access", "stat", "open", "opendir", "readlink", "import", "dlopen")),
    *((folder, "access") for folder in ("@numpy", "@site", "@above", "@deep", "@loader", "@system")),
    *((folder, "stat") for folder in ("/", "/bot", "/bot/..", "/proc", "/dev/shm", "/tmp", "/usr/lib", "/nowhere")),
)


@dataclass(frozen=True, slots=True)
class Row:
    """Bits that agree, of ``of``; for h23 hands that were guessed."""

    bot: str
    where: str
    agree: int
    of: int
    ok: bool


Job = Callable[[str, object], list[object]]  # kind and bits, or their number: the job for the bot


def h22(key: str) -> Job:
    return lambda kind, bits: [kind, key, bits]


def x28(folder: str, call: str, key: str) -> Job:
    return lambda kind, bits: [kind, folder, call, key, bits]


def bot(cage: Cage, name: str) -> Box:
    return cage.start({"bot.py": (FOLDER / f"{name}.py").read_bytes()}, {}, 1, _LIMITS)


@contextmanager
def alive(one: Cage, other: Cage, name: str) -> Iterator[tuple[Box, Box]]:
    """Two boxes that live side by side, as in a match."""
    boxes = bot(one, name), bot(other, name)
    try:
        yield boxes
    finally:
        for box in boxes:
            box.close()


def caches_swept() -> None:
    """Have every core read more memory than its caches hold: what the kernel keeps stays, what they keep does not."""
    cores = os.sched_getaffinity(0)
    memory = bytearray(SWEPT)
    for core in cores:
        os.sched_setaffinity(0, {core})
        bytes(memory)
    os.sched_setaffinity(0, cores)


def agreement(writer: Box, reader: Callable[[], Box], job: Job) -> int:
    """Bits of 128 that the reader has right, though the processor's caches were swept in between."""
    bits = [secrets.randbits(1) for _ in range(BITS)]
    writer.act({"job": job("w", bits), "actions": ["go"]})
    caches_swept()
    read = json.loads(reader().act({"job": job("r", BITS), "actions": ["go"]}).output)
    return sum(a == b for a, b in zip(bits, read, strict=True))


def in_the_next_box(cage: Cage, key: str) -> int:
    """The same from a box to one that is started when the other is gone."""
    with ExitStack() as boxes:
        writer = bot(cage, "h22_name_cache")

        def fresh() -> Box:
            writer.close()
            return boxes.enter_context(closing(bot(cage, "h22_name_cache")))

        return agreement(writer, fresh, h22(key))


def measured(name: str, where: str, measure: Callable[[str], int], again: int = 1) -> Row:
    """The row; ``again`` so often where bits agree beyond chance.

    What the kernel keeps shows each time, what the processor's caches let through for moments of a busy machine does
    not: see the table of channels in docs/explanation/sandbox.md.
    """
    agree = measure(secrets.token_hex(6))
    for _ in range(again):
        if agree in CHANCE:
            break
        time.sleep(PAUSE)
        agree = measure(secrets.token_hex(6))
    return Row(name, where, agree, BITS, agree in CHANCE)


def few(cage: Cage, again: int = 1) -> Iterator[Row]:
    """The rows of ``make test-processes``: fast."""
    with alive(cage, cage, "h22_name_cache") as (one, other):
        yield measured("h22", "two live boxes", lambda key: agreement(one, lambda: other, h22(key)), again)
    yield measured("h22", "the next box", lambda key: in_the_next_box(cage, key), again)
    with alive(cage, cage, "x28_every_door") as (one, other):
        for folder, call in DOORS:

            def through(key: str, door: tuple[str, str] = (folder, call)) -> int:
                return agreement(one, lambda: other, x28(*door, key))

            yield measured("x28", f"{call} {folder}", through, again)


def every(backend: Backend) -> Iterator[Row]:
    with Cage.open(backend=backend) as cage, Cage.open(backend=backend) as another:
        yield from few(cage)
        with alive(cage, another, "h22_name_cache") as (one, other):

            def later() -> Box:
                time.sleep(LATER)
                return other

            yield measured("h22", "another cage, later", lambda key: agreement(one, later, h22(key)))
        for match in range(3):
            yield hands_guessed(cage, match)
        yield notes_read(cage)


def notes_read(cage: Cage) -> Row:
    """Notes that the next game of the same seed reads from the time of day: by chance 1 of 64 rightly, and by the best
    of 64 offsets a few of 60.
    """
    read = notes(cage, "game_over", NOTE_SLOT, NOTES, same_seed=True)
    hits = right(read, NOTE_SLOT)
    return Row("h27", "the next game", hits, NOTES, hits <= NOTES_BY_CHANCE)


def hands_guessed(cage: Cage, match: int) -> Row:
    right, guesses = right_guesses(cage, match)
    return Row("h23", f"match {match + 1}", right, guesses, right == 0)


def main(arguments: list[str]) -> int:
    if "--json" in arguments:
        rows = list(every(Backend(arguments[-1])))
        print(json.dumps([asdict(row) for row in rows]))
        return 0
    good = True
    for who in dict.fromkeys((ME, "user")):
        for backend in Backend:
            words = ("-m", "tests.hostile.bits", "--json", backend.value)
            line = [sys.executable, *words] if who == ME else command(*words)
            done = subprocess.run(line, capture_output=True, text=True, cwd=REPOSITORY, check=False)
            if not done.stdout:
                raise RuntimeError(f"{who}, {backend}: {done.stderr[-2000:]}")
            rows = [Row(**row) for row in json.loads(done.stdout.splitlines()[-1])]
            good = good and all(row.ok for row in rows)
            print(f"{who}, {backend}")
            for row in rows:
                verdict = "" if row.ok else "CARRIES BITS"
                print(f"    {row.bot:5}{row.where:22}{row.agree:4} of {row.of:4}  {verdict}".rstrip())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
