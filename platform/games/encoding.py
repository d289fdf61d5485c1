"""The bytes of a record, version 1: as small as is simple, and safe to read from anyone.

    1 byte      version of this format
    text        ruleset id                        text: 1 byte length, ASCII
    1 byte      players
    long text   the options that differ from their defaults, as JSON with sorted keys; empty for none
    16 bytes    seed
    number      how many interventions; each: number (at), 1 byte (seat), text (cause)
    number      how many actions                  number: 7 bits a byte, low first, high bit set on all but the last
    rest - 16   the actions, one integer, big-endian: the first action is the lowest digit, its place in the vocabulary,
                to the base of the vocabulary's size
    16 bytes    digest of the last state

Every record has one form: what decodes but would not encode to the same bytes is refused.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from games.dealer import SEED_BYTES
from games.protocol import Verdict
from games.replay import DIGEST_BYTES, Intervention, RecordError, opened
from games.ruleset import Ruleset

if TYPE_CHECKING:
    from games.record import Record

FORMAT: Final = 1
LONGEST_OPTIONS: Final = 4096


def encode(record: "Record", ruleset: Ruleset, options: Mapping[str, Any]) -> bytes:
    """``record`` as bytes; ``options`` are its full options."""
    if len(record.seed) != SEED_BYTES or len(record.digest) != DIGEST_BYTES:
        raise RecordError("bytes", f"seed and digest have {SEED_BYTES} and {DIGEST_BYTES} bytes")
    changed = {name: value for name, value in options.items() if value != ruleset.options[name].default}
    text = json.dumps(changed, sort_keys=True, separators=(",", ":")) if changed else ""
    words = ruleset.vocabulary(options)
    number_of = {word: number for number, word in enumerate(words)}
    actions = 0
    try:
        for action in reversed(record.actions):
            actions = actions * len(words) + number_of[action]
    except KeyError as error:
        raise RecordError("actions", f"{error.args[0]!r:.80} is not an action of {ruleset.id}") from error
    return b"".join(
        (
            bytes((FORMAT,)),
            _text(record.ruleset),
            bytes((record.players,)),
            _number(len(text)),
            text.encode("ascii"),
            record.seed,
            _number(len(record.interventions)),
            *(_number(at) + bytes((seat,)) + _text(cause) for at, seat, cause in record.interventions),
            _number(len(record.actions)),
            actions.to_bytes(_width(len(words), len(record.actions)), "big"),
            record.digest,
        )
    )


def decode(data: bytes) -> dict[str, Any]:
    """The fields of the record in ``data``.

    Raises:
        RecordError: it holds none, or one of a game that is not played here.
    """
    reader = _Reader(data)
    if (version := reader.byte()) != FORMAT:
        raise RecordError("bytes", f"format {version} is unknown; known: {FORMAT}")
    name, players = reader.text(), reader.byte()
    ruleset, options = opened(name, players, _options(reader.take(reader.number(LONGEST_OPTIONS))))
    seed = reader.take(SEED_BYTES)
    interventions = tuple(
        Intervention(reader.number(ruleset.max_actions(players, options)), reader.byte(), _cause(reader.text()))
        for _ in range(reader.number(players))
    )
    count = reader.number(ruleset.max_actions(players, options))
    words = ruleset.vocabulary(options)
    packed = int.from_bytes(reader.take(_width(len(words), count)), "big")
    actions = []
    for _ in range(count):
        packed, number = divmod(packed, len(words))
        actions.append(words[number])
    digest = reader.take(DIGEST_BYTES)
    reader.end()
    return {
        "ruleset": name,
        "players": players,
        "options": options,
        "seed": seed,
        "actions": tuple(actions),
        "interventions": interventions,
        "digest": digest,
    }


class _Reader:
    """Bytes read from the front; running out is a RecordError."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        piece = self._data[self._at : self._at + count]
        if len(piece) != count:
            raise RecordError("bytes", f"cut short: {count} bytes expected at {self._at}, {len(piece)} there")
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
        while True:
            byte = self.byte()
            number |= (byte & 127) << shift
            if number > most:
                raise RecordError("bytes", f"a number beyond {most} at {self._at}")
            if byte < 128:
                return number
            shift += 7
            if shift > 28:
                raise RecordError("bytes", f"a number too long at {self._at}")

    def end(self) -> None:
        if self._at != len(self._data):
            raise RecordError("bytes", f"{len(self._data) - self._at} bytes too many")


def _options(text: bytes) -> dict[str, Any]:
    try:
        options = json.loads(text) if text else {}
    except (ValueError, RecursionError) as error:
        raise RecordError("options", "not JSON") from error
    if not isinstance(options, dict):
        raise RecordError("options", "not a JSON object")
    return options


def _cause(text: str) -> str:
    try:
        return Verdict(text).value
    except ValueError as error:
        raise RecordError("intervention", f"{text!r:.80} is not a verdict") from error


def _text(text: str) -> bytes:
    return bytes((len(text),)) + text.encode("ascii")


def _number(number: int) -> bytes:
    low = bytearray()
    while number > 127:
        low.append(number & 127 | 128)
        number >>= 7
    return bytes((*low, number))


def _width(base: int, digits: int) -> int:
    """Bytes that hold every number of ``digits`` digits to this base."""
    highest: int = base**digits - 1
    return (highest.bit_length() + 7) // 8
