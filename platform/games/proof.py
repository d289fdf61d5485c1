"""Proof of a whole tournament: from its revealed secret, anyone re-derives every seed and plays every record again.

A proof is a zip archive: ``proof.json`` and the records it names.

proof.json: ``format`` ("pecking-order-proof/1"), ``name``, ``commitment`` (SHA-256 of the secret, in hex, as published
before entries closed), ``secret`` (hex), ``matches``: for each its ``key`` (the match's secret is
``block_seed(secret, *key)``), ``title``, ``seats`` (names, in table order), ``blocks`` (seeds played), ``games``: for
each its ``file``, ``points`` and ``places`` by seat, and ``faulty``, the seats whose bots were at fault there. Game i
of a match of k seats is of block i // k, and table position p is held by seat (p + i) % k, as in ``matches``.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from games.dealer import block_seed
from games.record import Record, RecordError
from games.state import Outcome

FORMAT: Final = "pecking-order-proof/1"
INDEX: Final = "proof.json"
LARGEST_FILE: Final = 64 * 2**20  # bytes, unpacked: of the index; a record has some hundreds


class ProofError(ValueError):
    """Something does not hold; the text says what, and where."""


@dataclass(frozen=True, slots=True)
class Proved:
    """What was found to hold."""

    name: str
    commitment: str
    matches: int
    games: int


def prove(path: Path) -> Proved:
    """Checks the secret against its commitment, every seed, every record and every result in the archive at ``path``.

    Raises:
        ProofError: the first thing that does not hold.
        OSError: the file cannot be read.
    """
    try:
        with ZipFile(path) as archive:
            index = json.loads(_read(archive, INDEX))
            if not isinstance(index, dict) or index.get("format") != FORMAT:
                raise ProofError(f"{INDEX}: not of the format {FORMAT}")
            secret = bytes.fromhex(index["secret"])
            if sha256(secret).hexdigest() != index["commitment"]:
                raise ProofError("the secret does not have the hash that was published")
            games = sum(_prove_match(archive, secret, match) for match in index["matches"])
            return Proved(str(index["name"]), index["commitment"], len(index["matches"]), games)
    except BadZipFile as error:
        raise ProofError(f"not a zip archive: {error}") from None
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        if isinstance(error, ProofError):
            raise
        raise ProofError(f"{INDEX}: {type(error).__name__}: {error}") from None


def _prove_match(archive: ZipFile, secret: bytes, match: Mapping[str, Any]) -> int:
    seats, games = len(match["seats"]), match["games"]
    if len(games) != match["blocks"] * seats:
        raise ProofError(f"{match['title']}: {len(games)} games, not {match['blocks']} blocks of {seats}")
    own = block_seed(secret, *match["key"])
    for number, game in enumerate(games):
        try:
            record = Record.decode(_read(archive, game["file"]))
            if record.players != seats:
                raise ProofError(f"{record.players} players, not {seats}")
            if record.seed != block_seed(own, number // seats):
                raise ProofError("its seed is not the one that follows from the secret")
            for trouble in _differences(record, record.verify(), number, game):
                raise ProofError(trouble)
        except (RecordError, ProofError) as error:
            raise ProofError(f"{match['title']}, game {number + 1} ({game['file']}): {error}") from None
    return len(games)


def _differences(record: Record, outcome: Outcome, number: int, game: Mapping[str, Any]) -> Iterator[str]:
    """Where the published result of a game is not what its record comes to. What a stand-in earned is nobody's: seats
    at fault come last, in whichever order the others are as played."""
    seats = range(record.players)
    position = {(at + number) % record.players: at for at in seats}  # by seat
    faulty = set(game["faulty"])
    played_on = {(one.seat + number) % record.players for one in record.interventions}
    if not played_on <= faulty:
        yield "a stand-in played for a bot that is not said to be at fault"
    sound = [seat for seat in seats if seat not in faulty]
    for seat in sound:
        points, place = outcome.points[position[seat]], _place(seat, sound, outcome.places, position)
        if (points, place) != (game["points"][seat], game["places"][seat]):
            yield f"seat {seat} made {points} points and place {place}, which is not what was published"
    if any(game["places"][seat] != len(sound) + 1 for seat in faulty):
        yield "a bot at fault does not share the last place"


def _place(seat: int, sound: Sequence[int], places: Sequence[int], position: Mapping[int, int]) -> int:
    return 1 + sum(places[position[other]] < places[position[seat]] for other in sound)


def _read(archive: ZipFile, name: str) -> bytes:
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise ProofError(f"{name:.100} is missing") from None
    if info.file_size > LARGEST_FILE:
        raise ProofError(f"{name:.100} is larger than {LARGEST_FILE} bytes")
    return archive.read(info)
