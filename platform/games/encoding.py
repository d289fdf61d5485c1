"""Encode and decode records as bytes, format 1: small, and safe to decode from untrusted sources.

    1 byte      format
    text        ruleset id                        text: 1 byte length, ASCII
    1 byte      players
    long text   the options that differ from their defaults, as JSON with sorted keys; empty for none
    16 bytes    seed
    number      how many interventions; each: number (at), 1 byte (seat), text (cause)
    number      how many actions                  number: 7 bits a byte, low first, high bit set on all but the last
    the rest    the actions: one integer, big-endian, no leading zero byte
    16 bytes    digest of all fields and of the last state

The actions are the digits of the integer, the first action being the lowest digit. A digit is the action's index among
the legal actions of its moment; its base is the number of these actions. An action without alternatives takes no space.
Decoding therefore plays the game. Every record has exactly one encoding, and a record that decodes was played by the
rules.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from games.dealer import SEED_BYTES
from games.protocol import Verdict
from games.replay import DIGEST_BYTES, Intervention, RecordError, Replay, Step, replay_ruleset_and_options
from games.ruleset import Ruleset
from games.state import CHANCE, State

FORMAT: Final = 1  # frozen: record of a game
LONGEST: Final = 1 << 16  # bytes of a record: far more than any honest record has
LONGEST_OPTIONS: Final = 4096


class Recorded(Protocol):
    """The fields of ``games.record.Record`` that are encoded."""

    @property
    def ruleset(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def seed(self) -> bytes: ...
    @property
    def actions(self) -> tuple[str, ...]: ...
    @property
    def interventions(self) -> tuple[Intervention, ...]: ...
    @property
    def digest(self) -> bytes: ...
    @property
    def legal(self) -> Sequence[Sequence[str]] | None: ...

    def replay(self) -> Iterator[Step]: ...


def encode(record: Recorded) -> bytes:
    """Return the bytes of ``record``.

    Raises:
        RecordError: the ruleset or its options are unknown; the digest has a wrong length; or ``legal`` is None and
            the game was not played by the rules.
    """
    ruleset, options = replay_ruleset_and_options(record.ruleset, record.players, record.options)
    if len(record.digest) != DIGEST_BYTES:
        raise RecordError("bytes", f"a digest has {DIGEST_BYTES} bytes, not {len(record.digest)}")
    packed = 0
    moments = [*_choices(record)] if record.legal is None else record.legal
    for action, legal in zip(reversed(record.actions), reversed(moments), strict=True):
        packed = packed * len(legal) + legal.index(action)
    changed = _changed(ruleset, options)
    text = _json(changed) if changed else b""
    return b"".join(
        (
            bytes((FORMAT,)),
            _text(record.ruleset),
            bytes((record.players,)),
            _number(len(text)),
            text,
            record.seed,
            _number(len(record.interventions)),
            *(_number(at) + bytes((seat,)) + _text(cause) for at, seat, cause in record.interventions),
            _number(len(record.actions)),
            packed.to_bytes((packed.bit_length() + 7) // 8, "big"),
            record.digest,
        )
    )


def _choices(record: Recorded) -> Iterator[Sequence[str]]:
    """Yield the legal actions before each action of a seat, by replaying the game."""
    for before, _, _, _ in record.replay():
        if before.actor != CHANCE:
            yield before.actions()


def decode(data: bytes) -> dict[str, Any]:
    """Return the fields of the record in ``data``.

    Raises:
        RecordError: ``data`` is not a record, or its game is not installed here.
    """
    return played(data)[0]


def encoding_seed_of(data: bytes) -> bytes:
    """Return the seed of the record in ``data``, even if its game is not installed here.

    Raises:
        RecordError: ``data`` is not a record of this format.
    """
    reader = _header(data)
    reader.text(), reader.byte()
    reader.take(reader.number(LONGEST_OPTIONS))
    return reader.take(SEED_BYTES)


def _header(data: bytes) -> "_Reader":
    if len(data) > LONGEST:
        raise RecordError("bytes", f"{len(data)} bytes; a record has at most {LONGEST}")
    reader = _Reader(data)
    if (form := reader.byte()) != FORMAT:
        raise RecordError("bytes", f"format {form} is unknown; known: {FORMAT}")
    return reader


def played(data: bytes) -> tuple[dict[str, Any], State, tuple[int, ...]]:
    """Return the fields of the record in ``data``, its last state, and the seat of each action.

    Raises:
        RecordError: see ``decode``.
    """
    reader = _header(data)
    name, players = reader.text(), reader.byte()
    given = _options(reader.take(reader.number(LONGEST_OPTIONS)))
    ruleset, options = replay_ruleset_and_options(name, players, given)
    if name != ruleset.id:
        raise RecordError("ruleset", f"{name!r} lacks its version: {ruleset.id}")
    if given != _changed(ruleset, options):
        raise RecordError(
            "options", "they are not exactly those that differ from the defaults, in the form in which they are stored"
        )
    seed = reader.take(SEED_BYTES)
    most = ruleset.max_actions(players, options)
    interventions = tuple(
        Intervention(reader.number(most), reader.byte(), _cause(reader.text())) for _ in range(reader.number(players))
    )
    count = reader.number(most)
    packed, digest = reader.rest(DIGEST_BYTES)
    replay = Replay(name, players, options, seed)
    steps = replay.play(_unpacked(replay, packed, count), interventions)
    made = [(before.actor, action) for before, action, _, _ in steps if before.actor != CHANCE]
    fields = {
        "ruleset": name,
        "players": players,
        "options": options,
        "seed": seed,
        "actions": tuple(action for _, action in made),
        "interventions": interventions,
        "digest": digest,
    }
    return fields, replay.state, tuple(actor for actor, _ in made)


def _unpacked(replay: Replay, packed: bytes, count: int) -> Iterator[str]:
    """Yield the actions of a game. Each is decoded when ``replay`` has reached its state."""
    if packed[:1] == b"\0":
        raise RecordError("bytes", "the actions begin with a zero byte")
    number = int.from_bytes(packed, "big")
    for at in range(count):
        legal = replay.state.actions()
        if not legal:
            raise RecordError("actions", f"{count} actions, but the game is over after {at}")
        number, place = divmod(number, len(legal))
        yield legal[place]
    if number:
        raise RecordError("bytes", f"there is data after the {count} actions")


class _Reader:
    """Reads bytes from the front. Raises RecordError when too few are left."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        piece = self._data[self._at : self._at + count]
        if len(piece) != count:
            raise RecordError("bytes", f"cut short: {count} bytes expected at {self._at}, {len(piece)} found")
        self._at += count
        return piece

    def byte(self) -> int:
        return self.take(1)[0]

    def text(self) -> str:
        try:
            return self.take(self.byte()).decode("ascii")
        except UnicodeDecodeError as error:
            raise RecordError("bytes", "text that is not ASCII") from error

    def number(self, most: int) -> int:
        number = shift = 0
        while (byte := self.byte()) > 127:
            number |= (byte & 127) << shift
            shift += 7
            if shift > 28:
                raise RecordError("bytes", f"a number too long at {self._at}")
        number |= byte << shift
        if number > most or (shift and not byte):
            raise RecordError("bytes", f"{number} at {self._at} is beyond {most}, or too long")
        return number

    def rest(self, tail: int) -> tuple[bytes, bytes]:
        """Return the remaining bytes in two parts: all but the last ``tail`` bytes, and the last ``tail`` bytes."""
        left = len(self._data) - self._at
        return self.take(max(0, left - tail)), self.take(tail)


def _changed(ruleset: Ruleset, options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value != ruleset.options[name].default}


def _options(text: bytes) -> dict[str, Any]:
    try:
        options = json.loads(text) if text else {}
        plain = not text or (bool(options) and _json(options) == text)
    except (ValueError, RecursionError) as error:
        raise RecordError("options", "not JSON") from error
    if not isinstance(options, dict) or not plain:
        raise RecordError("options", "not a JSON object with sorted keys")
    return options


def _cause(text: str) -> str:
    try:
        return Verdict(text).value
    except ValueError as error:
        raise RecordError("intervention", f"{text!r:.80} is not a verdict") from error


def _json(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def _text(text: str) -> bytes:
    return bytes((len(text),)) + text.encode("ascii")


def _number(number: int) -> bytes:
    low = bytearray()
    while number > 127:
        low.append(number & 127 | 128)
        number >>= 7
    return bytes((*low, number))
