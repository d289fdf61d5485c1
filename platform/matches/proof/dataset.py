"""The format of a data set (the games of an event and their decisions), and its verification by replaying the games.

A data set has three files for programs:

- ``dataset.json``: ``format``, ``name``, ``licence`` and the number of ``games``. Games that could not be replayed are
  left out: ``left_out_games`` is their number, and ``left_out`` has the first of them.

- ``games.jsonl``: one game per line.

- ``decisions.jsonl``: one action of a seat per line, in the order of play.

The other files are for people.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, combinations
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

from games.record import Intervention, Record
from games.state import CHANCE, Outcome
from games.untrusted import (
    JSON_BYTES,
    UntrustedError,
    untrusted_archive_open,
    untrusted_json_parse,
    untrusted_lines_read,
    untrusted_member_read,
)
from matches.proof.chain import OPTIONAL, Fields, ProofError, chain_fields_read
from matches.referee.scoring import scoring_by_seat, scoring_places_after_forfeits

FORMAT: Final = "pecking-order-dataset/2"  # frozen: dataset
FIRST_FORMAT: Final = "pecking-order-dataset/1"  # frozen: first dataset; without left-out games and rulings
INDEX, GAMES, DECISIONS = ("dataset.json", "games.jsonl", "decisions.jsonl")
DATASET_BYTES: Final = 2**34  # all files, uncompressed
PACKED_BYTES: Final = 2**30
LEFT_OUT_LISTED: Final = 1000  # games
SCORE_MOST: Final = 1_000_000
COUNTS: Final = "replace"
# Kinds of rulings on a match. A match with a ruling counts only if the ruling is of the last kind.
RULINGS: Final = ("void", "replay", "superseded", COUNTS)
GAME: Final[Fields] = {
    "game": int,
    "match": int,
    "round": int,
    "table": int,
    "index": int,
    "ruleset": str,
    "code": str,
    "players": int,
    "options": dict,
    "seed": str,
    "actions": list,
    "interventions": list,
    "digest": str,
    "record": str,
    "bots": list,
    "points": list,
    "places": list,
    "reason": str,
    "tie_break": str,
    "ruled": (dict, OPTIONAL),
}
ENDED: Final = ("game", "points", "reason", "tie_break")
_INTERVENTION: Final[Fields] = {"at": int, "seat": int, "cause": str}
_RULED: Final[Fields] = {"kind": str, "scores": (list, OPTIONAL)}
_LEFT_OUT: Final[Fields] = {"match": int, "index": int, "reason": str}
_INDEX: Final[Fields] = {
    "format": str,
    "name": str,
    "licence": str,
    "games": int,
    "left_out_games": int,
    "left_out": list,
    "site": (str, OPTIONAL),
}


_NOT_IN_FIRST: Final[Mapping[str, Any]] = {"left_out_games": 0, "left_out": [], "ruled": None}


@dataclass(frozen=True, slots=True)
class DatasetProved:
    """The contents of a verified data set."""

    name: str
    licence: str
    games: int
    decisions: int
    left_out: int


def proof_dataset_record_fields(record: Record, data: bytes) -> dict[str, Any]:
    """Return the fields of a game's row that come from its record.

    ``data`` is the encoded record. The field ``record`` is the SHA-256 of ``data``, as in the proof.
    """
    return {
        "ruleset": record.ruleset,
        "players": record.players,
        "options": dict(record.options),
        "seed": record.seed.hex(),
        "actions": list(record.actions),
        "interventions": [one._asdict() for one in record.interventions],
        "digest": record.digest.hex(),
        "record": sha256(data).hexdigest(),
    }


def proof_dataset_decisions(game: int, record: Record) -> Iterator[dict[str, Any]]:
    """Yield the decisions in a game: the seat's view with the legal actions, and the action.

    If a house bot decided in place of the bot, ``stood_in`` is the verdict on the bot.

    Raises:
        RecordError: see ``Record.replay``.
    """
    number = 0
    for step in record.replay():
        seat = step.before.actor
        if seat != CHANCE:
            view = step.before.view(seat)
            yield {
                "game": game,
                "number": number,
                "seat": seat,
                "view": view,
                "action": step.action,
                "stood_in": step.cause,
            }
            number += 1


def proof_dataset_line_of(row: Mapping[str, Any]) -> bytes:
    """Return a row as a line of JSON."""
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def proof_dataset_is_one(path: Path) -> bool:
    """Return whether a zip archive has the index of a data set.

    Raises:
        UntrustedError, OSError: the archive cannot be read.
    """
    with untrusted_archive_open(path, PACKED_BYTES, DATASET_BYTES) as archive:
        return INDEX in archive.namelist()


def dataset_prove(path: Path) -> DatasetProved:
    """Verify a data set: replay every game, and compare results, digests and decisions.

    Fields about matches and bots can be verified only with the proof of the event.

    Raises:
        ProofError, RecordError: something is wrong.
        UntrustedError, OSError: the archive cannot be read.
    """
    with untrusted_archive_open(path, PACKED_BYTES, DATASET_BYTES) as archive:
        content = untrusted_json_parse(untrusted_member_read(archive, INDEX, JSON_BYTES))
        is_first = isinstance(content, dict) and content.get("format") == FIRST_FORMAT
        index = _read(content, _INDEX, INDEX, is_first=is_first)
        if index["format"] not in (FORMAT, FIRST_FORMAT):
            raise ProofError(f"{INDEX}: not of the format {FORMAT}")
        listed = [chain_fields_read(one, _LEFT_OUT, f"{INDEX}: a game left out") for one in index["left_out"]]
        absent = {(one["match"], one["index"]) for one in listed}
        if len(absent) != min(index["left_out_games"], LEFT_OUT_LISTED) or len(absent) < len(listed):
            raise ProofError(f"{INDEX}: the listed games are not the {index['left_out_games']} that are left out")
        games, decisions = _played(archive, absent, is_first=is_first)
    if games != index["games"]:
        raise ProofError(f"{INDEX} says that there are {index['games']} games, and there are {games}")
    return DatasetProved(index["name"], index["licence"], games, decisions, index["left_out_games"])


def _read(content: object, fields: Fields, what: str, *, is_first: bool) -> dict[str, Any]:
    """Return ``content`` with the fields of this format. For the first format, later fields get defaults."""
    if not is_first:
        return chain_fields_read(content, fields, what)
    added = {name: value for name, value in _NOT_IN_FIRST.items() if name in fields}
    return chain_fields_read(content, {name: kind for name, kind in fields.items() if name not in added}, what) | added


def _played(archive: ZipFile, absent: Collection[tuple[int, int]], *, is_first: bool) -> tuple[int, int]:
    rulings = _Rulings()
    lines = untrusted_lines_read(archive, DECISIONS, JSON_BYTES, DATASET_BYTES)
    games = decisions = 0
    for games, line in enumerate(untrusted_lines_read(archive, GAMES, JSON_BYTES, DATASET_BYTES), start=1):
        what = f"{GAMES}, line {games}"
        found = _read(untrusted_json_parse(line), GAME, what, is_first=is_first)
        if (found["match"], found["index"]) in absent:
            raise ProofError(f"{what}: {INDEX} says that this game is left out")
        record = _record(found, what)
        outcome = record.verify()
        rulings.read(found, what)
        if sha256(record.encode()).hexdigest() != found["record"]:
            raise ProofError(f"{what}: the record has another SHA-256")
        acted: set[int] = set()
        for decision in proof_dataset_decisions(games, record):
            decisions += 1
            acted.add(decision["seat"])
            if next(lines, b"") + b"\n" != proof_dataset_line_of(decision):
                raise ProofError(f"{DECISIONS}, line {decisions}: differs from the record of game {games}")
        ended = (games, list(outcome.points), outcome.reason, outcome.tie_break)
        if ended != tuple(found[name] for name in ENDED) or not dataset_places_follow(
            found["places"], outcome, record, acted
        ):
            raise ProofError(f"{what}: the result differs from that of the record")
    if next(lines, None) is not None:
        raise ProofError(f"{DECISIONS} has lines after the last game")
    return games, decisions


class _Rulings:
    """Checks the rulings. The games of a match are consecutive, and must all have the same ruling."""

    def __init__(self) -> None:
        self._match: int | None = None
        self._last: object = None

    def read(self, found: Mapping[str, Any], what: str) -> None:
        record = self._checked(found, what)
        if found["match"] == self._match and record != self._last:
            raise ProofError(f"{what}: the ruling differs from that in the previous game of the match")
        self._match, self._last = found["match"], record

    def _checked(self, found: Mapping[str, Any], what: str) -> object:
        if found["ruled"] is None:
            return None
        ruled = chain_fields_read(found["ruled"], _RULED, f"{what}: ruled")
        kind, scores = ruled["kind"], ruled["scores"]
        if kind not in RULINGS:
            raise ProofError(f"{what}: a ruling of an unknown kind")
        if (scores is not None) != (kind == COUNTS):
            raise ProofError(f"{what}: the scores do not fit the kind of ruling")
        if scores is None:
            return kind
        if len(scores) != found["players"] or not all(_is_score(one) for one in scores):
            raise ProofError(f"{what}: a ruling with invalid scores")
        return kind, scoring_by_seat(scores, found["index"])


def _is_score(score: object) -> bool:
    return isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= SCORE_MOST


def dataset_places_follow(places: Sequence[object], outcome: Outcome, record: Record, acted: Collection[int]) -> bool:
    """Return whether ``places`` follow from the outcome. Seats at fault share the last place.

    Seats with a stand-in were at fault. Seats that never acted may have been at fault: a bot may have failed to start.
    """
    faulty = {one.seat for one in record.interventions}
    idle = [seat for seat in range(record.players) if seat not in acted]
    failed = chain.from_iterable(combinations(idle, count) for count in range(len(idle) + 1))
    return any(
        list(places) == list(scoring_places_after_forfeits(outcome.places, faulty.union(more))) for more in failed
    )


def _record(found: Mapping[str, Any], what: str) -> Record:
    held = [chain_fields_read(one, _INTERVENTION, f"{what}: an intervention") for one in found["interventions"]]
    if not all(isinstance(action, str) for action in found["actions"]):
        raise ProofError(f"{what}: an action that is not a text")
    try:
        seed, digest = bytes.fromhex(found["seed"]), bytes.fromhex(found["digest"])
    except ValueError:
        raise UntrustedError(f"{what}: not hexadecimal") from None
    return Record(
        found["ruleset"],
        found["players"],
        found["options"],
        seed,
        tuple(found["actions"]),
        tuple(Intervention(**one) for one in held),
        digest,
    )
