"""Commands that list something on a site, as lines or JSON: ``peck versions``, ``rollback``, ``results``, ``leagues``,
``ladder``, ``head-to-head``, ``tournaments`` and ``standings``.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from games.untrusted import untrusted_field, untrusted_items
from peck import NOT_SO, OK, USAGE, text_counted
from peck.account import SiteCommand, peck_account_on_site, peck_account_own_bot
from peck.cli import Commands, cli_complain, cli_positive, cli_say
from peck.site import Site

_OWN = "the name in the address of your bot's page; by default the one in peck.json here"
NOBODY: Final = "nobody is on its ladder yet"
BOT: dict[str, Any] = {"metavar": "BOT", "nargs": "?", "help": _OWN}


def commands_add(commands: Commands) -> None:
    """Add the commands of this module to ``commands``."""
    versions = commands.add_parser("versions", help="the versions of a bot, the newest first")
    versions.add_argument("bot", **BOT)
    _listing(versions, _versions, listing_version_line, "no version yet: peck upload BOT FILE")

    rollback = commands.add_parser("rollback", help="make an earlier version of your bot the current one")
    rollback.add_argument("bot", **BOT)
    rollback.add_argument(
        "version",
        type=cli_positive,
        nargs="?",
        metavar="VERSION",
        help="number of the version; by default the last accepted one before the current one",
    )
    rollback.set_defaults(run=peck_account_on_site(_rollback))

    results = commands.add_parser("results", help="the last matches of a bot")
    results.add_argument("bot", **BOT)
    results.add_argument(
        "--lost", action="store_true", help="only matches in which it beat fewer than half of its opponents"
    )
    nothing = "no finished match that everyone may see yet"
    _listing(results, _results, listing_result_line, nothing)

    for kind in ("leagues", "tournaments"):
        contests = commands.add_parser(kind, help=f"the {kind} of the site, the newest first")
        _listing(contests, partial(_contests, kind), listing_contest_line, f"no {kind} yet")

    ladder = commands.add_parser("ladder", help="show the ladder of a league")
    ladder.add_argument("league", metavar="LEAGUE", help="the name in its address")
    ladder.add_argument(
        "--division", type=cli_positive, metavar="NUMBER", help="only this division; 1 is the strongest"
    )
    _listing(ladder, _ladder, ladder_line, "nobody is on it yet")

    matrix = commands.add_parser(
        "head-to-head", help="results of a league's bots against its first ten, or of two against each other"
    )
    matrix.add_argument("league", metavar="LEAGUE", help="the name in its address")
    matrix.add_argument("one", metavar="BOT", nargs="?", help="the name in the address of a bot to compare")
    matrix.add_argument("opponent", metavar="OPPONENT", nargs="?", help="the name in the address of the other bot")
    matrix.add_argument(
        "--division", type=cli_positive, metavar="NUMBER", help="only this division; 1 is the strongest"
    )
    _listing(matrix, _matrix, listing_matrix_line, NOBODY)
    matrix.set_defaults(run=peck_account_on_site(_head_to_head))

    standings = commands.add_parser("standings", help="show the standings of a tournament")
    standings.add_argument("tournament", metavar="TOURNAMENT", help="the name in its address")
    nobody = "no standings that you may see yet"
    _listing(standings, lambda site, given: site.standings(given.tournament, given.most), listing_standing_line, nobody)


def _listing(
    parser: argparse.ArgumentParser,
    listed: Callable[[Site, argparse.Namespace], list[dict[str, Any]]],
    line: Callable[[Mapping[str, Any]], str],
    nothing: str,
) -> None:
    """Let a command print a list from the site, one line each, or ``nothing`` if it is empty."""
    parser.add_argument("--most", type=cli_positive, default=20, help="number of entries, at most 100")
    parser.add_argument("--json", action="store_true", help="print it as JSON, as the API returns it")
    parser.set_defaults(run=peck_account_on_site(_printed(listed, line, nothing)))


def _printed(
    listed: Callable[[Site, argparse.Namespace], list[dict[str, Any]]],
    line: Callable[[Mapping[str, Any]], str],
    nothing: str,
) -> SiteCommand:
    def run(site: Site, given: argparse.Namespace) -> int:
        found = listed(site, given)
        if given.json:
            sys.stdout.write(f"{json.dumps(found)}\n")  # json.dumps() writes ASCII only
        else:
            cli_say(*(map(line, found) if found else [nothing]))
        return OK

    return run


def _versions(site: Site, given: argparse.Namespace) -> list[dict[str, Any]]:
    return site.versions(given.bot, given.most)


def _results(site: Site, given: argparse.Namespace) -> list[dict[str, Any]]:
    return site.results(given.bot, given.most, lost=given.lost)


def _contests(kind: str, site: Site, given: argparse.Namespace) -> list[dict[str, Any]]:
    return site.contests(kind, given.most)


def _ladder(site: Site, given: argparse.Namespace) -> list[dict[str, Any]]:
    return site.ladder(given.league, given.most, given.division)


def _matrix(site: Site, given: argparse.Namespace) -> list[dict[str, Any]]:
    return site.head_to_head(given.league, given.most, given.division)


def _head_to_head(site: Site, given: argparse.Namespace) -> int:
    """Print the matrix, or two bots side by side if they are named. Return the exit code."""
    if given.one is None:
        return _printed(_matrix, listing_matrix_line, NOBODY)(site, given)
    if given.opponent in (None, given.one):
        cli_complain("OPPONENT: name two different bots, or none")
        return USAGE
    if given.division:
        cli_complain("--division: cannot be used when two bots are compared")
        return USAGE
    found = site.comparison(given.league, given.one, given.opponent)
    if given.json:
        sys.stdout.write(f"{json.dumps(found)}\n")  # json.dumps() writes ASCII only
    else:
        cli_say(*(listing_comparison_lines(found, given.one, given.opponent, given.most) if found else [NOBODY]))
    return OK


def _rollback(site: Site, given: argparse.Namespace) -> int:
    """Make an accepted version current. Return the exit code."""
    number = given.version
    # E.g. ``peck rollback 3``: the number of a version, without a bot.
    if number is None and given.bot.isdecimal() and (named := peck_account_own_bot()):
        given.bot, number = named, int(given.bot)
    if number is None:
        current = site.bot(given.bot).get("current")
        accepted = [
            untrusted_field(one, "number", int)
            for one in site.versions(given.bot)
            if untrusted_field(one, "state", str) == "accepted"
        ]
        number = next((one for one in accepted if isinstance(current, int) and one < current), None)
        if number is None:
            cli_complain(
                f"{given.bot} has no accepted version before the current one; peck versions {given.bot} lists them"
            )
            return NOT_SO
    site.make_current(given.bot, number)
    cli_say(f"version {number} is current now: new matches use it")
    return OK


def listing_version_line(version: Mapping[str, Any]) -> str:
    """Return a version in one line.

    Raises:
        UntrustedError: the site's answer lacks a field.
    """
    current = ", current" if untrusted_field(version, "is_current", bool) else ""
    message = version.get("message")  # older sites send none, and only the owner gets it
    message_part = f": {message}" if isinstance(message, str) and message else ""
    day = untrusted_field(version, "created_at", str)[:10]
    return (
        f"v{untrusted_field(version, 'number', int)} of {day}, {untrusted_field(version, 'state', str)}{current}"
        f"{_written(version)}{message_part}"
    )


def listing_contest_line(contest: Mapping[str, Any]) -> str:
    """Return a league or tournament in one line.

    Raises:
        UntrustedError: see ``listing_version_line``.
    """
    slug, name, game, state = (untrusted_field(contest, key, str) for key in ("slug", "name", "game", "state"))
    return f"{slug}: {name}, {game}, {state}"


def ladder_line(place: Mapping[str, Any]) -> str:
    """Return a place on a ladder in one line.

    Raises:
        UntrustedError: see ``listing_version_line``.
    """
    division = place.get("division")  # older sites have no divisions
    number = place.get("number", place.get("rank"))  # older sites have only ranks, which bots may share
    where = f"division {division}, " if isinstance(division, int) and division > 1 else ""
    rating, low, high = (untrusted_field(place, key, (float, int)) for key in ("rating", "rating_low", "rating_high"))
    played = (
        f"{rating:.0f} ({low:.0f} to {high:.0f}), "
        f"{text_counted(untrusted_field(place, 'matches', int), 'match', 'matches')}"
        f"{', provisional' if place.get('is_provisional') is True else ''}"
    )
    return f"{where}{f'{number}.' if isinstance(number, int) else '–'} {_who(place)}: {played}{_written(place)}"  # noqa: RUF001


def listing_matrix_line(row: Mapping[str, Any]) -> str:
    """Return a bot's results against the first ten of its ladder, in one line.

    Raises:
        UntrustedError: see ``listing_version_line``.
    """
    cells = ((_slug(one), one.get("share")) for one in untrusted_items(row, "cells", dict))
    against = "".join(f"; {slug} {_share(share)}" for slug, share in cells if isinstance(share, dict))
    total = row.get("total")
    of_all = _share(total) if isinstance(total, dict) else "has met none of the first"
    return f"{untrusted_field(row, 'number', int)}. {_slug(row)}: {of_all}{against}"


def listing_comparison_lines(found: Mapping[str, Any], one: str, other: str, most: int) -> list[str]:
    """Return a comparison of two bots in lines: their direct results, their places, and their results against at most
    ``most`` common opponents.

    Raises:
        UntrustedError: see ``listing_version_line``.
    """
    met, expected, common = found.get("met"), found.get("expected"), untrusted_items(found, "common", dict)
    won = f"won {_share(met)}" if isinstance(met, dict) else "have not met"
    by_rating = f"; by their ratings {expected:.0%}" if isinstance(expected, float | int) else ""
    lines = [f"{one} - {other}: {won}{by_rating}"]
    lines += [ladder_line(place) for key in ("one", "other") if isinstance(place := found.get(key), dict)]
    if common:
        of_all = " - ".join(_share(untrusted_field(found, key, dict)) for key in ("one_common", "other_common"))
        lines.append(f"{text_counted(len(common), 'common opponent')}: {of_all}")
    for met_both in common[:most]:
        shares = " - ".join(_share(untrusted_field(met_both, key, dict)) for key in ("one", "other"))
        lines.append(f"  {_slug(met_both)}: {shares}")
    return lines


def _share(share: Mapping[str, Any]) -> str:
    won, low, high = (untrusted_field(share, key, (float, int)) for key in ("share", "low", "high"))
    return f"{won:.0%} ({low:.0%} to {high:.0%}) of {text_counted(untrusted_field(share, 'games', int), 'game')}"


def listing_standing_line(place: Mapping[str, Any]) -> str:
    """Return a place in standings in one line.

    Raises:
        UntrustedError: see ``listing_version_line``.
    """
    points, played = untrusted_field(place, "points", (float, int)), untrusted_field(place, "played", int)
    return (
        f"{untrusted_field(place, 'rank', int)}. {_who(place)}: "
        f"{points:g} of {text_counted(played, 'match', 'matches')}"
    )


def _written(version: Mapping[str, Any]) -> str:
    """Return how a version was written, as the end of a line; "" from older sites."""
    authorship, model = (version.get(name) or "" for name in ("authorship", "model"))
    return f", written by: {authorship}{f' ({model})' if model else ''}" if authorship else ""


def _who(place: Mapping[str, Any]) -> str:
    return f"{_slug(place)} v{untrusted_field(place, 'version', int)}"


def _slug(place: Mapping[str, Any]) -> str:
    return untrusted_field(untrusted_field(place, "bot", dict), "slug", str)


def listing_result_line(result: Mapping[str, Any]) -> str:
    """Return the result of a match in one line.

    Raises:
        UntrustedError: see ``listing_version_line``.
    """
    others = ", ".join(
        f"{untrusted_field(one, 'name', str)} v{untrusted_field(one, 'version', int)}"
        for one in untrusted_items(result, "opponents", dict)
    )
    faulty = untrusted_field(result, "faulty_games", int)
    share = untrusted_field(result, "share", (float, int))
    # older sites send neither field
    ruling, counts = (
        untrusted_field({"ruling": "", **result}, "ruling", str),
        untrusted_field({"counts": True, **result}, "counts", bool),
    )
    return (
        f"match {untrusted_field(result, 'match', int)}: v{untrusted_field(result, 'version', int)} against {others}: "
        f"{share:.0%} of the opponents beaten in {text_counted(untrusted_field(result, 'games', int), 'game')}"
        + (f", {text_counted(faulty, 'game')} with faults" if faulty else "")
        + (f"; ruled: {ruling}" if ruling else "")
        + ("" if counts else ", does not count")
    )
