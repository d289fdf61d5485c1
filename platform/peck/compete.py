"""Commands for competing on a site: ``peck join``, ``leave``, ``enter``, ``withdraw``, ``spar``, ``challenge`` and
more.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any, Final

from games.catalogue import FIRST, GAMES, UnknownRuleset, ruleset_find_or_current
from games.ruleset import OptionError
from games.untrusted import untrusted_field
from peck import FAULT, NOT_SO, OK, USAGE
from peck.account import (
    SiteLines,
    peck_account_agreed,
    peck_account_lines_command,
    peck_account_on_site,
    peck_account_refusal,
)
from peck.cli import Commands, cli_complain, cli_complain_of_file, cli_positive, cli_say, cli_say_json
from peck.connection import SiteError
from peck.listings import BOT
from peck.project import project_bot, project_game, project_note
from peck.series import peck_series_options
from peck.site import Site

PAUSE: Final = 2.0  # seconds between two requests
CODES: Final = {"better": OK, "forfeited": FAULT}


def commands_add(commands: Commands) -> None:
    """Add the commands of this module to ``commands``."""
    join = commands.add_parser("join", help="join a league with a bot")
    join.add_argument("league", **_LEAGUE["league"])
    join.add_argument("bot", **BOT)
    join.add_argument("--cups", action="store_true", help="agree to be entered in the cups of the league, if it asks")
    join.set_defaults(run=peck_account_on_site(_join))

    for name, (lines, summary, arguments) in _COMMANDS.items():
        parser = commands.add_parser(name, help=summary)
        for argument, options in arguments.items():
            parser.add_argument(argument, **options)
        parser.set_defaults(run=peck_account_on_site(peck_account_lines_command(lines)))
    _spar_add(commands)
    _challenge_add(commands)


def _join(site: Site, given: argparse.Namespace) -> int:
    """Let a bot join a league if its author agrees to the terms. Return the exit code."""
    if site.league(given.league).get("enters_cups") is True and not given.cups:
        terms = (
            f"who joins {given.league} agrees that its organiser enters the bot in the league's cups until it leaves;"
            " you get a notice each time, and may withdraw it"
        )
        if not peck_account_agreed(f"{terms}. Join?"):
            cli_complain(f"{terms}: join with --cups")
            return NOT_SO
    site.join(given.league, given.bot)
    cli_say(f"{given.bot} has joined {given.league}")
    return OK


def _create(site: Site, given: argparse.Namespace) -> Iterator[str]:
    """Create a bot, and note its name on the site in ``peck.json`` of the current folder if the name
    comes from there.
    """
    named, game = given.name or project_bot(), given.game or project_game(Path())
    bot = site.create(named, game, given.group, given.team)
    if not given.name and bot.get("slug") != named:
        try:
            project_note(untrusted_field(bot, "slug", str))
        except OSError as error:
            cli_complain_of_file("peck.json", error)
    if given.json:
        cli_say_json(bot)
        return
    yield f"{untrusted_field(bot, 'slug', str)}: created; now: peck upload {bot['slug']} bot.py"
    yield untrusted_field(bot, "page", str)


def _leave(site: Site, given: argparse.Namespace) -> Iterator[str]:
    site.leave(given.league, given.bot)
    yield f"{given.bot} has left {given.league}"


def _answer(text: str) -> tuple[str, str]:
    number, equals, answer = text.partition("=")
    if not (number and equals):
        raise argparse.ArgumentTypeError(f"{text}: give the number of a question and your answer, such as 1=Zurich")
    return number, answer


def _enter(site: Site, given: argparse.Namespace) -> Iterator[str]:
    site.enter(given.tournament, given.bot, given.invitation, dict(given.answer), given.release_source)
    yield f"{given.bot} is entered in {given.tournament}"


def _withdraw(site: Site, given: argparse.Namespace) -> Iterator[str]:
    site.withdraw(given.tournament, given.bot)
    yield f"{given.bot} is withdrawn from {given.tournament}"


def _status(site: Site, given: argparse.Namespace) -> Iterator[str]:
    username, bots = untrusted_field(site.me(), "username", str), site.bots()
    if given.json:
        cli_say_json({"site": site.address, "username": username, "bots": bots})
        return
    yield f"{username} at {site.address}"
    for bot in bots:
        current = bot.get("current")
        version = f"version {current}" if isinstance(current, int) else "no accepted version"
        yield f"{untrusted_field(bot, 'slug', str)}: {untrusted_field(bot, 'game', str)}, {version}"
    if not bots:
        yield "no bots yet: peck create NAME GAME"


def _spar_add(commands: Commands) -> None:
    """Add ``spar`` to ``commands``."""
    spar = commands.add_parser("spar", help="play a private match between versions or bots on the site")
    spar.add_argument("bot", **BOT)
    spar.add_argument(
        "opponent", metavar="OPPONENT", nargs="?", help="another bot of yours, a house bot or the same bot"
    )
    spar.add_argument("--version", type=cli_positive, help="version of your bot; by default the current one")
    spar.add_argument(
        "--against", type=cli_positive, metavar="VERSION", help="version of the opponent; by default the current one"
    )
    spar.add_argument(
        "--players", type=cli_positive, default=2, help="number of seats at the table; the opponent has all but one"
    )
    spar.add_argument(
        "--ruleset", help=f"the rules, such as {GAMES[FIRST].current}; by default the current ones of the game"
    )
    spar.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; may be repeated"
    )
    spar.add_argument("--blocks", type=cli_positive, help="maximum number of blocks")
    spar.add_argument(
        "--effect", type=float, default=0.1, help="the smallest difference in the share of wins that matters"
    )
    spar.add_argument("--error", type=float, default=0.05, help="the accepted probability of a wrong answer")
    spar.add_argument(
        "--fixed",
        action="store_true",
        help="play all blocks, without stopping early; required for three or more players",
    )
    spar.add_argument("--json", action="store_true", help="print the match as JSON, as the API returns it")
    spar.add_argument(
        "--no-wait", action="store_true", help="print the address of the match, and do not wait for its end"
    )
    spar.set_defaults(run=peck_account_on_site(compete_run_spar))


def compete_run_spar(site: Site, given: argparse.Namespace) -> int:
    """Request a private match, wait for its end, and print its result."""
    try:
        match = site.spar(**_spar_request(site, given))
        cli_complain(untrusted_field(match, "page", str))
        while not given.no_wait and untrusted_field(match, "answer", str) == "open":
            sleep(PAUSE)
            match = site.sparring(untrusted_field(match, "match", int))
        answer = untrusted_field(match, "answer", str)
        if given.json:
            sys.stdout.write(f"{json.dumps(match)}\n")  # json.dumps() writes ASCII only
        else:
            cli_say(untrusted_field(match, "sentence", str))
    except (OptionError, UnknownRuleset) as error:
        cli_complain(error)
        return USAGE
    except SiteError as error:
        if not error.wrong:
            raise
        cli_complain(peck_account_refusal(site, given, error))
        return USAGE
    return OK if given.no_wait else CODES.get(answer, NOT_SO)


def _challenge_add(commands: Commands) -> None:
    """Add ``challenge`` to ``commands``."""
    challenge = commands.add_parser("challenge", help="challenge another author's bot to a private match")
    challenge.add_argument("bot", **BOT | {"metavar": "MY-BOT"})
    challenge.add_argument("opponent", metavar="THEIR-BOT", help="the name in the address of the other bot's page")
    challenge.add_argument("--json", action="store_true", help="print the challenge as JSON, as the API returns it")
    challenge.add_argument("--no-wait", action="store_true", help="do not wait for the end of the match")
    challenge.set_defaults(run=peck_account_on_site(compete_run_challenge))


def compete_run_challenge(site: Site, given: argparse.Namespace) -> int:
    """Challenge a bot. Unless its author must agree first, wait for the end and print the result."""
    made = site.challenge(given.bot, given.opponent)
    cli_complain(untrusted_field(made, "page", str))
    while not given.no_wait and made.get("answer") == "open":
        sleep(PAUSE)
        made = site.challenge_now(given.opponent, untrusted_field(made, "id", int))
    if given.json:
        sys.stdout.write(f"{json.dumps(made)}\n")  # json.dumps() writes ASCII only
    else:
        cli_say(untrusted_field(made, "sentence", str))
    if given.no_wait or untrusted_field(made, "state", str) == "asked":
        return OK
    return CODES.get(str(made.get("answer")), NOT_SO)


def _spar_request(site: Site, given: argparse.Namespace) -> dict[str, Any]:
    """Return the body of the request. The site has defaults for missing arguments.

    Raises:
        OptionError, UnknownRuleset: an option or its value is not valid for the game.
        SiteError, UntrustedError: there is no such bot.
    """
    request = {
        "bot": given.bot,
        "opponent": given.opponent,
        "version": given.version,
        "opponent_version": given.against,
        "players": given.players,
        "ruleset": given.ruleset,
        "blocks": given.blocks,
        "effect": given.effect,
        "error": given.error,
        "sequential": not given.fixed,
    }
    if given.option:
        rules = ruleset_find_or_current(given.ruleset or untrusted_field(site.bot(given.bot), "game", str))
        request["options"] = peck_series_options(rules, given.option)
    return {name: value for name, value in request.items() if value is not None}


_LEAGUE: dict[str, dict[str, Any]] = {"league": {"metavar": "LEAGUE", "help": "the name in its address"}}
_CUP = {"tournament": {"metavar": "TOURNAMENT", "help": "the name in its address"}}
_BOT = {"bot": BOT}
_JSON: dict[str, dict[str, Any]] = {
    "--json": {"action": "store_true", "help": "print it as JSON, as the API returns it"}
}
_COMMANDS: dict[str, tuple[SiteLines, str, dict[str, dict[str, Any]]]] = {
    "create": (
        _create,
        "create a bot on the site, before its first upload",
        {
            "name": {"metavar": "NAME", "nargs": "?", "help": "its name; by default the one in peck.json here"},
            "game": {"nargs": "?", "help": f"{', '.join(GAMES)}; by default the one in peck.json here"},
            "--group": {
                "default": "",
                "help": "create it under your alias in this group; the name in the address of the group",
            },
            "--team": {"default": "", "help": "create it as a bot of this team; the name in the address of the team"},
            **_JSON,
        },
    ),
    "leave": (_leave, "leave a league with a bot", _LEAGUE | _BOT),
    "enter": (
        _enter,
        "enter a bot in a tournament",
        {
            **(_CUP | _BOT),
            "--invitation": {"default": "", "help": "the last part of the invitation link"},
            "--answer": {
                "action": "append",
                "default": [],
                "type": _answer,
                "metavar": "NUMBER=TEXT",
                "help": "answer to a question of the tournament; yes to agree",
            },
            "--release-source": {
                "action": "store_true",
                "help": "agree that the tournament releases the source of the bot at the end, if it asks",
            },
        },
    ),
    "withdraw": (_withdraw, "withdraw a bot from a tournament", _CUP | _BOT),
    "status": (_status, "show who you are on the site, and your bots", _JSON),
}
