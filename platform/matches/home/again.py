"""A recorded game again, with an author's bot in one seat: does it answer as the record has it, does it fail again?"""

from dataclasses import dataclass
from typing import Any

from games.dealer import block_seed
from games.protocol import BotFault, Limits, Verdict
from games.record import Record
from games.state import CHANCE
from kit.bots import HomeBot
from kit.box import HomeCage
from matches.referee.bot_fault import SeatFault


@dataclass(frozen=True, slots=True)
class Again:
    """What the bot did: ``asked`` how often, and ``at`` which action of all players it failed or answered otherwise."""

    asked: int
    at: int = 0
    fault: SeatFault | None = None
    recorded: str = ""
    answer: str = ""
    cause: str = ""  # why a stand-in played the recorded action

    @property
    def differs(self) -> bool:
        """Whether the bot answered otherwise than the caged one."""
        return not self.cause and self.answer != self.recorded


@dataclass(frozen=True, slots=True)
class BotAnswer:
    """What a bot answered to one view, and its CPU seconds; or why it did not."""

    action: str = ""
    cpu: float = 0.0
    fault: SeatFault | None = None


def answered(view: Any, seed: int, bot: HomeBot, cage: HomeCage, limits: Limits) -> BotAnswer:
    """Give the bot one view: made afresh, without what it may have remembered of earlier turns.

    Raises:
        ValueError: it is no view.
    """
    if not isinstance(view, dict) or not isinstance(view.get("actions"), list):
        raise ValueError("a view is a JSON object with actions")
    names = {"ruleset": "game", "options": "options", "players": "players", "seat": "you"}
    told = {name: view.get(key) for name, key in names.items()} | {"seed": seed}
    try:
        box = cage.start(bot, told, seed, limits)
        try:
            reply = box.act(view)
            if reply.action not in view["actions"]:
                raise BotFault(Verdict.ILLEGAL_ACTION, f"{reply.action!r} is not legal there")
        finally:
            box.close()
    except BotFault as fault:
        return BotAnswer(fault=SeatFault.of(fault, seat=0, action_index=0, view=view))
    return BotAnswer(reply.action, reply.cpu)


def seat_at_fault(record: Record) -> int:
    """Return the seat at the table whose bot failed first; 0 if none did."""
    acted = [(step.before.actor, step.cause) for step in record.replay()]
    return next((actor for actor, cause in acted if cause), 0)


def asked_again(record: Record, seat: int, bot: HomeBot, cage: HomeCage, limits: Limits) -> Again:
    """Give the bot every view of ``seat``, in order and with the seed that it had, until it fails or does otherwise.

    Raises:
        RecordError: the record does not replay.
    """
    seed = int.from_bytes(block_seed(record.seed, "bot", seat)[:4])
    told = {
        "ruleset": record.ruleset,
        "options": dict(record.options),
        "players": record.players,
        "seat": seat,
        "seed": seed,
    }
    asked = at = 0
    try:
        box = cage.start(bot, told, seed, limits)
    except BotFault as fault:
        return Again(0, 0, SeatFault.of(fault, seat=seat, action_index=0, view=None))
    try:
        for before, action, _, cause in record.replay():
            if before.actor == seat:
                view = before.view(seat)
                asked += 1
                try:
                    answer = box.act(view).action
                except BotFault as fault:
                    return Again(asked, at, SeatFault.of(fault, seat=seat, action_index=at, view=view))
                if answer not in view["actions"]:
                    illegal = BotFault(Verdict.ILLEGAL_ACTION, f"{answer!r} is not legal")
                    return Again(asked, at, SeatFault.of(illegal, seat=seat, action_index=at, view=view))
                if cause or answer != action:  # a stand-in played what follows: there is nothing to compare
                    return Again(asked, at, None, action, answer, cause)
            at += before.actor != CHANCE
    finally:
        box.close()
    return Again(asked)
