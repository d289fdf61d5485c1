"""Proof of a whole tournament: from its revealed secret, anyone re-derives every seed and plays every record again.

A proof is a zip archive: ``proof.json`` and the records it names.

proof.json: ``format`` ("pecking-order-proof/1"), ``name``, ``commitment`` (SHA-256 of the secret, in hex, as published
before entries closed), ``secret`` (hex), ``matches``: for each its ``key`` (the match's secret is
``block_seed(secret, *key)``), ``title``, ``seats`` (names, in table order), ``blocks`` (seeds played), ``games``: for
each its ``file``, ``points`` and ``places`` by seat, and ``faulty``, the seats whose bots were at fault there. Where
entries and nonces were mixed in, ``luck`` lists for each epoch ``number``, ``commitment``, ``secret``, ``entries``
(``[number, sha256]``) and ``nonces``, and a match names its ``luck``: the secret of the match is then
``block_seed(luck(secret, entries_digest(entries), nonces), *key)``, see ``games.luck``.

Game i of a match of k seats is of block i // k, and table position p is held by seat (p + i) % k, as in ``matches``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

from games.dealer import block_seed
from games.encoding import LONGEST
from games.luck import entries_digest, luck
from games.record import Record, RecordError
from games.state import Outcome
from games.untrusted import JSON_BYTES, UntrustedError, field, items, open_archive, parse_json, read_member

FORMAT: Final = "pecking-order-proof/1"
INDEX: Final = "proof.json"
KEY_MOST: Final = 8  # parts of a match's key
KEY_PART_MOST: Final = 100  # characters of one


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
        with open_archive(path) as archive:
            index = parse_json(read_member(archive, INDEX, JSON_BYTES))
            if field(index, "format", str) != FORMAT:
                raise ProofError(f"{INDEX}: not of the format {FORMAT}")
            secret, commitment = _secret(index)
            lucks = dict(_luck(one) for one in items(index, "luck", dict)) if "luck" in index else {}
            matches = items(index, "matches", dict)
            seen: set[str] = set()
            games = sum(_prove_match(archive, _luck_of(match, lucks, secret), match, seen) for match in matches)
            return Proved(field(index, "name", str), commitment, len(matches), games)
    except UntrustedError as error:
        raise ProofError(str(error)) from None


def _secret(index: Mapping[str, Any]) -> tuple[bytes, str]:
    commitment = field(index, "commitment", str)
    try:
        secret = bytes.fromhex(field(index, "secret", str))
    except ValueError:
        raise ProofError("the secret is not written in hex") from None
    if not secret:
        raise ProofError("the secret is empty")
    if sha256(secret).hexdigest() != commitment:
        raise ProofError("the secret does not have the hash that was published")
    return secret, commitment


def _luck(told: Mapping[str, Any]) -> tuple[int, bytes]:
    """The number of an epoch, and what its seeds follow from."""
    secret, _commitment = _secret(told)
    entries: dict[int, str] = {}
    for pair in items(told, "entries", list):
        if len(pair) != 2 or type(pair[0]) is not int or type(pair[1]) is not str or pair[0] in entries:
            raise ProofError("an entry is not a number of its own with the hash of its package")
        entries[pair[0]] = pair[1]
    return field(told, "number", int), luck(secret, entries_digest(entries), items(told, "nonces", str))


def _luck_of(match: Mapping[str, Any], lucks: Mapping[int, bytes], secret: bytes) -> bytes:
    if "luck" not in match:
        return secret
    number = field(match, "luck", int)
    if number not in lucks:
        raise ProofError(f"{field(match, 'title', str)}: its luck is not in the proof")
    return lucks[number]


def _prove_match(archive: ZipFile, secret: bytes, match: Mapping[str, Any], seen: set[str]) -> int:
    title = field(match, "title", str)
    seats, games = len(items(match, "seats", str)), items(match, "games", dict)
    if len(games) != field(match, "blocks", int) * seats:
        raise ProofError(f"{title}: {len(games)} games, not {match['blocks']} blocks of {seats}")
    own = _own_secret(secret, match)
    for number, game in enumerate(games):
        file = field(game, "file", str)
        try:
            # Each record once: the work of a check is bounded by the size of the archive.
            if file in seen:
                raise ProofError("the same record stands for another game too")
            seen.add(file)
            record = Record.decode(read_member(archive, file, LONGEST))
            if record.players != seats:
                raise ProofError(f"{record.players} players, not {seats}")
            if record.seed != block_seed(own, number // seats):
                raise ProofError("its seed is not the one that follows from the secret")
            for trouble in _differences(record, record.verify(), number, game):
                raise ProofError(trouble)
        except (RecordError, ProofError, UntrustedError) as error:
            raise ProofError(f"{title}, game {number + 1} ({file}): {error}") from None
    return len(games)


def _own_secret(secret: bytes, match: Mapping[str, Any]) -> bytes:
    """The match's own secret, from its key: a list of numbers and short texts."""
    key = field(match, "key", list)
    if len(key) > KEY_MOST or not all(type(part) in (int, str) and len(str(part)) <= KEY_PART_MOST for part in key):
        raise ProofError(f"the key of a match is not {KEY_MOST} numbers and texts at most")
    return block_seed(secret, *key)


def _differences(record: Record, outcome: Outcome, number: int, game: Mapping[str, Any]) -> Iterator[str]:
    """Where the published result of a game is not what its record comes to. What a stand-in earned is nobody's: seats
    at fault come last, in whichever order the others are as played."""
    seats = range(record.players)
    points, places = (_by_seat(game, name, record.players) for name in ("points", "places"))
    position = {(at + number) % record.players: at for at in seats}  # by seat
    faulty = set(items(game, "faulty", int))
    if not faulty <= set(seats):
        yield f"no such seat among those at fault: {sorted(faulty - set(seats))[0]}"
        return
    played_on = {(one.seat + number) % record.players for one in record.interventions}
    if not played_on <= faulty:
        yield "a stand-in played for a bot that is not said to be at fault"
    sound = [seat for seat in seats if seat not in faulty]
    for seat in sound:
        made, place = outcome.points[position[seat]], _place(seat, sound, outcome.places, position)
        if (made, place) != (points[seat], places[seat]):
            yield f"seat {seat} made {made} points and place {place}, which is not what was published"
    if any(places[seat] != len(sound) + 1 for seat in faulty):
        yield "a bot at fault does not share the last place"


def _place(seat: int, sound: Sequence[int], places: Sequence[int], position: Mapping[int, int]) -> int:
    return 1 + sum(places[position[other]] < places[position[seat]] for other in sound)


def _by_seat(game: Mapping[str, Any], name: str, seats: int) -> list[int]:
    found = items(game, name, int)
    if len(found) != seats:
        raise ProofError(f"{name} of {len(found)} seats, not of {seats}")
    return found
