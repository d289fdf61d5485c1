"""Give a bot again what it was given in an earlier game: does it answer and fail as it did?"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from games.protocol import BotFault, Limits, Verdict
from matches.referee.bot_fault import SeatFault
from matches.referee.failure_bundle import FailureBundle, Seated, Turn
from matches.referee.seat_player import CageProtocol
from peck import FAULT, OK
from sandbox.overtime import overtime


@dataclass(frozen=True, slots=True)
class Deviation:
    """The first turn, counted from 1, in which the bot answered otherwise than it did then, ``told``."""

    turn: int
    told: str
    answer: str


@dataclass(frozen=True, slots=True)
class Again:
    """What the bot did in turn ``asked``, counted from 1: 0 is the start. ``turn`` is None there and at the end.
    ``deviation``: before that it was asked on, though it had answered otherwise.
    """

    asked: int
    turn: Turn | None = None
    fault: SeatFault | None = None
    answer: str = ""
    cpu: float = 0.0  # seconds
    deviation: Deviation | None = None

    @property
    def at(self) -> int:
        """How many actions of all players came before."""
        return self.turn.at if self.turn else 0


def asked_again(
    seated: Seated,
    bot: Mapping[str, bytes],
    cage: CageProtocol,
    limits: Limits,
    *,
    compare: bool = True,
    go_on: bool = False,
) -> Again:
    """Give the bot every view, in order and with the seed that it had, until it fails or does otherwise; without
    ``compare`` its answers may be others. With ``go_on`` it is then asked what it was asked at the time, as if it had
    answered as it did then.
    """
    found = Again(0)
    deviation: Deviation | None = None
    try:
        box = cage.start(bot, seated.table, int(seated.table["seed"]), limits)
    except BotFault as fault:
        return Again(0, None, SeatFault.of(fault, seat=seated.seat, action_index=0, view=None))
    try:
        for number, turn in enumerate(seated.turns, 1):
            try:
                reply = box.act(turn.view)
                if reply.cpu > limits.act_cpu:  # of a cage that cannot interrupt
                    raise overtime(limits, Verdict.CPU_TIME, reply.cpu, limits.act_cpu, "for an action", 0)
                if reply.action not in turn.view["actions"]:
                    raise BotFault(Verdict.ILLEGAL_ACTION, f"{reply.action!r} is not legal there")
            except BotFault as fault:
                told = SeatFault.of(fault, seat=seated.seat, action_index=turn.at, view=turn.view)
                return Again(number, turn, told, deviation=deviation)
            found = Again(number, turn, None, reply.action, reply.cpu, deviation)
            if turn.failed:
                return found
            if compare and reply.action != turn.answer:
                if not go_on:
                    return found
                deviation = deviation or Deviation(number, turn.answer, reply.action)
    finally:
        box.close()
    return found if not compare else Again(found.asked)


# What browsers translate: arena/site/static/playground/failure.js has the same sentences.
WORDS: Final = {
    "where": "match %(match)s, game %(game)s, seat %(seat)s, on the site: %(verdict)s",
    "checked": "the check, game %(game)s, seat %(seat)s, on the site: %(verdict)s",
    "again": "it happens again, %(turn)s",
    "otherwise": "it fails, but otherwise, %(turn)s",
    "answers": "it does not happen again: the bot answers %(answer)s",
    "starts": "it does not happen again: the bot starts",
    "deviates": "%(turn)s: on the site it answered %(told)s, here %(answer)s; then it was asked as on the site",
    "turn": "turn %(number)s",
    "start": "at the start",
}


@dataclass(frozen=True, slots=True)
class Happened:
    """A word of ``WORDS`` with its values, and the exit code of the command. Turns count from 1: 0 is the start."""

    word: str
    code: int
    turn: int
    answer: str = ""
    deviation: Deviation | None = None

    def __str__(self) -> str:
        return WORDS[self.word] % {"turn": _turn(self.turn), "answer": repr(self.answer)}

    @property
    def note(self) -> str:
        """What is said of the first answer that was another one than on the site; "" if none was."""
        if self.deviation is None:
            return ""
        turn, told, answer = _turn(self.deviation.turn), repr(self.deviation.told), repr(self.deviation.answer)
        return WORDS["deviates"] % {"turn": turn, "told": told, "answer": answer}

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


def happened(bundle: FailureBundle, found: Again) -> Happened:
    """Return whether the failure of ``bundle`` is what ``found`` found."""
    if found.fault is not None:
        same = found.fault.verdict == bundle.fault["verdict"]
        return Happened("again" if same else "otherwise", FAULT, found.asked, deviation=found.deviation)
    if found.turn is None:
        return Happened("starts", OK, found.asked)
    return Happened("answers", OK, found.asked, found.answer, found.deviation)


def _turn(number: int) -> str:
    return WORDS["turn"] % {"number": number} if number else WORDS["start"]


def place(bundle: FailureBundle) -> str:
    """Return where the failure happened, and how."""
    return WORDS["where" if bundle.match else "checked"] % where(bundle)


def where(bundle: FailureBundle) -> dict[str, Any]:
    """Return the values of the sentence "where", or "checked" where ``match`` is 0."""
    told = {"match": bundle.match, "game": bundle.game, "seat": chr(ord("A") + bundle.seated.seat)}
    return told | {"verdict": bundle.fault["verdict"]}
