"""One seat in one game: its caged bot plays, and after the bot's first fault the stand-in."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from games.explanation import MoveExplanation
from games.protocol import BotFault, BoxLost, Limits, Verdict
from games.state import IllegalAction, View
from games.table import Table
from matches.referee.bot_fault import ANSWER_KEPT, SeatFault, bot_fault_text_storable
from matches.referee.scoring import GameLog


class ReplyProtocol(Protocol):
    """A bot's action, what it printed since its last reply, the seconds charged, and its explanation of the action."""

    @property
    def action(self) -> str: ...
    @property
    def output(self) -> str: ...
    @property
    def cpu(self) -> float: ...
    @property
    def wall(self) -> float: ...
    @property
    def explanation(self) -> MoveExplanation | None: ...


class BoxProtocol(Protocol):
    """A bot in its cage (``sandbox.Box``), or in a process on its author's machine (``peck.cage.HomeBox``).

    ``is_act_idle`` is True if the bot has a class Bot, which is used, and also a function act, which is not used.
    """

    @property
    def cpu(self) -> float: ...
    @property
    def slept(self) -> float: ...
    @property
    def is_act_idle(self) -> bool: ...
    def act(self, view: View, /) -> ReplyProtocol: ...
    def finish(self, result: Mapping[str, Any], /) -> str: ...
    def close(self) -> None: ...


class CageProtocol(Protocol):
    """Starts bots: ``sandbox.Cage``, or ``peck.cage.HomeCage`` on an author's own machine."""

    def start(
        self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int, limits: Limits, /
    ) -> BoxProtocol: ...


class SeatPlayer:
    """Plays match seat ``seat`` in one game, whatever its bot does.

    ``fault`` is the bot's first fault, or None. ``cpu`` is the bot's total processor time in seconds. It is known only
    after ``close``, or after a failed start. ``log`` is what the bot's author may read about the game.
    """

    __slots__ = ("_box", "_limits", "_stand_in", "cpu", "fault", "log", "seat")

    def __init__(self, seat: int, limits: Limits, stand_in: Callable[[View], str]) -> None:
        self.seat = seat
        self.fault: SeatFault | None = None
        self.cpu = 0.0
        self.log = GameLog()
        self._limits = limits
        self._stand_in = stand_in
        self._box: BoxProtocol | None = None

    def start(self, cage: CageProtocol, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int) -> None:
        """Start the bot. A bot that does not start is at fault.

        Raises:
            PlatformFault: the cage broke.
        """
        try:
            self._box = cage.start(files, table, seed, self._limits)
        except BoxLost as lost:
            lost.seat = self.seat
            raise
        except BotFault as fault:
            self.cpu = fault.cpu
            self.log.prints(0, fault.output)
            self.fault = SeatFault.of(fault, seat=self.seat, action_index=0, view=None, printed=self.log.text)

    def act(self, table: Table, played: int) -> None:
        """Play one action at ``table``, after ``played`` others. If the bot is at fault, the stand-in plays it.

        Raises:
            PlatformFault: the cage broke.
        """
        view = table.view(table.actor)
        if self.fault is None:
            self._act(table, view, played)
        if self.fault is not None:
            table.play(self._stand_in(view), intervention=self.fault.verdict)

    def finish(self, result: Mapping[str, Any], played: int) -> None:
        """Send the ``result`` of the game to a bot without a fault. The game had ``played`` actions."""
        if self._box is not None and self.fault is None:
            self.log.prints(played, self._box.finish(result))

    def close(self) -> None:
        """End the bot's process. May be called more than once."""
        if self._box is not None:
            self._box.close()
            self.cpu = self._box.cpu
            self._box = None

    def _act(self, table: Table, view: View, played: int) -> None:
        assert self._box is not None, "a bot without a fault has been started"  # noqa: S101
        try:
            reply = self._box.act(view)
        except BoxLost as lost:
            lost.seat = self.seat
            raise
        except BotFault as fault:
            self.log.took(played, fault.cpu)
            self.log.prints(played, fault.output)
            self.fault = SeatFault.of(fault, seat=self.seat, action_index=played, view=view, printed=self.log.text)
            self.close()
            return
        self.log.took(played, reply.cpu)
        self.log.prints(played, reply.output)
        # A text above the limit is refused even if it is a legal action, so its length is checked first.
        if len(reply.action.encode("utf-8", "surrogatepass")) > self._limits.action_bytes:
            self._refuse(Verdict.OVERSIZE, reply, view, played, limit=self._limits.action_bytes)
            return
        try:
            table.play(reply.action)
        except IllegalAction as error:
            self._refuse(Verdict.ILLEGAL_ACTION, reply, view, played, detail=str(error))
            return
        if reply.explanation is not None:
            self.log.explains(played, reply.explanation)

    def _refuse(
        self,
        verdict: Verdict,
        reply: ReplyProtocol,
        view: View,
        played: int,
        *,
        detail: str = "",
        limit: int | None = None,
    ) -> None:
        self.fault = SeatFault(
            seat=self.seat,
            verdict=verdict,
            action_index=played,
            view=view,
            detail=bot_fault_text_storable(detail, len(detail)),
            answer=bot_fault_text_storable(reply.action, ANSWER_KEPT),
            output=self.log.text,
            cpu=reply.cpu,
            wall=reply.wall,
            limit=limit,
        )
        self.close()
