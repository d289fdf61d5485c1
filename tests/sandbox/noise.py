"""Hostile messages without end: random bytes, and valid messages with bits, lengths and pieces of them changed."""

import random
from collections.abc import Iterator
from typing import Final

import msgspec

from sandbox.inside import wire

TAG: Final = b"\x01\x02\x03\x04\x05\x06\x07\x08"
encode: Final = msgspec.msgpack.encode
VALID: Final = (
    wire.READY,
    wire.LOCKED,
    wire.ANSWER + TAG + encode("take 4" * 30),
    wire.ANSWER + TAG + encode("é" * 20),
    wire.FAILURE + encode(wire.WireFailure("crashed", "ValueError", 3, "Traceback\n" * 12)),
    wire.FAILURE + encode(wire.WireFailure("memory", "MemoryError", None, "")),
)
_MARKERS: Final = b"\x80\x90\xa0\xc0\xc1\xc4\xc6\xc7\xca\xcb\xcf\xd3\xd9\xdb\xdd\xdf\xff"  # of msgpack: what follows


def messages(seed: int, count: int) -> Iterator[bytes]:
    """``count`` of them, the same for the same seed; none is empty, which the socket tells from a message by itself."""
    chance = random.Random(seed)
    for n in range(count):
        yield (_noise if n % 4 == 0 else _mutant)(chance) or b"\0"


def _noise(chance: random.Random) -> bytes:
    size = chance.choice((1, 9, 30, 300, 5000))
    head = chance.choice((b"", wire.ANSWER, wire.ANSWER + TAG, wire.FAILURE))
    return head + chance.randbytes(chance.randrange(1, size + 1))


def _mutant(chance: random.Random) -> bytes:
    data = bytearray(chance.choice(VALID))
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(6):
            case 0 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case 1 if at < len(data):
                data[at] = chance.choice(_MARKERS)
            case 2:
                data[at:at] = bytes([chance.choice(_MARKERS)]) * chance.choice((1, 4, 2000))
            case 3:
                del data[at : at + chance.randrange(1, 8)]
            case 4:
                data[at:at] = chance.choice(VALID)
            case _:
                data[at:at] = chance.randbytes(chance.randrange(1, 9))
    return bytes(data)
