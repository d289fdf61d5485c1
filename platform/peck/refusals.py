"""What a site refuses, in terms of the call: which argument is wrong, and what it could have been."""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from games.catalogue import GAMES
from games.untrusted import UntrustedError, field
from peck.site import Site, SiteError

LISTED: Final = 10  # names, where none is close
CLOSE: Final = 0.5  # of difflib's ratio
ARGUMENTS: Final[Mapping[str, str]] = {
    **{name: name.upper() for name in ("bot", "opponent", "league", "tournament", "name", "game", "file")},
    "opponent_version": "--against",
    "sequential": "--fixed",
}


def refusal(site: Site, given: argparse.Namespace, error: SiteError) -> str:
    """Return what is said of the error of a command; the site is asked for names where one is unknown there."""
    if error.status == 401:
        return _unsigned(site, error)
    if error.status == 404 or error.code == "unknown_bot":
        try:
            for argument, look in _LOOKS.items():
                name = getattr(given, argument, None)
                if name and (told := look(site, name)):
                    return f"{ARGUMENTS[argument]} {name!r}: {told}"
        except (SiteError, UntrustedError):
            return str(error)
        for argument, act in (("league", "has joined"), ("tournament", "is entered in")):
            if contest := getattr(given, argument, None):
                return f"BOT {given.bot!r}: it is not one that {act} {contest}"
    if error.wrong:
        return "; ".join(f"{_argument(name)}: {detail}" for name, detail in error.wrong.items())
    return str(error)


def close_to(name: str, known: Iterable[str], *, most: int = LISTED) -> str:
    """Return the known names that ``name`` may stand for, or else those that there are, as the end of a sentence.

    >>> close_to("Rosster", ["crow", "rooster"])
    'did you mean rooster?'
    """
    names = list(dict.fromkeys(known))
    if close := get_close_matches("-".join(name.lower().split()), names, cutoff=CLOSE):
        return f"did you mean {' or '.join(close)}?"
    listed = ", ".join(names[:most])
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"there are {listed}{more}" if names else "there are none"


def _unsigned(site: Site, error: SiteError) -> str:
    if site.token:
        return f"{error}; peck login {site.address} takes another token"
    return f"this needs a token, and none is known for {site.address}: peck login {site.address}"


def _argument(name: str) -> str:
    first = name.partition(".")[0]
    return ARGUMENTS.get(first, f"--{first.replace('_', '-')}")


def _own_bot(site: Site, name: str) -> str:
    """Say why the bot is none of the caller's; "" if it is one."""
    if not site.token:
        return f"there is no such bot at {site.address}"
    own = _slugs(site.bots())
    if name in own:
        return ""
    return f"you have no such bot at {site.address}: {close_to(name, own) if own else 'peck create NAME GAME'}"


def _opponent(site: Site, name: str) -> str:
    if _is_there(lambda: site.bot(name)):
        return ""
    house = [bot.slug for game in GAMES.values() for bot in game.house_bots]
    return f"there is no such bot at {site.address}: {close_to(name, [*_slugs(site.bots()), *house])}"


def _contest(kind: str) -> Callable[[Site, str], str]:
    def look(site: Site, name: str) -> str:
        if _is_there(lambda: site.contest(kind, name)):
            return ""
        return f"there is no such one at {site.address}: {close_to(name, _slugs(site.contests(kind)))}"

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
    return [field(one, "slug", str) for one in found]


_LOOKS: Final[Mapping[str, Callable[[Site, str], str]]] = {
    "league": _contest("leagues"),
    "tournament": _contest("tournaments"),
    "bot": _own_bot,
    "opponent": _opponent,
}
