"""Drills: files with the positions at which the decisions of a bot cost most. A value of the game gives the costs.

The first line of a file is a JSON object about the bot and its games. Each further line is a position, the costliest
first; see docs/how-to/drill.md. Equal records give equal files.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from games.record import Record, RecordError
from games.untrusted import (
    JSON_BYTES,
    UntrustedError,
    untrusted_field,
    untrusted_file_read,
    untrusted_items,
    untrusted_json_parse,
)
from luck import UNIT, Decision, GameAccount, luck_analyse
from matches.referee.failure_bundle import RecordedSeat, Turn, failure_bundle_seat_recorded

FORMAT: Final = 1  # frozen: drill
MOST: Final = 50  # positions in a drill, by default


class Costly(NamedTuple):
    """A decision of ``seat``. ``number`` counts the decisions of the seat in the game from 1."""

    game: str
    record: bytes
    seat: int
    number: int
    decision: Decision


class LookedAt(NamedTuple):
    """The costs of the decisions in one game.

    ``value`` is the id of the value that was used, or "" if the game has no analysis.
    """

    ruleset: str
    value: str
    decisions: int
    lost: int
    costly: list[Costly]


@dataclass(frozen=True, slots=True)
class Position:
    """A decision to be made again. ``options`` has the value of each action, in 1e-9 shares of opponents beaten."""

    game: str
    record: bytes
    seat: int
    number: int
    view: Mapping[str, Any]
    action: str
    options: Mapping[str, int]

    @property
    def best(self) -> str:
        """The action with the highest value; the first if there are several."""
        return max(self.options, key=lambda action: self.options[action])

    @property
    def name(self) -> str:
        """The name of the position: the game, and the number of the decision."""
        return f"{self.game}, decision {self.number}"

    def lost(self, action: str) -> int:
        """Return the difference between the values of the best action and ``action``, in 1e-9 shares."""
        return self.options[self.best] - self.options[action]

    def recorded_seat(self, *, history: bool) -> RecordedSeat:
        """Return the seat with this position as its last turn. With ``history``, its earlier turns come first.

        Raises:
            RecordError: the record does not replay, or the seat has no such decision.
        """
        record = Record.decode(self.record)
        if self.seat not in range(record.players):
            raise RecordError("seat", f"it has no seat {self.seat}")
        recorded = failure_bundle_seat_recorded(record, self.seat)
        if self.number > len(recorded.turns):
            raise RecordError("seat", f"it has no decision {self.number}")
        before = recorded.turns[: self.number - 1] if history else ()
        return RecordedSeat(recorded.table, [*before, Turn(self.view)])

    def to_dict(self) -> dict[str, Any]:
        """Return the position as JSON."""
        return {
            "game": self.game,
            "seat": self.seat,
            "number": self.number,
            "action": self.action,
            "lost": self.lost(self.action),
            "options": dict(self.options),
            "view": self.view,
            "record": b64encode(self.record).decode("ascii"),
        }


@dataclass(frozen=True, slots=True)
class Drill:
    """The costliest positions of ``bot``.

    ``decisions`` and ``lost`` are the totals of all ``games`` of the drill. ``lost`` is in 1e-9 shares.
    """

    ruleset: str
    value: str
    bot: str
    games: int
    decisions: int
    lost: int
    positions: tuple[Position, ...]

    @property
    def held(self) -> float:
        """The part of ``lost`` that these positions have, from 0 to 1."""
        return sum(one.lost(one.action) for one in self.positions) / self.lost if self.lost else 0.0

    def encode(self) -> str:
        """Return the text of the file."""
        head = {"format": FORMAT} | {name: getattr(self, name) for name in ("ruleset", "value", "bot")}
        head |= {"games": self.games, "decisions": self.decisions, "lost": self.lost}
        lines = (head, *(one.to_dict() for one in self.positions))
        return "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in lines)

    @classmethod
    def read(cls, path: Path) -> "Drill":
        """Read a file of positions. Safe for hostile bytes.

        Raises:
            UntrustedError: the file is not a drill, or has another format.
            OSError: the file cannot be read.
        """
        first, *lines = map(untrusted_json_parse, untrusted_file_read(path, JSON_BYTES).splitlines() or [b"{}"])
        if untrusted_field(first, "format", int) != FORMAT:
            raise UntrustedError(f"positions of format {first['format']}: make the file again")
        ruleset, value, bot = (untrusted_field(first, name, str) for name in ("ruleset", "value", "bot"))
        games, decisions, lost = (untrusted_field(first, name, int) for name in ("games", "decisions", "lost"))
        return cls(ruleset, value, bot, games, decisions, lost, tuple(map(_position, lines)))


def costly_positions_of_game(name: str, data: bytes, record: Record, seats: Sequence[int], value: str = "") -> LookedAt:
    """Return the costs of the decisions of ``seats`` in the game ``name``. ``seats`` are table positions.

    ``data`` is the encoded ``record``. ``value`` is the id of the value to use, by default the newest of the game.

    Raises:
        RecordError: the record does not replay.
    """
    account = luck_analyse(record, value)
    if not isinstance(account, GameAccount):
        return LookedAt(record.ruleset, "", 0, 0, [])
    costly: list[Costly] = []
    counted = lost = 0
    for seat in seats:
        own = [one for one in account.decisions if one.seat == seat and not one.stand_in]
        counted, lost = counted + len(own), lost + sum(one.lost for one in own)
        costly += [Costly(name, data, seat, number, one) for number, one in enumerate(own, 1) if one.lost]
    return LookedAt(record.ruleset, account.value, counted, lost, costly)


def costly_positions_drill(bot: str, games: Iterable[LookedAt], most: int = MOST, *, least: int = 1) -> Drill:
    """Return the ``most`` costliest positions of ``games``, which must all have the same ruleset.

    Positions that lost less than ``least``, in 1e-9 shares, are left out. If several positions have equal views, only
    one is included. Positions with equal costs keep their order.
    """
    known = [one for one in games if one.value]
    lost = (each for one in known for each in one.costly if each.decision.lost >= least)
    costly = sorted(lost, key=lambda each: -each.decision.lost)
    return Drill(
        known[0].ruleset if known else "",
        known[0].value if known else "",
        bot,
        len(known),
        sum(one.decisions for one in known),
        sum(one.lost for one in known),
        tuple(_distinct(costly, most)),
    )


def _distinct(costly: Iterable[Costly], most: int) -> Iterator[Position]:
    seen: set[str] = set()
    for one in costly:
        if len(seen) == most:
            return
        view = failure_bundle_seat_recorded(Record.decode(one.record), one.seat).turns[one.number - 1].view
        if (text := json.dumps(view, sort_keys=True)) not in seen:
            seen.add(text)
            options = {each.action: each.value for each in one.decision.options}
            yield Position(one.game, one.record, one.seat, one.number, view, one.decision.action, options)


def _position(line: Any) -> Position:
    view, options = untrusted_field(line, "view", dict), untrusted_field(line, "options", dict)
    values = {action: untrusted_field(options, action, int) for action in options}
    actions = untrusted_items(view, "actions", str)
    action = untrusted_field(line, "action", str)
    if not values or set(actions) != set(values) or action not in values:
        raise UntrustedError("a position whose options are not the actions of its view")
    if any(not 0 <= value <= UNIT for value in values.values()):
        raise UntrustedError("a position with a value that is no share")
    number = untrusted_field(line, "number", int)
    if number < 1:
        raise UntrustedError(f"a position with the number {number}")
    try:
        record = b64decode(untrusted_field(line, "record", str), validate=True)
    except ValueError:
        raise UntrustedError("a position whose record is not in base 64") from None
    return Position(
        untrusted_field(line, "game", str), record, untrusted_field(line, "seat", int), number, view, action, values
    )
