"""A hostile bot against an honest one, and what is left of the machine afterwards."""

import os
import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from games.protocol import Verdict
from sandbox import BotFault, Box, Cage

from .cases import CASES, HONEST, PLAYS_ON, QUICK, Case

SECRET: Final = 0x5EC2E7_5EED_0A5  # the sibling's seed
MARKER: Final = "the sibling's secret plan"
_MASK: Final = 0x5A


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    case: str
    verdict: str
    expected: str
    ok: bool
    opponent_fine: bool
    leaks: str  # what was left or found that must not be; empty when all is well
    detail: str


@dataclass(frozen=True, slots=True)
class Traces:
    """What a game may leave behind on the judge's side."""

    processes: int
    descriptors: int
    mounts: int


def play(cage: Cage, case: Case) -> Row:
    """Play the case. Siblings with a secret have lived and live in the same zygote."""
    before = traces()
    opponent_fine = True
    for _ in range(3):
        _sibling(cage, HONEST).close()
    opponent = _sibling(cage, case.opponent)
    try:
        verdict, detail = _duel(cage, case, opponent)
        try:
            opponent.act(view(99))
        except BotFault as fault:
            opponent_fine, detail = False, f"the opponent: {fault}"
    finally:
        opponent.close()
    leaks = [f"{name}: {value}" for name, value in _difference(before, traces()).items()]
    if "LEAK" in detail:
        leaks.append(detail.strip().splitlines()[-1])
    ok = verdict in case.expected and opponent_fine and not leaks
    return Row(case.name, verdict, ", ".join(sorted(case.expected)), ok, opponent_fine, "; ".join(leaks), detail)


def _duel(cage: Cage, case: Case, opponent: Box) -> tuple[str, str]:
    try:
        hostile = cage.start(case.files(), {"seat": 0}, 1, case.limits)
    except BotFault as fault:
        return fault.verdict, fault.detail
    try:
        for turn in range(case.turns):
            seen = view(turn)
            if hostile.act(seen).action not in seen["actions"]:
                return Verdict.ILLEGAL_ACTION, ""
            opponent.act(seen)
        return PLAYS_ON, ""
    except BotFault as fault:
        return fault.verdict, fault.detail
    finally:
        hostile.close()


def _sibling(cage: Cage, source: bytes) -> Box:
    return cage.start({"bot.py": source + f"# {MARKER}\n".encode()}, {"plan": MARKER}, SECRET, QUICK)


def view(turn: int) -> dict[str, Any]:
    """What the bots of the shared collection and ours read. What must not be found in memory comes masked."""
    actions = ["3", "1", "4", "1", "5"]
    return {"turn": turn, "you": 0, "legal_moves": actions, "actions": actions, "masked": masked(SECRET)}


def masked(seed: int) -> list[str]:
    """The forms that the seed and the marker take in memory: msgpack, C integer, Python integer, text."""
    digits = struct.pack("<3I", seed & 0x3FFF_FFFF, seed >> 30 & 0x3FFF_FFFF, seed >> 60)[:8]
    forms = [struct.pack(">Q", seed), struct.pack("<Q", seed), digits, str(seed).encode(), MARKER.encode()]
    return [bytes(byte ^ _MASK for byte in form).hex() for form in forms]


def traces() -> Traces:
    """How many processes have descended from us, descriptors we hold, mounts we see."""
    return Traces(
        len(descendants(os.getpid())),
        len(list(Path("/proc/self/fd").iterdir())),
        len(Path("/proc/self/mountinfo").read_text().splitlines()),
    )


def descendants(pid: int) -> set[int]:
    """The process ids of all that live below this one."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found: set[int] = set()
    todo = [pid]
    while todo:
        for child in children.get(todo.pop(), ()):
            found.add(child)
            todo.append(child)
    return found


def _difference(before: Traces, after: Traces) -> dict[str, int]:
    change = Counter({name: getattr(after, name) - getattr(before, name) for name in Traces.__slots__})
    return {name: value for name, value in change.items() if value}


def play_all(names: list[str]) -> list[Row]:
    """All the cases named, or all, in one cage; and a last row for what the cage itself leaves."""
    before = traces()
    with Cage.open() as cage:
        rows = [play(cage, CASES[name]) for name in names or CASES]
    left = _difference(before, traces())
    return [*rows, Row("the cage, closed", PLAYS_ON, PLAYS_ON, not left, True, str(left or ""), "")]
