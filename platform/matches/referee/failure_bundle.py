"""Failure bundles: files with which ``peck replay`` repeats the failure of a bot in a game.

A bundle is a zip that contains ``failure.json``. Its field ``table`` is what the bot was given at the start. ``limits``
are the limits of the match. ``turns`` are all views with the bot's answers. The bot failed at the last turn, or at the
start if there are no turns. ``fault`` describes how it failed.

Authors have stored files of format 1, so a change of the fields needs a new format. Format 2 has the same fields, but
is about a decision that was not a failure: the verdict of ``fault`` is "", and the last turn has an answer.
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
from games.untrusted import (
    JSON_BYTES,
    UntrustedError,
    untrusted_archive_open,
    untrusted_field,
    untrusted_items,
    untrusted_json_parse,
    untrusted_member_read,
)

FILE: Final = "failure.json"
FORMAT: Final = 1  # frozen: failure
DECISION_FORMAT: Final = 2  # frozen: decision


@dataclass(frozen=True, slots=True)
class Turn:
    """A ``view`` of a seat after ``at`` actions of all players, with its ``answer`` or with the verdict ``failed``."""

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
        """The position of the seat at the table, from 0."""
        position: int = self.table["seat"]
        return position


@dataclass(frozen=True, slots=True)
class FailureBundle:
    """A failure of a bot, or a decision that was not a failure. For a decision, the verdict of ``fault`` is "".

    ``match`` and ``game`` are numbers from 1. Match 0 is the check of an upload.
    """

    seat: RecordedSeat
    limits: Limits
    fault: Mapping[str, Any]
    match: int
    game: int


def failure_bundle_seat_of_view(view: Any, seed: int) -> RecordedSeat:
    """Return a seat with this view as its only turn. What the bot stored in earlier turns is not reproduced.

    Raises:
        ValueError: ``view`` is not a view.
    """
    if not isinstance(view, dict) or not isinstance(view.get("actions"), list):
        raise ValueError("a view is a JSON object with actions")
    names = {"ruleset": "game", "options": "options", "players": "players", "seat": "you"}
    return RecordedSeat({name: view.get(key) for name, key in names.items()} | {"seed": seed}, [Turn(view)])


def failure_bundle_seat_recorded(record: Record, seat: int) -> RecordedSeat:
    """Return a seat of a recorded game, with its turns up to the one at which its bot failed.

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
            if cause:  # from here on, the stand-in plays
                break
        at += before.actor != CHANCE
    return RecordedSeat(table | {"seed": seed}, turns)


def failure_bundle_seat_at_fault(record: Record) -> int:
    """Return the table position of the bot that failed first; 0 if none failed."""
    acted = [(step.before.actor, step.cause) for step in record.replay()]
    return next((actor for actor, cause in acted if cause), 0)


def failure_bundle_file(
    record: Record,
    seat: int,
    limits: Limits,
    fault: Mapping[str, Any],
    *,
    match: int,
    game: int,
    turns_most: int | None = None,
) -> bytes:
    """Return the bundle of a failure of ``seat``, a table position. ``fault`` has the fields of the fault as JSON.

    With ``turns_most``, return the bundle of a decision instead: the one of the seat with this number, counted from 1.
    The verdict of ``fault`` is then "".

    Raises:
        RecordError: the record does not replay.
    """
    recorded = failure_bundle_seat_recorded(record, seat)
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


def failure_bundle_is_one(path: Path) -> bool:
    """Return whether the file is a failure bundle rather than a bot."""
    try:
        if not path.is_file() or not is_zipfile(path):
            return False
        with untrusted_archive_open(path) as archive:
            return FILE in archive.namelist()
    except (OSError, UntrustedError):
        return False


def failure_bundle_read(path: Path) -> FailureBundle:
    """Read a bundle.

    Raises:
        UntrustedError: the file is not a bundle, or has another format.
        OSError: the file cannot be read.
    """
    with untrusted_archive_open(path) as archive:
        content = untrusted_json_parse(untrusted_member_read(archive, FILE, JSON_BYTES))
    if (form := untrusted_field(content, "format", int)) not in (FORMAT, DECISION_FORMAT):
        raise UntrustedError(f"a failure of format {form}: take the site's peck of today")
    table = untrusted_field(content, "table", dict)
    for name, kind in {"ruleset": str, "options": dict, "players": int, "seat": int, "seed": int}.items():
        untrusted_field(table, name, kind)
    fault = untrusted_field(content, "fault", dict)
    failed = untrusted_field(fault, "verdict", str)
    turns = []
    for one in untrusted_items(content, "turns", dict):
        view = untrusted_field(one, "view", dict)
        untrusted_items(view, "actions", str)
        turns.append(Turn(view, untrusted_field(one, "at", int), untrusted_field(one, "answer", str)))
    if (form == DECISION_FORMAT) != (failed == "") or (form == DECISION_FORMAT and not turns):
        raise UntrustedError("a decision has turns and no verdict, a failure has a verdict")
    if turns and failed:
        turns[-1] = Turn(turns[-1].view, turns[-1].at, "", failed)
    try:
        limits = Limits.from_dict(untrusted_field(content, "limits", dict))
    except (LimitError, TypeError) as error:
        raise UntrustedError(str(error)) from None
    return FailureBundle(
        RecordedSeat(table, turns),
        limits,
        fault,
        untrusted_field(content, "match", int),
        untrusted_field(content, "game", int),
    )
