"""A table with a person at one seat and bots at all others, with hints for the person.

A hint uses only what the person's seat may see. In games without hidden information, it follows from the value of
positions. In other games, a house bot gets the views of that seat, and its action is the hint.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.catalogue import GAMES, catalogue_stand_in
from games.dealer import block_seed
from games.game import HouseBot
from games.protocol import BotFault
from games.table import Table
from luck import luck_analyse, luck_value_of
from luck.analysis import luck_values_known
from luck.judge import Judge
from luck.shares import UNIT
from matches.referee.match_series import MatchSpec
from matches.referee.seat_player import CageProtocol, SeatPlayer
from matches.replay.frame_encoding import FrameEncoder

Act = Callable[[Mapping[str, Any]], str]  # a bot's function from a view to an action


def person_table_opponent_plays_here(bot: HouseBot) -> bool:
    """Return whether the bot needs only Python."""
    return not bot.needs_numpy


def person_table_best_opponent(game: str) -> HouseBot:
    """Return the strongest house bot of ``game`` that needs only Python. House bots are listed weakest first."""
    return [bot for bot in GAMES[game].house_bots if person_table_opponent_plays_here(bot)][-1]


class Adviser:
    """Gives hints to one seat of ``table``. ``start`` starts a house bot for that seat."""

    def __init__(self, table: Table, seat: int, start: Callable[[HouseBot], Act]) -> None:
        self._table = table
        self._seat = seat
        self._start = start
        self._judge = _judge_of(table)
        self._act: Act | None = None
        self._views_given = 0

    def hint(self, views: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the best action at the last of ``views``, which are all views of the seat so far.

        If ``kind`` is "value", ``options`` are the actions, best first, with what each is worth in 1e-9 shares, and
        ``value`` is the id of the value of positions. If ``kind`` is "bot", ``action`` is the action of the house bot
        ``bot``, or None if the house bot failed.
        """
        if self._judge is not None:
            kind, options = self._judge.choice(self._table.state)
            dicts = [one.to_dict() for one in options]
            return {
                "kind": "value",
                "value": luck_value_of(self._table.ruleset.id),
                "decision": kind,
                "action": dicts[0]["action"],
                "options": dicts,
                "unit": UNIT,
            }
        bot = person_table_best_opponent(self._table.ruleset.name)
        action = None
        try:
            self._act = self._act or self._start(bot)
            for view in views[self._views_given :]:  # the bot may remember earlier views
                action = self._act(view)
                self._views_given += 1
        except BotFault:
            self._act, self._views_given, action = None, 0, None
        legal = action in self._table.state.actions()
        return {"kind": "bot", "bot": bot.title, "action": action if legal else None}


def _judge_of(table: Table) -> Judge | None:
    known = luck_values_known().get(luck_value_of(table.ruleset.id))
    return known.judge() if known and not known.value.covers(table.players, table.options) else None


class PersonsTable:
    """A game of ``spec`` in which a person plays position ``seat``; bots play all other positions.

    A bot that fails is replaced by the stand-in for the rest of the game.
    """

    def __init__(self, spec: MatchSpec, cage: CageProtocol, seat: int) -> None:
        players = len(spec.entrants)
        if seat not in range(players):
            raise ValueError(f"there is no seat {seat} at a table of {players}")
        seed = block_seed(spec.secret, 0)
        self._table = Table(spec.ruleset, players, spec.options, seed)
        self._seat = seat
        self._played = 0
        self._encoder = FrameEncoder(0, spec.ruleset.id, players, spec.options, seed)
        self._bots: dict[int, SeatPlayer] = {}
        self._cage = cage
        self._limits = spec.limits
        self._views: list[dict[str, Any]] = []  # the person's views up to now; the person must answer the last one
        self._adviser = Adviser(self._table, seat, self._start_adviser)
        for position in sorted(set(range(players)) - {seat}):
            bot = SeatPlayer(position, spec.limits, catalogue_stand_in(spec.ruleset.name))
            facts = self._table.facts(position)
            bot.start(cage, spec.entrants[position], facts, facts["seed"])
            self._bots[position] = bot
        self._play_bots()

    def act(self, action: str) -> None:
        """Play the person's action, and the bots' actions up to the person's next one.

        Raises:
            IllegalAction: the action is not legal now.
        """
        self._table.play(action)
        self._played += 1
        self._play_bots()

    def hint(self) -> dict[str, Any]:
        """Return the best action now, see ``Adviser.hint``.

        Raises:
            LookupError: the game is over.
        """
        if self._table.over:
            raise LookupError("the game is over")
        return self._adviser.hint(self._views)

    def review(self) -> dict[str, Any]:
        """Return the luck analysis of the game, see ``luck.luck_analyse``.

        Raises:
            LookupError: the game is not over, so an analysis would reveal hidden information.
        """
        if not self._table.over:
            raise LookupError("the game is not over")
        return luck_analyse(self._table.record()).to_dict()

    def message(self) -> dict[str, Any]:
        """Return the new frames and the person's actions; after the end, the frames also have the result."""
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

    def _play_bots(self) -> None:
        table = self._table
        while not table.over and table.actor != self._seat:
            self._bots[table.actor].act(table, self._played)
            self._played += 1
        if not table.over:
            self._views.append(table.view(self._seat))
        else:
            for bot in self._bots.values():
                bot.close()

    def _start_adviser(self, bot: HouseBot) -> Act:
        facts = self._table.facts(self._seat)
        box = self._cage.start({"bot.py": bot.source()}, facts, facts["seed"], self._limits)
        return lambda view: box.act(view).action
