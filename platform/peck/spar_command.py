"""``peck spar``: is a version better than another one? The site plays until that is known, and tells nobody else."""

import argparse
import json
import sys
from time import sleep
from typing import Any, Final

from games.catalogue import UnknownRuleset, find_or_current
from games.ruleset import OptionError
from games.untrusted import field
from peck.cli import FAULT, NOT_SO, USAGE, Commands, complain, options_of, positive, say
from peck.refusals import refusal
from peck.site import Site, SiteError
from peck.site_commands import on

PAUSE: Final = 2.0  # seconds between two questions
CODES: Final = {"better": 0, "forfeited": FAULT}


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``."""
    spar = commands.add_parser("spar", help="let a version of your bot meet another one on the site, in private")
    spar.add_argument("bot", metavar="BOT", help="the name in the address of your bot's page")
    spar.add_argument(
        "opponent", metavar="OPPONENT", nargs="?", help="another bot of yours or a house bot; or the same"
    )
    spar.add_argument("--version", type=positive, help="of your bot; the current one unless given")
    spar.add_argument("--against", type=positive, metavar="VERSION", help="of the opponent; the current one")
    spar.add_argument("--players", type=positive, default=2, help="at the table; the opponent has all other seats")
    spar.add_argument("--ruleset", help="such as pickomino/1; the current one of the game")
    spar.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="of the game; may be repeated"
    )
    spar.add_argument("--blocks", type=positive, help="at most so many")
    spar.add_argument("--effect", type=float, default=0.1, help="the least difference in share of wins that matters")
    spar.add_argument("--error", type=float, default=0.05, help="how often a wrong answer may be given")
    spar.add_argument("--fixed", action="store_true", help="play all blocks; at tables of three and more it must be so")
    spar.add_argument("--json", action="store_true", help="the match as the API tells it")
    spar.add_argument("--no-wait", action="store_true", help="say where the match is, and do not wait for its end")
    spar.set_defaults(run=on(run))


def run(site: Site, given: argparse.Namespace) -> int:
    """Ask for the match, wait for its end, and say what it has shown."""
    try:
        match = site.spar(**_asked(site, given))
        complain(field(match, "page", str))
        while not given.no_wait and field(match, "answer", str) == "open":
            sleep(PAUSE)
            match = site.sparring(field(match, "match", int))
        answer = field(match, "answer", str)
        if given.json:
            sys.stdout.write(f"{json.dumps(match)}\n")  # in ASCII
        else:
            say(field(match, "sentence", str))
    except (OptionError, UnknownRuleset) as error:
        complain(error)
        return USAGE
    except SiteError as error:
        if not error.wrong:
            raise
        complain(refusal(site, given, error))
        return USAGE
    return 0 if given.no_wait else CODES.get(answer, NOT_SO)


def _asked(site: Site, given: argparse.Namespace) -> dict[str, Any]:
    """Return what the API is sent; what was not given is left to the site.

    Raises:
        OptionError, UnknownRuleset: an option that the game does not have, or with a value that it cannot have.
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
        rules = find_or_current(given.ruleset or field(site.bot(given.bot), "game", str))
        request["options"] = options_of(rules, given.option)
    return {name: value for name, value in request.items() if value is not None}
