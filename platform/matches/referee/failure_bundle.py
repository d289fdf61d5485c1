"""A failure as a file for ``peck replay``: a zip with ``failure.json``, all that a bot was given in a game up to there.

``table`` is what the bot was given at the start, ``limits`` those of the match, ``turns`` every view with the answer
to it; at the last one it failed, or at the start where there is none. ``fault`` says how. Files of format 1 lie on
authors' disks: a change of their fields needs another format. Format 2 is the same up to a decision that was none: its
verdict is "", and its last turn has an answer.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo, is_zipfile

from games.dealer import block_seed
from games.protocol import LimitError, Limits
from games.record import Record
from games.state import CHANCE
from games.untrusted import JSON_BYTES, UntrustedError, field, items, open_archive, parse_json, read_member

FILE: Final = "failure.json"
FORMAT: Final = 1  # frozen: failure
DECISION_FORMAT: Final = 2  # frozen: decision


@dataclass(frozen=True, slots=True)
class Turn:
    """What a seat was shown after ``at`` actions of all players, and what it answered; or the verdict it got there."""

    view: Mapping[str, Any]
    at: int = 0
    answer: str = ""
    failed: str = ""


@dataclass(frozen=True, slots=True)
class RecordedSeat:
    """A seat in a recorded game: what its bot was given at the start, and its turns."""

    table: Mapping[str, Any]
    turns: Sequence[Turn]

    @property
    def position(self) -> int:
        """Its position at the table, from 0."""
        position: int = self.table["seat"]
        return position


@dataclass(frozen=True, slots=True)
class FailureBundle:
    """A failure, or a decision, whose verdict is "": ``match`` and ``game`` are where it happened, counted from 1;
    match 0 is the check of an upload.
    """

    seat: RecordedSeat
    limits: Limits
    fault: Mapping[str, Any]
    match: int
    game: int


def seat_of_view(view: Any, seed: int) -> RecordedSeat:
    """Return a seat with this view as its only turn; what the bot remembered of earlier turns is lost.

    Raises:
        ValueError: it is no view.
    """
    if not isinstance(view, dict) or not isinstance(view.get("actions"), list):
        raise ValueError("a view is a JSON object with actions")
    names = {"ruleset": "game", "options": "options", "players": "players", "seat": "you"}
    return RecordedSeat({name: view.get(key) for name, key in names.items()} | {"seed": seed}, [Turn(view)])


def recorded_seat(record: Record, seat: int) -> RecordedSeat:
    """Return a seat of a recorded game, up to where its bot failed.

    Raises:
        RecordError: the record does not replay.
    """
    seed = int.from_bytes(block_seed(record.seed, "bot", seat)[:4])
    table = {"ruleset": record.ruleset, "options": dict(record.options), "players": record.players, "seat": seat}
    turns: list[Turn] = []
    at = 0
    for before, action, _, cause in record.replay():
        if before.actor == seat:
            turns.append(Turn(before.view(seat), at, "" if cause else action, cause))
            if cause:  # a stand-in plays what follows
                break
        at += before.actor != CHANCE
    return RecordedSeat(table | {"seed": seed}, turns)


def seat_at_fault(record: Record) -> int:
    """Return the seat at the table whose bot failed first; 0 if none did."""
    acted = [(step.before.actor, step.cause) for step in record.replay()]
    return next((actor for actor, cause in acted if cause), 0)


def bundle_file(
    record: Record,
    seat: int,
    limits: Limits,
    fault: Mapping[str, Any],
    *,
    match: int,
    game: int,
    turns_most: int | None = None,
) -> bytes:
    """Return the bundle of the failure of ``seat`` at the table. ``fault``: its fields, JSON. With ``turns_most`` that
    of its decision with this number, from 1; the verdict of ``fault`` is "" then.

    Raises:
        RecordError: the record does not replay.
    """
    recorded = recorded_seat(record, seat)
    turns = [] if fault["view"] is None else recorded.turns[:turns_most]
    content = {
        "format": FORMAT if fault["verdict"] else DECISION_FORMAT,
        "match": match,
        "game": game,
        "table": recorded.table,
        "limits": limits.to_dict(),
        "turns": [{"at": turn.at, "view": turn.view, "answer": turn.answer} for turn in turns],
        "fault": {name: value for name, value in fault.items() if name != "view"},
    }
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        archive.writestr(ZipInfo(FILE), json.dumps(content, indent=1, ensure_ascii=False), ZIP_DEFLATED)
    return buffer.getvalue()


def is_bundle(path: Path) -> bool:
    """Return whether the file is a failure rather than a bot."""
    try:
        if not path.is_file() or not is_zipfile(path):
            return False
        with open_archive(path) as archive:
            return FILE in archive.namelist()
    except (OSError, UntrustedError):
        return False


def bundle_read(path: Path) -> FailureBundle:
    """Read a bundle.

    Raises:
        UntrustedError: it is not a bundle, or of another format.
        OSError: it cannot be read.
    """
    with open_archive(path) as archive:
        content = parse_json(read_member(archive, FILE, JSON_BYTES))
    if (form := field(content, "format", int)) not in (FORMAT, DECISION_FORMAT):
        raise UntrustedError(f"a failure of format {form}: take the site's peck of today")
    table = field(content, "table", dict)
    for name, kind in {"ruleset": str, "options": dict, "players": int, "seat": int, "seed": int}.items():
        field(table, name, kind)
    fault = field(content, "fault", dict)
    failed = field(fault, "verdict", str)
    turns = []
    for one in items(content, "turns", dict):
        view = field(one, "view", dict)
        items(view, "actions", str)
        turns.append(Turn(view, field(one, "at", int), field(one, "answer", str)))
    if (form == DECISION_FORMAT) != (failed == "") or (form == DECISION_FORMAT and not turns):
        raise UntrustedError("a decision has turns and no verdict, a failure has a verdict")
    if turns and failed:
        turns[-1] = Turn(turns[-1].view, turns[-1].at, "", failed)
    try:
        limits = Limits.from_dict(field(content, "limits", dict))
    except (LimitError, TypeError) as error:
        raise UntrustedError(str(error)) from None
    return FailureBundle(
        RecordedSeat(table, turns), limits, fault, field(content, "match", int), field(content, "game", int)
    )
