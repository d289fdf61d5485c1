"""``peck login``, ``create``, ``join``, ``leave``, ``enter``, ``withdraw``, ``logs``, ``status``: one's bots on
a site."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from getpass import getpass
from os import environ
from typing import Any

from games.catalogue import GAMES
from games.cli import SITE, Commands, complain, positive, say, site_of
from games.remote import Site, SiteError, output_lines
from games.untrusted import UntrustedError, field, items
from kit.account import account_note, address_of

Said = Callable[[argparse.Namespace], Iterator[str]]


def add_commands(commands: Commands) -> None:
    """Add the commands to the parser of ``peck``."""
    login = commands.add_parser("login", help="note a site and your token for it, which is asked for")
    login.add_argument("site", metavar="SITE", help="its address, such as https://peck.example.org")
    login.set_defaults(run=run_login)
    logs = commands.add_parser("logs", help="what a bot of yours printed in its last games, and how long it took")
    logs.add_argument("bot", **_BOT["bot"])
    logs.add_argument("--match", type=positive, metavar="MATCH", help="in this match")
    logs.add_argument("--grep", default="", metavar="TEXT", help="only what has this text in it; case aside")
    logs.add_argument("--most", type=positive, default=25, help="the number of games, the newest matches first")
    logs.add_argument("--json", action="store_true", help="as the API tells it")
    logs.set_defaults(run=_runner(_logs))
    for name, (summary, words, arguments) in _COMMANDS.items():
        parser = commands.add_parser(name, help=words)
        for argument, more in arguments.items():
            parser.add_argument(argument, **more)
        parser.set_defaults(run=_runner(summary))


def run_login(given: argparse.Namespace) -> int:
    """Ask for the token, see whose it is, and note both."""
    asked = getpass("token (it is not shown): ") if sys.stdin.isatty() else sys.stdin.readline()
    site = Site(address_of(given.site), asked.strip())
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
        return 1
    say(f"signed in as {who}; noted in {path}")
    return 0


def _runner(summary: Said) -> Callable[[argparse.Namespace], int]:
    def run(given: argparse.Namespace) -> int:
        try:
            lines = list(summary(given))
            if lines:
                say(*lines)
        except (SiteError, UntrustedError) as error:
            complain(error)
            return SITE
        return 0

    return run


def _create(given: argparse.Namespace) -> Iterator[str]:
    bot = site_of().create(given.name, given.game)
    yield f"{field(bot, 'slug', str)}: created; peck upload {bot['slug']} bot.py"
    yield field(bot, "page", str)


def _logs(given: argparse.Namespace) -> Iterator[str]:
    games = site_of().output(given.bot, given.most, given.match, given.grep)
    if given.json:
        sys.stdout.write(f"{json.dumps(games)}\n")  # whole, and in ASCII
        return
    for game in games:
        yield from output_lines(game)
    if not games:
        yield "nothing printed that is kept"


def _join(given: argparse.Namespace) -> Iterator[str]:
    site_of().join(given.league, given.bot)
    yield f"{given.bot} has joined {given.league}"


def _leave(given: argparse.Namespace) -> Iterator[str]:
    site_of().leave(given.league, given.bot)
    yield f"{given.bot} has left {given.league}"


def _enter(given: argparse.Namespace) -> Iterator[str]:
    site_of().enter(given.tournament, given.bot, given.invitation)
    yield f"{given.bot} is entered in {given.tournament}"


def _withdraw(given: argparse.Namespace) -> Iterator[str]:
    site_of().withdraw(given.tournament, given.bot)
    yield f"{given.bot} is withdrawn from {given.tournament}"


def _status(given: argparse.Namespace) -> Iterator[str]:
    site = site_of()
    yield f"{field(site.me(), 'username', str)} at {site.address}"
    bots = items(site.bots(), "results", dict)
    for bot in bots:
        current = bot.get("current")
        version = f"version {current}" if isinstance(current, int) else "no accepted version"
        yield f"{field(bot, 'slug', str)}: {field(bot, 'game', str)}, {version}"
    if not bots:
        yield "no bots yet: peck create NAME GAME"


_LEAGUE = {"league": {"metavar": "LEAGUE", "help": "the name in its address"}}
_CUP = {"tournament": {"metavar": "TOURNAMENT", "help": "the name in its address"}}
_BOT: dict[str, dict[str, Any]] = {"bot": {"metavar": "BOT", "help": "the name in the address of your bot's page"}}
_COMMANDS: dict[str, tuple[Said, str, dict[str, dict[str, Any]]]] = {
    "create": (
        _create,
        "create a bot on the site; its first version is uploaded after",
        {"name": {"metavar": "NAME"}, "game": {"help": ", ".join(GAMES)}},
    ),
    "join": (_join, "let a bot of yours join a league", _LEAGUE | _BOT),
    "leave": (_leave, "take a bot of yours out of a league", _LEAGUE | _BOT),
    "enter": (_enter, "enter a bot of yours in a tournament", _CUP | _BOT | {"--invitation": {"default": ""}}),
    "withdraw": (_withdraw, "withdraw a bot of yours from a tournament", _CUP | _BOT),
    "status": (_status, "who you are there, and your bots", {}),
}
