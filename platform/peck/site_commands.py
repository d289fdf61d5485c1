"""``peck login``, ``upload``, ``results``, ``failure``, ``logs``, ``create``, ``join``, ``leave``, ``enter``,
``withdraw``, ``status``: one's bots on a site."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from getpass import getpass
from os import environ
from pathlib import Path
from typing import Any

from games.catalogue import GAMES
from games.untrusted import UntrustedError, field
from peck.account import account_note, site_of
from peck.cli import FAULT, NOT_SO, SITE, USAGE, Commands, complain, positive, say
from peck.refusals import refusal
from peck.site import Site, SiteError, address_of
from peck.site_answers import failure_lines, output_lines, result_line, verdict_lines

Asked = Callable[[Site, argparse.Namespace], int]
Said = Callable[[Site, argparse.Namespace], Iterator[str]]


def add_commands(commands: Commands) -> None:
    """Add the commands to the parser of ``peck``."""
    login = commands.add_parser("login", help="note a site and your token for it, which is asked for")
    login.add_argument("site", metavar="SITE", help="its address, such as https://peck.example.org")
    login.set_defaults(run=run_login)

    on_site = "on the site of peck login, or of PECK_SITE with PECK_TOKEN"
    upload = commands.add_parser("upload", help=f"upload a version of your bot {on_site}")
    upload.add_argument("bot", **_BOT["bot"])
    upload.add_argument("file", type=Path, metavar="FILE", help="a .py file, or a .zip with bot.py at its root")
    upload.add_argument("--current", action="store_true", help="make the version current that the file is already")
    upload.set_defaults(run=on(_upload))

    results = commands.add_parser("results", help=f"the last matches of a bot {on_site}")
    results.add_argument("bot", metavar="BOT")
    results.add_argument("--most", type=positive, default=20, help="how many, up to 100")
    results.set_defaults(run=on(_said(_results)))

    failure = commands.add_parser("failure", help=f"where your bot failed last {on_site}, and the file to replay it")
    failure.add_argument("bot", **_BOT["bot"])
    failure.add_argument("--match", type=positive, help="in this match")
    failure.add_argument("--file", type=Path, help="where to write all that it was asked (failure-MATCH-GAME.zip)")
    failure.add_argument("--view", type=Path, help="write the one view that it failed on here instead")
    failure.set_defaults(run=on(_failure))

    logs = commands.add_parser("logs", help="what a bot of yours printed in its last games, and how long it took")
    logs.add_argument("bot", **_BOT["bot"])
    logs.add_argument("--match", type=positive, metavar="MATCH", help="in this match")
    logs.add_argument("--grep", default="", metavar="TEXT", help="only what has this text in it; case aside")
    logs.add_argument("--most", type=positive, default=25, help="the number of games, the newest matches first")
    logs.add_argument("--json", action="store_true", help="as the API tells it")
    logs.set_defaults(run=on(_said(_logs)))

    join = commands.add_parser("join", help=f"let a bot of yours join a league {on_site}")
    join.add_argument("league", **_LEAGUE["league"])
    join.add_argument("bot", **_BOT["bot"])
    join.add_argument("--cups", action="store_true", help="agree to be entered in the cups of the league, if it asks")
    join.set_defaults(run=on(_join))

    for name, (summary, words, arguments) in _COMMANDS.items():
        parser = commands.add_parser(name, help=words)
        for argument, more in arguments.items():
            parser.add_argument(argument, **more)
        parser.set_defaults(run=on(_said(summary)))


def on(asked: Asked) -> Callable[[argparse.Namespace], int]:
    """Return the command that asks the site of the login, or of the environment; what it refuses is said in terms of
    the call.
    """

    def run(given: argparse.Namespace) -> int:
        try:
            site = site_of(environ)
        except SiteError as error:
            complain(f"PECK_SITE: {error}")
            return USAGE
        if site.sends_token_in_the_clear:
            complain(f"warning: {site.address} is not https: the token in PECK_TOKEN can be read on the way")
        try:
            return asked(site, given)
        except SiteError as error:
            complain(refusal(site, given, error))
            return FAULT if "file" in error.wrong else SITE
        except UntrustedError as error:
            complain(error)
            return SITE

    return run


def run_login(given: argparse.Namespace) -> int:
    """Ask for the token, see whose it is, and note both."""
    try:
        address = address_of(given.site)
    except SiteError as error:
        complain(f"SITE: {error}")
        return USAGE
    asked = getpass("token (it is not shown): ") if sys.stdin.isatty() else sys.stdin.readline()
    site = Site(address, asked.strip())
    if site.sends_token_in_the_clear:
        complain(f"warning: {site.address} is not https: the token can be read on the way")
    try:
        who = field(site.me(), "username", str)
        path = account_note(site, environ)
    except (SiteError, UntrustedError) as error:
        complain(error)
        return SITE
    except OSError as error:
        complain(f"{error.filename}: {error.strerror or error}")
        return NOT_SO
    say(f"signed in as {who}; noted in {path}")
    return 0


def _said(summary: Said) -> Asked:
    def run(site: Site, given: argparse.Namespace) -> int:
        lines = list(summary(site, given))
        if lines:
            say(*lines)
        return 0

    return run


def _upload(site: Site, given: argparse.Namespace) -> int:
    try:
        version = site.upload(given.bot, given.file)
    except OSError as error:
        complain(f"{error.filename or given.file}: {error.strerror or error}")
        return USAGE
    say(*verdict_lines(version))
    if version["state"] == "accepted" and not field(version, "is_current", bool):
        return _make_current(site, given, field(version, "number", int))
    return {"accepted": 0, "refused": FAULT}.get(version["state"], NOT_SO)


def _make_current(site: Site, given: argparse.Namespace, number: int) -> int:
    """Let an accepted version play again where its author says so; 1 if another one stays current."""
    current = field(site.bot(given.bot), "current", int)
    known = f"this file is already version {number}; version {current} is current"
    if not given.current and not _agreed(f"{known}: make version {number} current?"):
        complain(f"{known} and stays so; with --current version {number} plays again")
        return NOT_SO
    site.make_current(given.bot, number)
    say(f"version {number} is current now: new matches use it")
    return 0


def _results(site: Site, given: argparse.Namespace) -> Iterator[str]:
    results = site.results(given.bot, given.most)
    yield from map(result_line, results)
    if not results:
        yield "no finished match that everyone may look at yet"


def _failure(site: Site, given: argparse.Namespace) -> int:
    failure = site.failure(given.bot, given.match)
    if failure is None:
        say("no failure")
        return 0
    say(*failure_lines(failure))
    try:
        _bring_home(site, given, failure)
    except OSError as error:
        complain(f"{error.filename}: {error.strerror or error}")
        return NOT_SO
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


def _create(site: Site, given: argparse.Namespace) -> Iterator[str]:
    bot = site.create(given.name, given.game)
    yield f"{field(bot, 'slug', str)}: created; peck upload {bot['slug']} bot.py"
    yield field(bot, "page", str)


def _logs(site: Site, given: argparse.Namespace) -> Iterator[str]:
    games = site.output(given.bot, given.most, given.match, given.grep)
    if given.json:
        sys.stdout.write(f"{json.dumps(games)}\n")  # whole, and in ASCII
        return
    for game in games:
        yield from output_lines(game)
    if not games:
        yield "nothing printed that is kept"


def _join(site: Site, given: argparse.Namespace) -> int:
    """Let a bot join where its author agrees to all that joining means; 1 if not."""
    if site.league(given.league).get("enters_cups") is True and not given.cups:
        told = (
            f"who joins {given.league} agrees that its organiser enters the bot in the league's cups until it leaves;"
            " you get a letter each time, and may withdraw it"
        )
        if not _agreed(f"{told}. Join?"):
            complain(f"{told}: join with --cups")
            return NOT_SO
    site.join(given.league, given.bot)
    say(f"{given.bot} has joined {given.league}")
    return 0


def _agreed(question: str) -> bool:
    """Ask somebody who sits at a terminal; nobody else has agreed."""
    if not sys.stdin.isatty():
        return False
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _leave(site: Site, given: argparse.Namespace) -> Iterator[str]:
    site.leave(given.league, given.bot)
    yield f"{given.bot} has left {given.league}"


def _enter(site: Site, given: argparse.Namespace) -> Iterator[str]:
    site.enter(given.tournament, given.bot, given.invitation)
    yield f"{given.bot} is entered in {given.tournament}"


def _withdraw(site: Site, given: argparse.Namespace) -> Iterator[str]:
    site.withdraw(given.tournament, given.bot)
    yield f"{given.bot} is withdrawn from {given.tournament}"


def _status(site: Site, _given: argparse.Namespace) -> Iterator[str]:
    yield f"{field(site.me(), 'username', str)} at {site.address}"
    bots = site.bots()
    for bot in bots:
        current = bot.get("current")
        version = f"version {current}" if isinstance(current, int) else "no accepted version"
        yield f"{field(bot, 'slug', str)}: {field(bot, 'game', str)}, {version}"
    if not bots:
        yield "no bots yet: peck create NAME GAME"


_LEAGUE: dict[str, dict[str, Any]] = {"league": {"metavar": "LEAGUE", "help": "the name in its address"}}
_CUP = {"tournament": {"metavar": "TOURNAMENT", "help": "the name in its address"}}
_BOT: dict[str, dict[str, Any]] = {"bot": {"metavar": "BOT", "help": "the name in the address of your bot's page"}}
_COMMANDS: dict[str, tuple[Said, str, dict[str, dict[str, Any]]]] = {
    "create": (
        _create,
        "create a bot on the site; its first version is uploaded after",
        {"name": {"metavar": "NAME"}, "game": {"help": ", ".join(GAMES)}},
    ),
    "leave": (_leave, "take a bot of yours out of a league", _LEAGUE | _BOT),
    "enter": (_enter, "enter a bot of yours in a tournament", _CUP | _BOT | {"--invitation": {"default": ""}}),
    "withdraw": (_withdraw, "withdraw a bot of yours from a tournament", _CUP | _BOT),
    "status": (_status, "who you are there, and your bots", {}),
}
