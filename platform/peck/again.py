"""What a bot was asked once, asked again: does it answer as it did then, does it fail again?"""

from collections.abc import Mapping
from dataclasses import dataclass

from games.protocol import BotFault, Limits, Verdict
from matches.referee.bot_fault import SeatFault
from matches.referee.failure_bundle import Seated, Turn
from matches.referee.seat_player import CageProtocol
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
