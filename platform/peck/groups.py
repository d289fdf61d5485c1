"""``peck groups``: list your groups and their members, and join a group."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from games.untrusted import untrusted_field
from peck.account import peck_account_lines_command, peck_account_on_site
from peck.cli import Commands, cli_add_json, cli_positive, cli_say_json
from peck.site import Site

STAFF = ("owner", "staff")


def command_add(commands: Commands) -> None:
    """Add ``groups`` to ``commands``."""
    groups = commands.add_parser("groups", help="list your groups or the members of one, or join one with its code")
    what = groups.add_mutually_exclusive_group()
    what.add_argument(
        "group",
        nargs="?",
        metavar="GROUP",
        help="list the members of this group; its staff also see who has not joined",
    )
    what.add_argument("--join", dest="code", default="", metavar="CODE", help="join with this code or link")
    groups.add_argument("--most", type=cli_positive, default=100, help="number of entries, at most 100")
    cli_add_json(groups)
    groups.set_defaults(run=peck_account_on_site(peck_account_lines_command(_groups)))


def _groups(site: Site, given: argparse.Namespace) -> Iterator[str]:
    if given.code:
        joined = site.join_group(given.code)
        if given.json:
            cli_say_json(joined)
        else:
            yield f"you are in {group_line(joined)}"
    elif given.group:
        yield from _people(site, given)
    else:
        mine = [one for one in site.groups(given.most) if one.get("role")]
        if given.json:
            cli_say_json(mine)
        else:
            yield from map(group_line, mine) if mine else ["you are in no group: peck groups --join CODE"]


def _people(site: Site, given: argparse.Namespace) -> Iterator[str]:
    members = site.group_members(given.group, given.most)
    manages = site.group(given.group).get("role") in STAFF
    expected = site.group_roster(given.group, given.most) if manages else []
    if given.json:
        cli_say_json({"members": members, "expected": expected})
        return
    yield from map(member_line, members)
    for row in expected:
        known = ", ".join(filter(None, (str(row.get("roster_id") or ""), str(row.get("email") or ""))))
        yield f"{row.get('name') or '-'}: has not joined{f' ({known})' if known else ''}"


def group_line(group: Mapping[str, Any]) -> str:
    """Return a group in one line.

    Raises:
        UntrustedError: the site's answer lacks a field.
    """
    slug, name, role = (untrusted_field(group, key, str) for key in ("slug", "name", "role"))
    return f"{slug}: {name}, {role}"


def member_line(member: Mapping[str, Any]) -> str:
    """Return a member in one line, including what only the group's staff sees.

    Raises:
        UntrustedError: see ``group_line``.
    """
    name, role = untrusted_field(member, "name", str), untrusted_field(member, "role", str)
    others = (member.get("roster_name"), member.get("roster_id"), member.get("cohort"))
    known = ", ".join(str(one) for one in others if one)
    return f"{name}, {role}{f': {known}' if known else ''}"
