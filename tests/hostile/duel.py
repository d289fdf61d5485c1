"""A hostile bot, or a hostile upload, against an honest bot, and what is left of the machine afterwards."""

import gc
import os
import random
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from games.protocol import BotFault, Verdict
from sandbox import Backend, Box, Cage
from sandbox.inside.failure import DETAIL_CAP

from .cages import opened
from .cases import CASES, HONEST, PLAYS_ON, QUICK, REFUSED, Case
from .traces import difference, rests_of_zygote, traces
from .uploads import UPLOADS, Upload, UploadError, unpickled

SECRET: Final = 0x5EC2E7_5EED_0A5  # the sibling's seed
MARKER: Final = "the sibling's secret plan"
_MASK: Final = 0x5A
EVERY: Final[Mapping[str, Case | Upload]] = {**CASES, **UPLOADS}
_HARMFUL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
_LONGEST: Final = 3 * DETAIL_CAP  # of a text about a bot: a replaced character is longer than it was


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


@dataclass(slots=True)
class _Texts:
    """All the texts that a bot has had a hand in."""

    texts: list[str]

    def harm(self) -> list[str]:
        long = ["a text of the bot's is too long"] if any(len(t.encode()) > _LONGEST for t in self.texts) else []
        return long + (["harmful characters"] if any(map(_HARMFUL.search, self.texts)) else [])


def play(cage: Cage, case: Case | Upload) -> Row:
    """Play the case. Siblings with a secret have lived and live in the same zygote."""
    for _ in range(3):
        _sibling(cage, HONEST).close()
    zygote = rests_of_zygote(cage)
    before = traces()
    row = contest(cage, case)
    left = [*difference(before, traces()), *difference(zygote, rests_of_zygote(cage))]
    if not left:
        return row
    return replace(row, ok=False, leaks="; ".join([*left, row.leaks]))


def contest(cage: Cage, case: Case | Upload) -> Row:
    """Play the case, without counting what is left."""
    opponent_fine = True
    bot_texts = _Texts([])
    opponent = _sibling(cage, case.opponent if isinstance(case, Case) else HONEST)
    try:
        verdict, detail = _games(cage, case, opponent, bot_texts)
        try:
            opponent.act(view(99))
        except BotFault as fault:
            opponent_fine, detail = False, f"the opponent: {fault}"
    finally:
        opponent.close()
    leaks = bot_texts.harm()
    if "LEAK" in detail:
        leaks.append(detail.strip().splitlines()[-1])
    if unpickled():
        leaks.append("a pickle was loaded")
    ok = verdict in case.expected and opponent_fine and not leaks
    return Row(case.name, verdict, ", ".join(sorted(case.expected)), ok, opponent_fine, "; ".join(leaks), detail)


def _games(cage: Cage, case: Case | Upload, opponent: Box, bot_texts: _Texts) -> tuple[str, str]:
    """How the bot's last game ended; the others must have ended so too."""
    try:
        files = case.files()
    except UploadError as refusal:
        bot_texts.texts.append(refusal.message)
        return REFUSED, refusal.message
    if isinstance(case, Upload):
        case = Case(case.name, case.numbers, case.expected)
    for _ in range(case.games):
        verdict, detail = _game(cage, case, files, opponent, bot_texts)
        if verdict not in case.expected:
            break
    return verdict, detail


def _game(cage: Cage, case: Case, files: Mapping[str, bytes], opponent: Box, bot_texts: _Texts) -> tuple[str, str]:
    try:
        hostile = cage.start(files, {"seat": 0}, 1, case.limits)
    except BotFault as fault:
        bot_texts.texts += fault.detail, fault.output, fault.exception
        return fault.verdict, fault.detail
    try:
        for turn in range(case.turns):
            seen = view(turn)
            reply = hostile.act(seen)
            bot_texts.texts += reply.action, reply.output
            if reply.action not in seen["actions"]:
                return Verdict.ILLEGAL_ACTION, ""
            opponent.act(seen)
        bot_texts.texts.append(hostile.finish({"places": [1, 2]}))
        return PLAYS_ON, ""
    except BotFault as fault:
        bot_texts.texts += fault.detail, fault.output, fault.exception
        return fault.verdict, fault.detail + _core(hostile)
    finally:
        hostile.close()


def _core(box: Box) -> str:
    ended = box._process._ended
    return "\nLEAK a core was dumped" if ended is not None and os.WCOREDUMP(ended.status) else ""


def _sibling(cage: Cage, source: bytes) -> Box:
    return cage.start({"bot.py": source + f"# {MARKER}\n".encode()}, {"plan": MARKER}, SECRET, QUICK)


def view(turn: int) -> dict[str, Any]:
    """What the bots of the shared collection and ours read. What must not be found in memory comes masked."""
    actions = ["3", "1", "4", "1", "5"]
    sibling = random.Random(SECRET)
    return {
        "turn": turn,
        "you": 0,
        "legal_moves": actions,
        "actions": actions,
        "masked": masked(SECRET),
        "draws": [sibling.random() for _ in range(20)],
    }


def masked(seed: int) -> list[str]:
    """The forms that the seed and the marker take in memory: msgpack, C integer, Python integer, text."""
    digits = struct.pack("<3I", seed & 0x3FFF_FFFF, seed >> 30 & 0x3FFF_FFFF, seed >> 60)[:8]
    forms = [struct.pack(">Q", seed), struct.pack("<Q", seed), digits, str(seed).encode(), MARKER.encode()]
    return [bytes(byte ^ _MASK for byte in form).hex() for form in forms]


def play_all(names: list[str], *, warm: bool = True, backend: Backend = Backend.OWN) -> list[Row]:
    """All the cases named, or all, in one cage; and a last row for what the cage itself leaves."""
    every = {name: case for name, case in EVERY.items() if warm or not case.numpy}
    gc.freeze()  # what the judge is made of is not gone through again after each case
    before = traces()
    with opened(warm=warm, backend=backend) as cage:
        rows = [play(cage, every[name]) for name in names or every if name in every]
    left = "; ".join(difference(before, traces()))
    return [*rows, Row("the cage, closed", PLAYS_ON, PLAYS_ON, not left, True, left, "")]
