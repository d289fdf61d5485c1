"""``peck``: what every command of it is made of, and the engine's own: vectors, and proofs of records."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from games.encoding import LONGEST
from games.record import Record, RecordError
from games.ruleset import Ruleset
from games.state import Outcome
from games.untrusted import JSON_BYTES, UntrustedError, one_line, parse_json, read_file
from games.vectors import VectorError, run_vector, vectors_of
from peck.output import OutputError, prepare_output

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

NOT_SO, USAGE, FAULT, SITE = 1, 2, 3, 4
CLOSED_PIPE, INTERRUPTED = 141, 130  # as shells say of a program that a signal ended


def run(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> int:
    """Run the command that ``argv`` gives; its exit code."""
    try:
        prepare_output()
        try:
            given = parser.parse_args(argv)
            code: int = given.run(given)
        finally:
            sys.stdout.flush()
    except OutputError as error:
        error.silence()
        if isinstance(error.reason, BrokenPipeError):  # whoever read the output has enough
            return CLOSED_PIPE
        complain(error)
        return NOT_SO
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def engine_parser() -> tuple[argparse.ArgumentParser, Commands]:
    """Return the parser and its commands, for a room above to add its own to."""
    parser = argparse.ArgumentParser(prog="peck", description="The engine of Pecking Order from the command line.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    vectors = commands.add_parser("vectors", help="run vector files against the engine")
    vectors.add_argument("files", nargs="+", type=Path, metavar="FILE")
    vectors.set_defaults(run=run_vectors)

    verify = commands.add_parser("verify", help="play a game's record again, or all of a tournament: does it hold?")
    verify.add_argument("file", type=Path, metavar="FILE", help="a game's record")
    verify.set_defaults(run=run_verify)

    return parser, commands


def run_vectors(given: argparse.Namespace) -> int:
    passed = failed = 0
    for path in given.files:
        try:
            vectors = vectors_of(parse_json(read_file(path, JSON_BYTES)))
        except (OSError, ValueError) as error:
            say(f"FAIL  {path}: {error}")
            failed += 1
            continue
        for vector in vectors:
            trouble = _trouble(vector)
            name = vector.get("id", "?") if isinstance(vector, dict) else "?"
            say(f"FAIL  {name}: {trouble}" if trouble else f"ok    {name}")
            passed, failed = passed + (not trouble), failed + bool(trouble)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def run_verify(given: argparse.Namespace) -> int:
    try:
        lines = _verified(given.file)
    except (OSError, RecordError, UntrustedError) as error:
        complain(f"does not hold: {error}")
        return 1
    say(*lines)
    return 0


def say(*lines: object) -> None:
    """Print each as one line; whoever wrote parts of it, nothing in it steers the terminal."""
    print("\n".join(map(one_line, lines)))


def complain(error: object) -> None:
    print(one_line(error), file=sys.stderr)


def _verified(path: Path) -> list[str]:
    record = Record.decode(read_file(path, LONGEST))
    outcome = record.verify()
    seats = [f"seat {seat}" for seat in range(record.players)]
    return [f"holds: {record.ruleset}, {len(record.actions)} actions; {_result(seats, outcome)}"]


def positive(text: str) -> int:
    """Return a number from 1 up, for ``argparse``."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)


def _trouble(vector: Any) -> str:
    try:
        run_vector(vector)
    except VectorError as error:
        return str(error)
    except (TypeError, ValueError, AttributeError, LookupError) as error:
        return f"a value of the wrong kind ({type(error).__name__}: {error})"
    return ""


def options_of(ruleset: Ruleset, pairs: list[str]) -> dict[str, Any]:
    """Return the options that ``NAME=VALUE`` give; the ruleset checks them."""
    texts = dict(pair.partition("=")[::2] for pair in pairs)
    return {name: ruleset.options[name].read(text) if name in ruleset.options else text for name, text in texts.items()}


def _result(names: list[str], outcome: Outcome) -> str:
    seats = zip(names, outcome.points, outcome.places, strict=True)
    how = outcome.reason + (f", {outcome.tie_break}" if outcome.tie_break else "")
    return ", ".join(f"{name} {points} (place {place})" for name, points, place in seats) + f"; {how}"
