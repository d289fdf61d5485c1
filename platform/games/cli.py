"""``peck``: vectors, proofs of records, and one's bots on a site, from the command line."""

import argparse
import errno
import io
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from games.encoding import LONGEST
from games.record import Record, RecordError
from games.remote import Site, SiteError, failure_lines, result_line, verdict_lines
from games.ruleset import Ruleset
from games.state import Outcome
from games.untrusted import JSON_BYTES, UntrustedError, field, one_line, parse_json, read_file
from games.vectors import VectorError, run_vector, vectors_of

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


NOT_SO, USAGE, FAULT, SITE = 1, 2, 3, 4
CLOSED_PIPE, INTERRUPTED = 141, 130  # as shells say of a program that a signal ended


def main(argv: Sequence[str] | None = None) -> int:
    """Run the engine's part of ``peck``; the exit code is 0 if all went well, 1 if something did not hold, 2 for a
    wrong call."""
    return run(engine_parser()[0], argv)


def run(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> int:
    """Run the command that ``argv`` gives; its exit code."""
    for stream in (sys.stdout, sys.stderr):  # what a terminal or a pipe has no letter for is shown as another one
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        given = parser.parse_args(argv)
        code: int = given.run(given)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has enough: nothing is left to say, at the exit neither
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except OSError as error:
        if error.filename is not None or error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        complain(f"the output cannot be written: {error.strerror}")
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

    on_site = "on the site of peck login, or of PECK_SITE with PECK_TOKEN"
    upload = commands.add_parser("upload", help=f"upload a version of your bot {on_site}")
    upload.add_argument("bot", metavar="BOT", help="the name in the address of the bot's page")
    upload.add_argument("file", type=Path, metavar="FILE", help="a .py file, or a .zip with bot.py at its root")
    upload.add_argument("--current", action="store_true", help="make the version current that the file is already")
    upload.set_defaults(run=run_upload)

    results = commands.add_parser("results", help=f"the last matches of a bot {on_site}")
    results.add_argument("bot", metavar="BOT")
    results.add_argument("--most", type=positive, default=20, help="how many, up to 100")
    results.set_defaults(run=run_results)

    failure = commands.add_parser("failure", help=f"where your bot failed last {on_site}, and the file to replay it")
    failure.add_argument("bot", metavar="BOT")
    failure.add_argument("--match", type=positive, help="in this match")
    failure.add_argument("--file", type=Path, help="where to write all that it was asked (failure-MATCH-GAME.zip)")
    failure.add_argument("--view", type=Path, help="write the one view that it failed on here instead")
    failure.set_defaults(run=run_failure)

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


def run_upload(given: argparse.Namespace) -> int:
    try:
        site = site_of()
        version = site.upload(given.bot, given.file)
        say(*verdict_lines(version))
        if version["state"] == "accepted" and not field(version, "is_current", bool):
            return _make_current(site, given, field(version, "number", int))
    except OSError as error:
        complain(f"{error.filename or given.file}: {error.strerror or error}")
        return USAGE
    except (SiteError, UntrustedError) as error:
        complain(error)
        return FAULT if getattr(error, "field", "") == "file" else SITE
    return {"accepted": 0, "refused": FAULT}.get(version["state"], NOT_SO)


def _make_current(site: Site, given: argparse.Namespace, number: int) -> int:
    """Let an accepted version play again where its author says so; 1 if another one stays current."""
    current = field(site.bot(given.bot), "current", int)
    known = f"this file is already version {number}; version {current} is current"
    if not given.current and sys.stdin.isatty():
        sys.stderr.write(f"{known}: make version {number} current? [y/N] ")
        sys.stderr.flush()
        given.current = sys.stdin.readline().strip().lower() in ("y", "yes")
    if not given.current:
        complain(f"{known} and stays so; with --current version {number} plays again")
        return NOT_SO
    site.make_current(given.bot, number)
    say(f"version {number} is current now: new matches use it")
    return 0


def run_results(given: argparse.Namespace) -> int:
    try:
        results = site_of().results(given.bot, given.most)
        say(*(map(result_line, results) if results else ["no finished match that everyone may look at yet"]))
    except (SiteError, UntrustedError) as error:
        complain(error)
        return SITE
    return 0


def run_failure(given: argparse.Namespace) -> int:
    try:
        site = site_of()
        failure = site.failure(given.bot, given.match)
        if failure is None:
            say("no failure")
            return 0
        say(*failure_lines(failure))
        _bring_home(site, given, failure)
    except OSError as error:
        complain(f"{error.filename}: {error.strerror or error}")
        return NOT_SO
    except (SiteError, UntrustedError) as error:
        complain(error)
        return SITE
    return 0


def _bring_home(site: Site, given: argparse.Namespace, failure: Mapping[str, Any]) -> None:
    """Write the file with which the failure happens again; the last view alone where it is asked for.

    Raises:
        SiteError, UntrustedError: the site does not give it.
        OSError: it cannot be written.
    """
    if given.view:
        if failure.get("view") is None:
            say("it failed before it was given a view")
            return
        given.view.write_text(json.dumps(failure["view"], indent=1), encoding="utf-8")
        say(f"the view is in {given.view}: peck replay bot.py {given.view}")
        return
    match, game = (field(failure, name, int) for name in ("match", "game"))
    try:
        data = site.failure_file(given.bot, match, game)
    except SiteError as error:
        if error.status != 404:
            raise
        say("its file is not kept any more: there is nothing to replay")
        return
    file = given.file or Path(f"failure-{match}-{game + 1}.zip")
    file.write_bytes(data)
    say(f"all that it was asked is in {file}: peck replay {file} bot.py")


accounts: list[Callable[[Mapping[str, str]], Mapping[str, str]]] = []  # what knows of a login, see ``kit.account``


def site_of() -> Site:
    """Return the site that the environment names, or else the one that was logged in to."""
    environment: Mapping[str, str] = os.environ
    for account in accounts:
        environment = account(environment)
    site = Site.named(environment)
    if site.sends_token_in_the_clear:
        complain(f"warning: {site.address} is not https: the token in PECK_TOKEN can be read on the way")
    return site


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


if __name__ == "__main__":
    sys.exit(main())
