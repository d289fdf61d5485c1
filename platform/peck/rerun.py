"""Rerun a bot on the recorded views of an earlier game, and compare its answers and its failure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from games.explanation import MoveExplanation
from games.protocol import BotFault, Limits, Verdict
from matches.referee.bot_fault import SeatFault
from matches.referee.failure_bundle import FailureBundle, RecordedSeat, Turn
from matches.referee.seat_player import CageProtocol
from peck import FAULT, OK
from sandbox.overtime import overtime_fault


@dataclass(frozen=True, slots=True)
class Deviation:
    """The first decision, counted from 1, at which the bot's answer differs from the recorded one, ``told``."""

    decision: int
    told: str
    answer: str


@dataclass(frozen=True, slots=True)
class Rerun:
    """The end of a rerun. ``number`` is the decision, from 1, or 0 for the start. ``turn`` is the recorded turn of that
    decision; it is None at the start, and after a rerun without differences. ``deviation`` is the first different
    answer, if the rerun continued after it.
    """

    number: int
    turn: Turn | None = None
    fault: SeatFault | None = None
    answer: str = ""
    cpu: float = 0.0  # seconds
    explanation: MoveExplanation | None = None  # of the answer
    deviation: Deviation | None = None

    @property
    def at(self) -> int:
        """The number of actions of all players before it."""
        return self.turn.at if self.turn else 0


def rerun(
    seat: RecordedSeat,
    bot: Mapping[str, bytes],
    cage: CageProtocol,
    limits: Limits,
    *,
    compare: bool = True,
    go_on: bool = False,
) -> Rerun:
    """Give the bot every view of ``seat``, in order and with its seed, until it fails or an answer differs. Without
    ``compare``, answers may differ. With ``go_on``, the rerun continues after a different answer with the recorded
    views, as if the bot had given the recorded answer.
    """
    last = Rerun(0)
    deviation: Deviation | None = None
    try:
        box = cage.start(bot, seat.table, int(seat.table["seed"]), limits)
    except BotFault as fault:
        return Rerun(0, None, SeatFault.of(fault, seat=seat.position, action_index=0, view=None))
    try:
        for number, turn in enumerate(seat.turns, 1):
            try:
                reply = box.act(turn.view)
                if reply.cpu > limits.act_cpu:  # this happens only in cages that cannot interrupt a bot
                    raise overtime_fault(limits, Verdict.CPU_TIME, reply.cpu, limits.act_cpu, "for an action", 0)
                if reply.action not in turn.view["actions"]:
                    raise BotFault(Verdict.ILLEGAL_ACTION, f"{reply.action!r} is not legal there")
            except BotFault as fault:
                failed = SeatFault.of(fault, seat=seat.position, action_index=turn.at, view=turn.view)
                return Rerun(number, turn, failed, deviation=deviation)
            last = Rerun(number, turn, None, reply.action, reply.cpu, reply.explanation, deviation)
            if turn.failed:
                return last
            if compare and reply.action != turn.answer:
                if not go_on:
                    return last
                deviation = deviation or Deviation(number, turn.answer, reply.action)
    finally:
        box.close()
    return last if go_on or not compare else Rerun(last.number)


# The file arena/site/static/playground/failure.js has the same sentences; browsers translate those.
SENTENCES: Final = {
    "where": "match %(match)s, game %(game)s, seat %(seat)s, on the site: %(verdict)s",
    "checked": "the check, game %(game)s, seat %(seat)s, on the site: %(verdict)s",
    "again": "it happens again, %(when)s",
    "otherwise": "it fails, but differently, %(when)s",
    "decided": "match %(match)s, game %(game)s, seat %(seat)s, on the site: it answered %(told)s",
    "same": "the bot answers %(answer)s again",
    "other": "the bot now answers %(answer)s",
    "fails": "the bot fails, %(when)s",
    "answers": "it does not happen again: the bot answers %(answer)s",
    "starts": "it does not happen again: the bot starts",
    "deviates": "%(when)s: on the site it answered %(told)s, here %(answer)s; then it was asked as on the site",
    "decision": "decision %(number)s",
    "start": "at the start",
}


@dataclass(frozen=True, slots=True)
class RerunResult:
    """A key of ``SENTENCES`` with its values, and the exit code. Decisions count from 1; 0 is the start."""

    word: str
    code: int
    decision: int
    answer: str = ""
    deviation: Deviation | None = None

    def __str__(self) -> str:
        return SENTENCES[self.word] % {"when": _when(self.decision), "answer": repr(self.answer)}

    @property
    def note(self) -> str:
        """The sentence about the first answer that differs from the site; "" if there is none."""
        if self.deviation is None:
            return ""
        when, told, answer = _when(self.deviation.decision), repr(self.deviation.told), repr(self.deviation.answer)
        return SENTENCES["deviates"] % {"when": when, "told": told, "answer": answer}

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON."""
        return asdict(self)


def rerun_result(bundle: FailureBundle, found: Rerun) -> RerunResult:
    """Return whether the rerun ``found`` shows the failure of ``bundle``, or what the bot does now instead."""
    if not bundle.fault["verdict"]:
        if found.fault is not None:
            return RerunResult("fails", FAULT, found.number, deviation=found.deviation)
        is_same = found.answer == bundle.seat.turns[-1].answer
        # If the last decision differs, this is the result itself, so the note is only about earlier decisions.
        earlier = found.deviation if found.deviation and found.deviation.decision < found.number else None
        return RerunResult("same" if is_same else "other", OK, found.number, found.answer, earlier)
    if found.fault is not None:
        same = found.fault.verdict == bundle.fault["verdict"]
        return RerunResult("again" if same else "otherwise", FAULT, found.number, deviation=found.deviation)
    if found.turn is None:
        return RerunResult("starts", OK, found.number)
    return RerunResult("answers", OK, found.number, found.answer, found.deviation)


def _when(number: int) -> str:
    return SENTENCES["decision"] % {"number": number} if number else SENTENCES["start"]


def rerun_failure_sentence(bundle: FailureBundle) -> str:
    """Return where and how the failure happened."""
    word = "decided" if not bundle.fault["verdict"] else "where" if bundle.match else "checked"
    return SENTENCES[word] % rerun_failure_values(bundle)


def rerun_failure_values(bundle: FailureBundle) -> dict[str, Any]:
    """Return the values for the sentence "where", or "checked" if ``match`` is 0."""
    values = {"match": bundle.match, "game": bundle.game, "seat": chr(ord("A") + bundle.seat.position)}
    told = repr(bundle.seat.turns[-1].answer) if bundle.seat.turns else ""
    return values | {"verdict": bundle.fault["verdict"], "told": told}
