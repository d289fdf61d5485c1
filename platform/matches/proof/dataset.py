"""A data set of an event: its games and the decisions in them, one a line, and whether they play again as they say.

``dataset.json``: ``format``, ``name``, ``licence``, and how many ``games`` there are. ``games.jsonl``: a game a line.
``decisions.jsonl``: an action of a seat a line, game by game, in the order in which they were played. What else is in
the archive is for people.
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
from games.untrusted import JSON_BYTES, UntrustedError, open_archive, parse_json, read_lines, read_member
from matches.proof.reading import OPTIONAL, Fields, ProofError, read
from matches.referee.scoring import places_after_forfeits

FORMAT: Final = "pecking-order-dataset/1"  # frozen: dataset
INDEX, GAMES, DECISIONS = ("dataset.json", "games.jsonl", "decisions.jsonl")
DATASET_BYTES: Final = 2**33  # of a part, unpacked
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
}
ENDED: Final = ("game", "points", "reason", "tie_break")
_INTERVENTION: Final[Fields] = {"at": int, "seat": int, "cause": str}
_INDEX: Final[Fields] = {"format": str, "name": str, "licence": str, "games": int, "site": (str, OPTIONAL)}


@dataclass(frozen=True, slots=True)
class DatasetProved:
    """What was found in a data set that holds."""

    name: str
    licence: str
    games: int
    decisions: int


def record_fields(record: Record, data: bytes) -> dict[str, Any]:
    """Return what a game's line says of its record, whose bytes are ``data``; ``record`` is their SHA-256, which the
    proof has too."""
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


def decisions_of(game: int, record: Record) -> Iterator[dict[str, Any]]:
    """Yield the decisions in a game: what the seat saw, with the legal actions, and what was played. ``stood_in``: the
    verdict on the bot where a house bot played in its place.

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


def line_of(row: Mapping[str, Any]) -> bytes:
    """Return a row as it is written."""
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def is_dataset(path: Path) -> bool:
    """Tell whether a zip archive says that it is a data set.

    Raises:
        UntrustedError, OSError: it cannot be read.
    """
    with open_archive(path) as archive:
        return INDEX in archive.namelist()


def prove_dataset(path: Path) -> DatasetProved:
    """Play every game again: to the result, the digest and the bytes that it says, and through the decisions listed.
    What it says of matches and bots, only the proof of the event can show.

    Raises:
        ProofError, RecordError: something does not hold.
        UntrustedError, OSError: it cannot be read.
    """
    with open_archive(path) as archive:
        index = read(parse_json(read_member(archive, INDEX, JSON_BYTES)), _INDEX, INDEX)
        if index["format"] != FORMAT:
            raise ProofError(f"{INDEX}: not of the format {FORMAT}")
        games, decisions = _played(archive)
    if games != index["games"]:
        raise ProofError(f"{INDEX} says that there are {index['games']} games, and there are {games}")
    return DatasetProved(index["name"], index["licence"], games, decisions)


def _played(archive: ZipFile) -> tuple[int, int]:
    told = read_lines(archive, DECISIONS, JSON_BYTES, DATASET_BYTES)
    games = decisions = 0
    for games, line in enumerate(read_lines(archive, GAMES, JSON_BYTES, DATASET_BYTES), start=1):
        what = f"{GAMES}, line {games}"
        found = read(parse_json(line), GAME, what)
        record = _record(found, what)
        outcome = record.verify()
        if sha256(record.encode()).hexdigest() != found["record"]:
            raise ProofError(f"{what}: the record has another SHA-256")
        acted: set[int] = set()
        for decision in decisions_of(games, record):
            decisions += 1
            acted.add(decision["seat"])
            if next(told, b"") + b"\n" != line_of(decision):
                raise ProofError(f"{DECISIONS}, line {decisions}: not what happened in game {games}")
        ended = (games, list(outcome.points), outcome.reason, outcome.tie_break)
        if ended != tuple(found[name] for name in ENDED) or not places_follow(found["places"], outcome, record, acted):
            raise ProofError(f"{what}: the game ends otherwise")
    if next(told, None) is not None:
        raise ProofError(f"{DECISIONS} goes on after the last game")
    return games, decisions


def places_follow(places: Sequence[object], outcome: Outcome, record: Record, acted: Collection[int]) -> bool:
    """Tell whether these places follow from the outcome. Seats at fault have the last: those for which a house bot
    played on, and perhaps some that never acted, whose bots may have failed to start."""
    faulty = {one.seat for one in record.interventions}
    idle = [seat for seat in range(record.players) if seat not in acted]
    failed = chain.from_iterable(combinations(idle, count) for count in range(len(idle) + 1))
    return any(list(places) == list(places_after_forfeits(outcome.places, faulty.union(more))) for more in failed)


def _record(found: Mapping[str, Any], what: str) -> Record:
    held = [read(one, _INTERVENTION, f"{what}: an intervention") for one in found["interventions"]]
    if not all(isinstance(action, str) for action in found["actions"]):
        raise ProofError(f"{what}: an action that is no text")
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
