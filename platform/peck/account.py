"""``peck login``, the stored account, and messages for a site's refusals in terms of the command line."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from getpass import getpass
from pathlib import Path
from typing import Any, Final, TypeAlias

from bots.uploads import USUAL, WIDEST, UploadLimits
from games.catalogue import GAMES
from games.untrusted import UntrustedError, untrusted_field, untrusted_file_read, untrusted_json_parse
from peck import FAULT, NOT_SO, OK, SITE, USAGE
from peck.cli import Commands, cli_complain, cli_complain_of_file, cli_say
from peck.connection import SiteError, connection_address
from peck.project import ProjectError, project_bot
from peck.site import Site

SiteCommand: TypeAlias = Callable[[Site, argparse.Namespace], int]
SiteLines: TypeAlias = Callable[[Site, argparse.Namespace], Iterator[str]]

FILE: Final = "login.json"
LISTED: Final = 10  # names that are listed if none is close
CLOSE: Final = 0.5  # the smallest ratio of difflib at which names count as close
ARGUMENTS: Final[Mapping[str, str]] = {
    **{name: name.upper() for name in ("bot", "opponent", "league", "tournament", "name", "game", "file")},
    "one": "BOT",
    "opponent_version": "--against",
    "sequential": "--fixed",
}


def command_add(commands: Commands) -> None:
    """Add ``login`` to ``commands``."""
    login = commands.add_parser("login", help="save a site and your access token for it")
    login.add_argument("site", metavar="SITE", help="address of the site, such as https://peck.example.org")
    login.set_defaults(run=run_login)


def run_login(given: argparse.Namespace) -> int:
    """Ask for the token, check it with the site, and store site and token."""
    try:
        address = connection_address(given.site)
    except SiteError as error:
        cli_complain(f"SITE: {error}")
        return USAGE
    token = getpass("token (it is not shown): ") if sys.stdin.isatty() else sys.stdin.readline()
    site = Site(address, token.strip())
    if site.sends_token_in_the_clear:
        cli_complain(f"warning: {site.address} is not https: the token can be read on the way")
    try:
        me = site.me()
        who = untrusted_field(me, "username", str)
        path = peck_account_store(site, os.environ, me.get("upload_limits"))
    except (SiteError, UntrustedError) as error:
        cli_complain(error)
        return SITE
    except OSError as error:
        cli_complain_of_file(FILE, error)
        return NOT_SO
    cli_say(f"signed in as {who}; saved in {path}")
    return OK


def peck_account_on_site(command: SiteCommand) -> Callable[[argparse.Namespace], int]:
    """Return a command that runs ``command`` with the site of the login or the environment. It prints refusals in terms
    of the command line.
    """

    def run(given: argparse.Namespace) -> int:
        try:
            site = peck_account_site(os.environ)
        except SiteError as error:
            cli_complain(f"PECK_SITE: {error}")
            return USAGE
        if site.sends_token_in_the_clear:
            cli_complain(f"warning: {site.address} is not https: the token in PECK_TOKEN can be read on the way")
        try:
            if getattr(given, "bot", "") is None:
                given.bot = project_bot(getattr(given, getattr(given, "beside", ""), Path()))
            return command(site, given)
        except ProjectError as error:
            cli_complain(error)
            return USAGE
        except SiteError as error:
            cli_complain(peck_account_refusal(site, given, error))
            return FAULT if "file" in error.wrong else SITE
        except UntrustedError as error:
            cli_complain(error)
            return SITE

    return run


def peck_account_lines_command(lines: SiteLines) -> SiteCommand:
    """Return a command that prints these lines."""

    def run(site: Site, given: argparse.Namespace) -> int:
        if found := list(lines(site, given)):
            cli_say(*found)
        return OK

    return run


def peck_account_own_bot() -> str:
    """Return the name of the bot in ``peck.json`` of the current folder, "" if there is none."""
    try:
        return project_bot()
    except ProjectError:
        return ""


def peck_account_agreed(question: str) -> bool:
    """Ask a yes-no question at the terminal. Return False without a terminal."""
    if not sys.stdin.isatty():
        return False
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def peck_account_path(environment: Mapping[str, str]) -> Path:
    """Return the path of the stored login, in the system's folder for configuration."""
    place = environment.get("XDG_CONFIG_HOME") or environment.get("APPDATA")
    return (Path(place) if place else Path.home() / ".config") / "peck" / FILE


def peck_account_store(site: Site, environment: Mapping[str, str], limits: object = None) -> Path:
    """Store the site, its token and its limits of uploads. The file is written atomically, and only its owner can read
    it.

    Raises:
        OSError: the file cannot be written.
    """
    path = peck_account_path(environment)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        with open(part, "w", encoding="utf-8", opener=_owner_only) as file:
            json.dump({"site": site.address, "token": site.token, "upload_limits": limits}, file)
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise
    return path


def peck_account_upload_limits(environment: Mapping[str, str]) -> UploadLimits:
    """Return the limits of uploads that the site of the last ``peck login`` declared. If the environment names another
    site, return the default limits.
    """
    try:
        account = untrusted_json_parse(untrusted_file_read(peck_account_path(environment), 4096))
        limits = {name: int(account["upload_limits"][name]) for name in UploadLimits.__slots__}
        is_asked = connection_address(environment.get("PECK_SITE") or account["site"]) == account["site"]
    except (OSError, UntrustedError, SiteError, LookupError, TypeError, ValueError, AttributeError):
        return USUAL
    widest = {name: min(value, getattr(WIDEST, name)) for name, value in limits.items()}
    return UploadLimits(**widest) if is_asked else USUAL


def peck_account_site(environment: Mapping[str, str]) -> Site:
    """Return the site of the environment, or else of the last ``peck login``.

    Raises:
        SiteError: the name is not an address.
    """
    return Site.named(_environment_of(environment))


def _environment_of(environment: Mapping[str, str]) -> Mapping[str, str]:
    """Return the environment, completed with the stored site and token. The stored token is used only for the site that
    it belongs to.
    """
    try:
        account = untrusted_json_parse(untrusted_file_read(peck_account_path(environment), 4096))
        site, token = str(account["site"]), str(account["token"])
    except (OSError, UntrustedError, LookupError, TypeError):
        return environment
    address = connection_address(environment.get("PECK_SITE") or site)
    return {**({"PECK_TOKEN": token} if address == site else {}), **environment, "PECK_SITE": address}


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def peck_account_refusal(site: Site, given: argparse.Namespace, error: SiteError) -> str:
    """Return the message for a refusal. If the site does not know a name, request the names that it knows and suggest
    one.
    """
    if error.status == 401:
        return _without_token(site, error)
    if error.status == 0:
        return f"{error}; {_other_site(site, os.environ)}"
    if error.status == 404 or error.code == "unknown_bot":
        try:
            for argument, look in _LOOKS.items():
                name = getattr(given, argument, None)
                if name and (reason := look(site, name)):
                    return f"{ARGUMENTS.get(argument, argument.upper())} {name!r}: {reason}"
            if (number := getattr(given, "version", None)) and (bot := getattr(given, "bot", None)):
                return _no_version(site, bot, number)
        except (SiteError, UntrustedError):
            return str(error)
        if one := getattr(given, "one", None):
            return (
                f"BOT {one!r}, OPPONENT {given.opponent!r}: {given.league} has not had both on its ladder this season"
            )
        for argument, act in (("league", "has joined"), ("tournament", "is entered in")):
            if contest := getattr(given, argument, None):
                return f"BOT {given.bot!r}: no bot of this name {act} {contest}"
    if error.wrong:
        return "; ".join(f"{_argument(name)}: {detail}" for name, detail in error.wrong.items())
    return str(error)


def peck_account_names_close_to(name: str, known: Iterable[str], *, most: int = LISTED) -> str:
    """Return the known names close to ``name``, or else all known names, as the end of a sentence.

    >>> peck_account_names_close_to("Rosster", ["crow", "rooster"])
    'did you mean rooster?'
    """
    names = list(dict.fromkeys(known))
    if close := get_close_matches("-".join(name.lower().split()), names, cutoff=CLOSE):
        return f"did you mean {' or '.join(close)}?"
    listed = ", ".join(names[:most])
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"there are {listed}{more}" if names else "there are none"


def _without_token(site: Site, error: SiteError) -> str:
    if site.token:
        return f"{error}; peck login {site.address} takes another token"
    return f"this needs a token, and none is known for {site.address}: peck login {site.address}"


def _other_site(site: Site, environment: Mapping[str, str]) -> str:
    """Return a sentence on how to name another site, for the case that this site does not answer."""
    if environment.get("PECK_SITE"):
        return "PECK_SITE names the site"
    if peck_account_path(environment).is_file():
        return "peck login SITE names another"
    return f"no site is known yet, so peck uses {site.address}: run peck login SITE first"


def _no_version(site: Site, bot: str, number: int) -> str:
    there = [str(untrusted_field(one, "number", int)) for one in site.versions(bot)]
    known = ", ".join(reversed(there)) or "none"
    return f"{bot} has no version {number}: there are {known}; peck versions {bot} lists them"


def _argument(name: str) -> str:
    first = name.partition(".")[0]
    return ARGUMENTS.get(first, f"--{first.replace('_', '-')}")


def _own_bot(site: Site, name: str) -> str:
    """Return a sentence that the bot does not belong to the user, or "" if it does."""
    if not site.token:
        return f"there is no such bot at {site.address}"
    own = _slugs(site.bots())
    if name in own:
        return ""
    return (
        f"you have no such bot at {site.address}: "
        f"{peck_account_names_close_to(name, own) if own else 'peck create NAME GAME'}"
    )


def _opponent(site: Site, name: str) -> str:
    if _is_there(lambda: site.bot(name)):
        return ""
    house = [bot.slug for game in GAMES.values() for bot in game.house_bots]
    own = _slugs(site.bots()) if site.token else []
    return f"there is no such bot at {site.address}: {peck_account_names_close_to(name, [*own, *house])}"


def _group(site: Site, name: str) -> str:
    if _is_there(lambda: site.group(name)):
        return ""
    return f"there is no such group at {site.address}: {peck_account_names_close_to(name, _slugs(site.groups()))}"


def _contest(kind: str) -> Callable[[Site, str], str]:
    def look(site: Site, name: str) -> str:
        if _is_there(lambda: site.contest(kind, name)):
            return ""
        close = peck_account_names_close_to(name, _slugs(site.contests(kind)))
        return f"there is no such {kind.removesuffix('s')} at {site.address}: {close}"

    return look


def _is_there(ask: Callable[[], Any]) -> bool:
    try:
        ask()
    except SiteError as error:
        if error.status != 404:
            raise
        return False
    return True


def _slugs(found: Sequence[Mapping[str, Any]]) -> list[str]:
    return [untrusted_field(one, "slug", str) for one in found]


_LOOKS: Final[Mapping[str, Callable[[Site, str], str]]] = {
    "league": _contest("leagues"),
    "tournament": _contest("tournaments"),
    "group": _group,
    "bot": _own_bot,
    "one": _opponent,
    "opponent": _opponent,
}
