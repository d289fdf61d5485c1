"""What ``peck`` prints to. That it cannot be written is one error of its own, which no command takes for its file's."""

import io
import os
import sys
from typing import Any, TextIO


class OutputError(Exception):
    """Standard output or standard error, by ``descriptor``, takes no more; ``reason`` is what the system said."""

    def __init__(self, descriptor: int, reason: OSError) -> None:
        super().__init__(f"the output cannot be written: {reason.strerror}")
        self.descriptor = descriptor
        self.reason = reason

    def silence(self) -> None:
        """Drop what is still to be written there, so that the exit does not fail on it."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.descriptor)
        os.close(nowhere)


class _Descriptor(io.FileIO):
    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OutputError(self.fileno(), error) from error


def prepare_output() -> None:
    """Let standard output and standard error raise ``OutputError``, replace letters that they lack, and take what is
    printed where they are closed.
    """
    sys.stdout, sys.stderr = _prepared(sys.stdout), _prepared(sys.stderr)


def _prepared(stream: TextIO | None) -> TextIO:
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - until the exit
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.reconfigure(errors="replace")
    raw = getattr(stream.buffer, "raw", stream.buffer)  # PYTHONUNBUFFERED leaves the buffer out
    if type(raw) is not io.FileIO:  # prepared already, a console of Windows, or memory
        return stream
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Descriptor(raw.fileno(), "w", closefd=False)),
        encoding=stream.encoding,
        errors="replace",
        line_buffering=stream.line_buffering or raw is stream.buffer,
    )
