"""``peck follow``, ``unfollow`` and ``following``: choose whose news appears among your notices."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.untrusted import untrusted_field
from peck.account import peck_account_lines_command, peck_account_names_close_to, peck_account_on_site
from peck.cli import Commands, cli_add_json, cli_positive, cli_say_json
from peck.connection import SiteError
from peck.site import Site

KINDS: Final = ("bot", "person", "team", "tournament", "league", "series")
CONTESTS: Final = ("tournament", "league")
NOT_THERE: Final = 404


def commands_add(commands: Commands) -> None:
    """Add the commands of this module to ``commands``."""
    follow = commands.add_parser("follow", help="follow a bot, a person, a team, a tournament, a league or a series")
    unfollow = commands.add_parser("unfollow", help="stop following something")
    for parser in (follow, unfollow):
        parser.add_argument("kind", choices=KINDS, help=f"one of {', '.join(KINDS)}")
        parser.add_argument("target", metavar="NAME", help="the name in the address of its page")
    cli_add_json(follow)
    follow.set_defaults(run=peck_account_on_site(peck_account_lines_command(_follow)))
    unfollow.set_defaults(run=peck_account_on_site(peck_account_lines_command(_unfollow)))
    following = commands.add_parser("following", help="what you follow, the newest first")
    following.add_argument("--most", type=cli_positive, default=100, help="number of entries, at most 100")
    cli_add_json(following)
    following.set_defaults(run=peck_account_on_site(peck_account_lines_command(_following)))


def _follow(site: Site, given: argparse.Namespace) -> Iterator[str]:
    try:
        followed = site.follow(given.kind, given.target)
    except SiteError as error:
        raise _refused(site, given, error) from error
    if given.json:
        cli_say_json(followed)
    else:
        yield f"you follow {followed_line(followed)}"


def _unfollow(site: Site, given: argparse.Namespace) -> Iterator[str]:
    try:
        site.unfollow(given.kind, given.target)
    except SiteError as error:
        raise _refused(site, given, error) from error
    yield f"you do not follow {given.kind} {given.target}"


def _following(site: Site, given: argparse.Namespace) -> Iterator[str]:
    followed = site.following(given.most)
    if given.json:
        cli_say_json(followed)
    else:
        yield from map(followed_line, followed) if followed else ["you follow nothing: peck follow KIND NAME"]


def _refused(site: Site, given: argparse.Namespace, error: SiteError) -> SiteError:
    if error.status != NOT_THERE:
        return error
    there = f"NAME {given.target!r}: there is no such {given.kind} at {site.address} that you may see"
    if given.kind in CONTESTS:
        listed = [untrusted_field(one, "slug", str) for one in site.contests(f"{given.kind}s")]
        there = f"{there}: {peck_account_names_close_to(given.target, listed)}"
    return SiteError(there, NOT_THERE)


def followed_line(followed: Mapping[str, Any]) -> str:
    """Return a followed bot, author or event in one line.

    Raises:
        UntrustedError: the site's answer lacks a field.
    """
    kind, slug, name = (untrusted_field(followed, key, str) for key in ("kind", "slug", "name"))
    return f"{kind} {slug}: {name}"
