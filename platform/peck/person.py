"""A table with a person at one seat and bots at the others."""

import json
from typing import Any

from games.dealer import block_seed
from games.game import HouseBot
from games.house import stand_in
from games.table import Table
from luck import analyse
from matches.referee.seat_player import CageProtocol, SeatPlayer
from matches.referee.series import MatchSpec, bot_table
from matches.replay.frame_encoding import FrameEncoder
from peck.hints import Adviser, Ask


class PersonsTable:
    """One game of ``order``, in which the entrant at position ``seat`` is a person; the others are bots.

    A bot that fails is replaced by the stand-in for the rest of the game, as in every game.
    """

    def __init__(self, order: MatchSpec, cage: CageProtocol, seat: int) -> None:
        players = len(order.entrants)
        if seat not in range(players):
            raise ValueError(f"there is no seat {seat} at a table of {players}")
        seed = block_seed(order.secret, 0)
        self._table = Table(order.ruleset, players, order.options, seed)
        self._seat = seat
        self._played = 0
        self._encoder = FrameEncoder(0, order.ruleset.id, players, order.options, seed)
        self._bots: dict[int, SeatPlayer] = {}
        self._cage = cage
        self._limits = order.limits
        self._views: list[dict[str, Any]] = []  # the person's, up to the one that is to be answered
        self._adviser = Adviser(self._table, seat, self._advising)
        for position in sorted(set(range(players)) - {seat}):
            bot = SeatPlayer(position, order.limits, stand_in(order.ruleset.name))
            bot.start(cage, order.entrants[position], *bot_table(self._table, position))
            self._bots[position] = bot
        self._go_on()

    def act(self, action: str) -> None:
        """Play the person's action, and the bots' up to the person's next.

        Raises:
            IllegalAction: it is not one of those that are legal now.
        """
        self._table.play(action)
        self._played += 1
        self._go_on()

    def hint(self) -> dict[str, Any]:
        """Return what would be best now, see ``Adviser.hint``.

        Raises:
            LookupError: the game is over.
        """
        if self._table.over:
            raise LookupError("the game is over")
        return self._adviser.hint(self._views)

    def review(self) -> dict[str, Any]:
        """Return what luck and decisions were worth, see ``luck.analyse``.

        Raises:
            LookupError: the game goes on: what is hidden from the person would be told.
        """
        if not self._table.over:
            raise LookupError("the game is not over")
        return analyse(self._table.record()).to_dict()

    def told(self) -> dict[str, Any]:
        """Return the new frames, and what the person may do; in the frames, once it is over, how it ended."""
        table = self._table
        outcome = table.outcome
        record = table.record()
        end = outcome and {"places": outcome.places, "reason": outcome.reason, "tie_break": outcome.tie_break}
        frames = self._encoder.extend(record.actions, record.interventions)
        view = None if outcome else table.view(self._seat)
        return {
            "frames": json.loads(frames.json(**({"end": end} if end else {}))),
            "actions": [] if view is None else list(view["actions"]),
            "view": view,
            "over": outcome is not None,
            "faults": [
                {"seat": position, "verdict": bot.fault.verdict.value}
                for position, bot in self._bots.items()
                if bot.fault
            ],
        }

    def _go_on(self) -> None:
        table = self._table
        while not table.over and table.actor != self._seat:
            self._bots[table.actor].act(table, self._played)
            self._played += 1
        if not table.over:
            self._views.append(table.view(self._seat))
        else:
            for bot in self._bots.values():
                bot.close()

    def _advising(self, bot: HouseBot) -> Ask:
        told, seed = bot_table(self._table, self._seat)
        box = self._cage.start({"bot.py": bot.source()}, told, seed, self._limits)
        return lambda view: box.act(view).action
