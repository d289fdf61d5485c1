"""What a person at a table may ask: what is best now, and afterwards what luck and each decision were worth.

A hint rests on what the person's seat may see: a value is asked only in games whose states hide nothing from anyone,
and elsewhere a house bot is, with the views of that seat.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.catalogue import GAMES
from games.game import HouseBot
from games.protocol import BotFault
from games.table import Table
from luck import value_of
from luck.analysis import VALUES
from luck.judge import Judge
from luck.shares import UNIT

Ask = Callable[[Mapping[str, Any]], str]  # a bot: its answer to a view


def plays_here(bot: HouseBot) -> bool:
    """Tell whether the bot needs nothing but Python."""
    return not bot.needs_numpy


def best_here(game: str) -> HouseBot:
    """Return the strongest house bot of ``game`` that needs nothing but Python: they are listed from the weakest on."""
    return [bot for bot in GAMES[game].house_bots if plays_here(bot)][-1]


class Adviser:
    """Tells one seat of ``table`` what it would do. ``start`` starts a house bot in that seat."""

    def __init__(self, table: Table, seat: int, start: Callable[[HouseBot], Ask]) -> None:
        self._table = table
        self._seat = seat
        self._start = start
        self._judge = _judge_of(table)
        self._ask: Ask | None = None
        self._fed = 0

    def hint(self, views: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return what is best at the last of ``views``, all that the seat was asked about so far.

        ``kind`` "value": ``options`` are the actions, the best first, each with its value in 1e-9 shares; ``value`` is
        whose it is. "bot": ``action`` is what ``bot`` would do, None if it fails.
        """
        if self._judge is not None:
            kind, options = self._judge.choice(self._table.state)
            dicts = [one.to_dict() for one in options]
            return {
                "kind": "value",
                "value": value_of(self._table.ruleset.id),
                "decision": kind,
                "action": dicts[0]["action"],
                "options": dicts,
                "unit": UNIT,
            }
        bot = best_here(self._table.ruleset.name)
        action = None
        try:
            self._ask = self._ask or self._start(bot)
            for view in views[self._fed :]:  # it may go by what it saw before
                action = self._ask(view)
                self._fed += 1
        except BotFault:
            self._ask, self._fed, action = None, 0, None
        legal = action in self._table.state.actions()
        return {"kind": "bot", "bot": bot.title, "action": action if legal else None}


def _judge_of(table: Table) -> Judge | None:
    known = VALUES.get(value_of(table.ruleset.id))
    return known.judge() if known and not known.value.covers(table.players, table.options) else None
