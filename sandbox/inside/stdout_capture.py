"""Capture what a bot prints if it shares a process with its caller: at home and in a browser."""

import io
from typing import Final

# The stderr of the process itself; output that is written directly to this descriptor is not captured.
_OF_THE_PROCESS: Final = 2


class Printed(io.TextIOWrapper):
    """A text stream that stores the first ``cap`` bytes written since it was last drained."""

    def __init__(self, cap: int) -> None:
        self._captured = _Captured(cap)
        super().__init__(self._captured, "utf-8", "replace", newline="\n", write_through=True)

    def drain(self) -> str:
        """Return the text since the last call. Text beyond ``cap`` bytes is lost."""
        return self._captured.drain().decode("utf-8", "ignore")


class _Captured(io.RawIOBase):
    name = "<printed>"

    def __init__(self, cap: int) -> None:
        self._cap = self._room = cap
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return _OF_THE_PROCESS

    def write(self, data: "bytes | memoryview", /) -> int:  # type: ignore[override]
        if self._room and data:
            self._pieces.append(piece := bytes(data[: self._room]))
            self._room -= len(piece)
        return len(data)

    def drain(self) -> bytes:
        if not self._pieces:
            return b""
        output = b"".join(self._pieces)
        self._pieces.clear()
        self._room = self._cap
        return output
