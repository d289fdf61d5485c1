"""Messages between judge and bot at home: a length of four bytes, then JSON. Lists, the first item is what it is."""

import json
import struct
from typing import Any, BinaryIO, Final

_LENGTH: Final = struct.Struct(">I")
LONGEST: Final = 1 << 24  # bytes of one message
_json: Final = json.JSONEncoder(separators=(",", ":")).encode  # dumps() makes an encoder each time


def send(file: BinaryIO, *message: Any) -> None:
    """Write one message.

    Raises:
        OSError: nobody reads any more.
    """
    data = _json(message).encode("utf-8", "surrogatepass")
    file.write(_LENGTH.pack(len(data)) + data)
    file.flush()


def receive(file: BinaryIO) -> Any:
    """Return the next message, None if there will be none."""
    head = _read(file, _LENGTH.size)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    data = _read(file, length) if length <= LONGEST else None
    return None if data is None else json.loads(data.decode("utf-8", "surrogatepass"))


def _read(file: BinaryIO, size: int) -> bytes | None:
    """Read so many bytes of an unbuffered file; return None if it ends before."""
    data = b""
    while len(data) < size:
        more = file.read(size - len(data))
        if not more:
            return None
        data += more
    return data
