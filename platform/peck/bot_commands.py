"""``peck upload``, ``download``, ``failure`` and ``logs``: an author's bot on a site."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from games.untrusted import untrusted_field, untrusted_items, untrusted_lines_quoted
from peck import FAULT, NOT_SO, OK, USAGE, text_counted
from peck.account import peck_account_agreed, peck_account_lines_command, peck_account_on_site
from peck.bots import NoBotError
from peck.cli import Commands, cli_add_json, cli_complain, cli_complain_of_file, cli_positive, cli_say, cli_say_json
from peck.connection import SiteError
from peck.listings import BOT
from peck.site import Site

AUTHORSHIPS: Final = ("hand", "assisted", "agent")


def commands_add(commands: Commands) -> None:
    """Add the commands of this module to ``commands``."""
    upload = commands.add_parser("upload", help="upload a version of your bot")
    upload.add_argument("bot", **BOT)
    upload.add_argument("file", type=Path, metavar="FILE", help="a .py file, a .zip, or a folder with bot.py")
    upload.add_argument("--message", "-m", default="", help="what changed, in one line; only you see it")
    upload.add_argument("--authorship", choices=AUTHORSHIPS, default="", help="how it was written; everybody sees it")
    upload.add_argument("--model", default="", metavar="NAME", help="the model that wrote it or helped")
    upload.add_argument("--current", action="store_true", help="if an earlier version has this file, make it current")
    cli_add_json(upload, "print the version as JSON, as the API returns it")
    upload.set_defaults(run=peck_account_on_site(_upload), beside="file")

    download = commands.add_parser("download", help="download a version of your bot as it was uploaded")
    download.add_argument("bot", **BOT)
    download.add_argument("--version", type=cli_positive, help="number of the version; by default the current one")
    download.add_argument(
        "-o", dest="file", type=Path, metavar="FILE", help="the file to write (default: BOT-vVERSION.py or .zip)"
    )
    cli_add_json(download)
    download.set_defaults(run=peck_account_on_site(_download))

    failure = commands.add_parser("failure", help="the last failure of your bot, as a file for peck replay")
    failure.add_argument("bot", **BOT)
    failure.add_argument(
        "--match",
        type=cli_positive,
        help="the failure in this match; by default that of the check if it refused the newest version",
    )
    failure.add_argument(
        "--file",
        type=Path,
        help="where to write all views that it was given (failure-MATCH-GAME.zip, failure-check-VERSION.zip)",
    )
    failure.add_argument("--view", type=Path, help="write only the view on which it failed, to this file")
    cli_add_json(
        failure, "print the failure, or the refused version, as JSON, as the API returns it; null if there is none"
    )
    failure.set_defaults(run=peck_account_on_site(_failure))

    logs = commands.add_parser("logs", help="what a bot of yours printed in its last games, and how long it took")
    logs.add_argument("bot", **BOT)
    logs.add_argument("--match", type=cli_positive, metavar="MATCH", help="only games of this match")
    logs.add_argument("--grep", default="", metavar="TEXT", help="only output that contains this text, ignoring case")
    logs.add_argument("--most", type=cli_positive, default=25, help="the number of games, the newest matches first")
    logs.add_argument("--json", action="store_true", help="print it as JSON, as the API returns it")
    logs.set_defaults(run=peck_account_on_site(peck_account_lines_command(_logs)))


def _upload(site: Site, given: argparse.Namespace) -> int:
    try:
        version = site.upload(
            given.bot, given.file, message=given.message, authorship=given.authorship, model=given.model
        )
    except NoBotError as error:
        cli_complain(error)
        return USAGE
    except OSError as error:
        cli_complain_of_file(given.file, error)
        return USAGE
    if given.json:
        cli_say_json(version)
    else:
        cli_say(*bot_verdict_lines(version))
    if version["state"] == "accepted" and not untrusted_field(version, "is_current", bool):
        return _make_current(site, given, untrusted_field(version, "number", int))
    return {"accepted": OK, "refused": FAULT}.get(version["state"], NOT_SO)


def _make_current(site: Site, given: argparse.Namespace, number: int) -> int:
    """Make an accepted version current if its author agrees. Return the exit code."""
    current = untrusted_field(site.bot(given.bot), "current", int)
    known = f"this file is already version {number}; version {current} is current"
    if not given.current and not peck_account_agreed(f"{known}: make version {number} current?"):
        cli_complain(f"{known} and stays so; with --current version {number} plays again")
        return NOT_SO
    site.make_current(given.bot, number)
    if not given.json:
        cli_say(f"version {number} is current now: new matches use it")
    return OK


def _download(site: Site, given: argparse.Namespace) -> int:
    """Write the file of a version. Return the exit code."""
    number = given.version or site.bot(given.bot).get("current")
    if not isinstance(number, int):
        cli_complain(f"{given.bot} has no accepted version; peck versions {given.bot} lists them")
        return NOT_SO
    data = site.source(given.bot, number)
    kind = ".zip" if data.startswith(b"PK") else ".py"
    file = given.file or Path(f"{given.bot}-v{number}{kind}")
    if file.suffix != kind:
        cli_complain(f"-o {file}: version {number} is a {kind} file")
        return USAGE
    try:
        file.write_bytes(data)
    except OSError as error:
        cli_complain_of_file(file, error)
        return NOT_SO
    if given.json:
        cli_say_json({"version": number, "file": str(file)})
    else:
        cli_say(f"version {number} of {given.bot} is in {file}")
    return OK


def _failure(site: Site, given: argparse.Namespace) -> int:
    try:
        newest = None if given.match else site.newest_version(given.bot)
        if newest and newest["state"] == "refused":
            if not given.json:
                cli_say(*bot_verdict_lines(newest))
            number = untrusted_field(newest, "number", int)
            view = (newest.get("report") or {}).get("view")
            told = _save(given, view, f"check-{number}", lambda: site.check_failure_file(given.bot, number))
            _say_saved(given, "version", newest, told)
            return OK
        failure = site.failure(given.bot, given.match)
        if failure is None:
            cli_say_json({"failure": None, "file": None}) if given.json else cli_say("no failure")
            return OK
        if not given.json:
            cli_say(*bot_failure_lines(failure))
        match, game = (untrusted_field(failure, name, int) for name in ("match", "game"))
        name = f"{match}-{game + 1}"
        told = _save(given, failure.get("view"), name, lambda: site.failure_file(given.bot, match, game))
        _say_saved(given, "failure", failure, told)
    except OSError as error:
        cli_complain_of_file(given.file, error)
        return NOT_SO
    return OK


def _say_saved(given: argparse.Namespace, what: str, data: Mapping[str, Any], saved: tuple[Path | None, str]) -> None:
    file, sentence = saved
    if given.json:
        cli_say_json({what: data, "file": None if file is None else str(file)})
    else:
        cli_say(sentence)


def _save(given: argparse.Namespace, view: object, name: str, fetched: Callable[[], bytes]) -> tuple[Path | None, str]:
    """Write the file with which ``peck replay`` repeats a failure. With ``--view``, write only the last view. Return
    the path of the file, and a sentence about the file.

    Raises:
        SiteError, UntrustedError: the site refuses, or its answer is malformed.
        OSError: it cannot be written.
    """
    if given.view:
        if view is None:
            return None, "it failed before it was given a view"
        given.view.write_text(json.dumps(view, indent=1), encoding="utf-8")
        return given.view, f"the view is in {given.view}: peck replay {given.view} bot.py"
    try:
        data = fetched()
    except SiteError as error:
        if error.status != 404:
            raise
        return None, "its file is no longer stored, so there is nothing to replay"
    file = given.file or Path(f"failure-{name}.zip")
    file.write_bytes(data)
    return file, f"all views that it was given are in {file}: peck replay {file} bot.py"


def _logs(site: Site, given: argparse.Namespace) -> Iterator[str]:
    games = site.output(given.bot, given.most, given.match, given.grep)
    if given.json:
        sys.stdout.write(f"{json.dumps(games)}\n")  # as one line in ASCII
        return
    for game in games:
        yield from bot_commands_output_lines(game)
    if not games:
        yield "no stored output"


def bot_verdict_lines(version: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the check said of a version.

    Raises:
        UntrustedError: the site's answer lacks a field.
    """
    yield f"version {untrusted_field(version, 'number', int)}: {untrusted_field(version, 'state', str)}"
    report = version.get("report") or {}
    if isinstance(report, dict):
        if verdict := report.get("verdict"):
            yield str(verdict)
        for name in ("exception", "detail"):
            yield from untrusted_lines_quoted(report.get(name) or "")
    yield untrusted_field(version, "page", str)


def bot_failure_lines(failure: Mapping[str, Any]) -> Iterator[str]:
    """Yield what happened, where, and what to do about it.

    Raises:
        UntrustedError: see ``bot_verdict_lines``.
    """
    match, game, action, version = (
        untrusted_field(failure, name, int) for name in ("match", "game", "action", "version")
    )
    yield f"match {match}, game {game + 1}, action {action + 1}: v{version}"
    yield f"{untrusted_field(failure, 'title', str)} {untrusted_field(failure, 'advice', str)}"
    yield from untrusted_lines_quoted(
        untrusted_field(failure, "detail", str) or untrusted_field(failure, "exception", str)
    )
    if answer := untrusted_field(failure, "answer", str):
        yield f"it answered {answer!r}"
    if failure.get("limit") is not None:
        cpu, wall, limit = (untrusted_field(failure, name, (float, int)) for name in ("cpu", "wall", "limit"))
        yield f"{cpu:.3f} s of processor, {wall:.3f} s by the clock; the limit is {limit} s"
    if output := untrusted_field(failure, "output", str):
        yield "it printed:"
        yield from untrusted_lines_quoted(output)


def bot_commands_output_lines(game: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines with what a bot printed in a game. Each print is preceded by the number of actions that were played
    before it.

    Raises:
        UntrustedError: see ``bot_verdict_lines``.
    """
    match, index, version, actions = (
        untrusted_field(game, name, int) for name in ("match", "game", "version", "actions")
    )
    slowest, limit = (untrusted_field(game, name, (float, int)) for name in ("slowest_ms", "limit_ms"))
    did = text_counted(actions, "action")
    yield f"match {match}, game {index + 1}: v{version}, {did}, the slowest {slowest:.1f} of {limit:.0f} ms"
    if cut := untrusted_field(game, "cut", int):
        yield f"  {text_counted(cut, 'character')} before are not stored"
    for one in untrusted_items(game, "prints", dict):
        yield f"  after action {untrusted_field(one, 'action', int)}:"
        yield from untrusted_lines_quoted(untrusted_field(one, "text", str))
