"""Shared by all commands of ``peck``: running a command, output, the progress bar, and lines about faults."""

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeAlias

from games.explanation import MoveExplanation
from games.untrusted import untrusted_line, untrusted_lines_quoted
from peck import CLOSED_PIPE, INTERRUPTED, NOT_SO, text_counted

if TYPE_CHECKING:
    from matches.referee import SeatFault

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


WIDTH: Final = 24
_CLEAR: Final = "\r\x1b[K"


def cli_run(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> int:
    """Run the command that ``argv`` names and return its exit code."""
    try:
        cli_prepare_output()
        try:
            given = parser.parse_args(argv)
            code: int = given.run(given)
        finally:
            sys.stdout.flush()
    except OutputError as error:
        error.silence()
        if isinstance(error.reason, BrokenPipeError):  # the reader has closed the pipe
            return CLOSED_PIPE
        cli_complain(error)
        return NOT_SO
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def cli_say(*lines: object) -> None:
    """Print each argument as one line, without characters that control the terminal."""
    print("\n".join(map(untrusted_line, lines)))


def cli_complain(error: object) -> None:
    """Print one line to standard error."""
    print(untrusted_line(error), file=sys.stderr)


def cli_complain_of_file(path: object, error: OSError) -> None:
    """Print which file could not be read or written, and why. ``path`` is used if ``error`` names no file."""
    cli_complain(f"{error.filename or path}: {error.strerror or error}")


def cli_add_json(parser: argparse.ArgumentParser, what: str = "print the result as JSON") -> None:
    """Add the argument for output as JSON: one document, whose keys are never removed."""
    parser.add_argument("--json", action="store_true", help=what)


def cli_say_json(document: object) -> None:
    """Print a JSON document in ASCII, in one line."""
    sys.stdout.write(f"{json.dumps(document)}\n")


def cli_positive(text: str) -> int:
    """Return a number of at least 1, for ``argparse``."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)


def cli_fault_line(fault: "SeatFault") -> str:
    """Return the verdict with the line in the bot's file and the error, in one line."""
    where = f", line {fault.line}" if fault.line else ""
    return f"{fault.verdict.value}{where}: {fault.summary}"


def cli_print_fault(fault: "SeatFault", file: TextIO | None = None) -> None:
    """Print the traceback and the bot's output, each line quoted, to ``file`` or standard output."""
    for text in (fault.detail, fault.output):
        if text.strip() and (text is fault.output or "\n" in text.strip()):
            print("\n".join(untrusted_lines_quoted(text)), file=file or sys.stdout)


def cli_explanation_line(explanation: MoveExplanation) -> str:
    """Return a bot's explanation of an action, in one line.

    >>> cli_explanation_line(MoveExplanation("safe", ("die W",), 0.625))
    'safe; expects 62.5 %; marks die W'
    """
    value = None if explanation.value is None else f"expects {100 * explanation.value:.3g} %"
    return "; ".join(
        filter(None, [explanation.note, value, f"marks {', '.join(explanation.marks)}" if explanation.marks else None])
    )


class OutputError(Exception):
    """Standard output or standard error cannot be written. ``reason`` is the system's error.

    It is a separate type, so that no command mistakes it for an error of its own files.
    """

    def __init__(self, descriptor: int, reason: OSError) -> None:
        super().__init__(f"the output cannot be written: {reason.strerror}")
        self.descriptor = descriptor
        self.reason = reason

    def silence(self) -> None:
        """Discard the rest of the output, so that the exit does not fail."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.descriptor)
        os.close(nowhere)


class _Descriptor(io.FileIO):
    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OutputError(self.fileno(), error) from error


def cli_prepare_output() -> None:
    """Make standard output and standard error raise ``OutputError``, replace letters that they cannot encode, and
    discard output if they are closed.
    """
    sys.stdout, sys.stderr = _prepared(sys.stdout), _prepared(sys.stderr)


def _prepared(stream: TextIO | None) -> TextIO:
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - stays open until the exit
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.reconfigure(errors="replace")
    raw = getattr(stream.buffer, "raw", stream.buffer)  # with PYTHONUNBUFFERED there is no buffer
    if type(raw) is not io.FileIO:  # the stream was prepared already, or it is a Windows console or in memory
        return stream
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Descriptor(raw.fileno(), "w", closefd=False)),
        encoding=stream.encoding,
        errors="replace",
        line_buffering=stream.line_buffering or raw is stream.buffer,
    )


class ProgressBar:
    """Progress bar of ``total`` blocks, or another ``unit``, on standard error if it is a terminal. Call ``close``
    before printing.
    """

    def __init__(self, total: int, unit: str = "block") -> None:
        self._total = total
        self._unit = unit
        self._began = monotonic()
        self._at_first: int | None = None
        self._is_shown = False
        self._is_terminal = sys.stderr.isatty()

    def show(self, done: int) -> None:
        """Draw the bar for ``done`` blocks."""
        if not self._is_terminal:
            return
        if self._at_first is None:
            self._at_first, self._began = done, monotonic()
        filled = WIDTH * done // max(1, self._total)
        bar = "#" * filled + "." * (WIDTH - filled)
        self._write(
            f"{_CLEAR}[{bar}] {done} of {text_counted(self._total, self._unit)}{self._left(done, self._at_first)}"
        )
        self._is_shown = True

    def close(self) -> None:
        """Remove the bar."""
        if self._is_shown:
            self._write(_CLEAR)
            self._is_shown = False

    def _left(self, done: int, first: int) -> str:
        if done <= first or done >= self._total:
            return ""
        seconds = round((monotonic() - self._began) / (done - first) * (self._total - done))
        return f", {seconds // 60}:{seconds % 60:02d} left"

    def _write(self, text: str) -> None:
        print(text, end="", file=sys.stderr, flush=True)
