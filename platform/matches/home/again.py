"""What a bot was asked once, asked again: does it answer as it did then, does it fail again?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.dealer import block_seed
from games.protocol import BotFault, Limits, Verdict
from games.record import Record
from games.state import CHANCE
from matches.referee.bot_fault import SeatFault
from matches.referee.seat_player import CageProtocol
from sandbox.overtime import overtime


@dataclass(frozen=True, slots=True)
class Turn:
    """What a seat was shown after ``at`` actions of all players, and what it answered; or the verdict it got there."""

    view: Mapping[str, Any]
    at: int = 0
    answer: str = ""
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat in one game: what the bot was told at the start, and its turns."""

    table: Mapping[str, Any]
    turns: Sequence[Turn]

    @property
    def seat(self) -> int:
        """Its position at the table, from 0."""
        seat: int = self.table["seat"]
        return seat


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


def seated_at(view: Any, seed: int) -> Seated:
    """Return the seat that has only this view: without what the bot may have remembered of earlier turns.

    Raises:
        ValueError: it is no view.
    """
    if not isinstance(view, dict) or not isinstance(view.get("actions"), list):
        raise ValueError("a view is a JSON object with actions")
    names = {"ruleset": "game", "options": "options", "players": "players", "seat": "you"}
    return Seated({name: view.get(key) for name, key in names.items()} | {"seed": seed}, [Turn(view)])


def seated_in(record: Record, seat: int) -> Seated:
    """Return a seat of a recorded game, up to where its bot failed.

    Raises:
        RecordError: the record does not replay.
    """
    seed = int.from_bytes(block_seed(record.seed, "bot", seat)[:4])
    told = {"ruleset": record.ruleset, "options": dict(record.options), "players": record.players, "seat": seat}
    turns: list[Turn] = []
    at = 0
    for before, action, _, cause in record.replay():
        if before.actor == seat:
            turns.append(Turn(before.view(seat), at, "" if cause else action, cause))
            if cause:  # a stand-in plays what follows
                break
        at += before.actor != CHANCE
    return Seated(told | {"seed": seed}, turns)


def seat_at_fault(record: Record) -> int:
    """Return the seat at the table whose bot failed first; 0 if none did."""
    acted = [(step.before.actor, step.cause) for step in record.replay()]
    return next((actor for actor, cause in acted if cause), 0)


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
