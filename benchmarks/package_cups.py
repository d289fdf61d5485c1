"""Play a small Swiss of each packaged game, from its start to its proof: ``python -m benchmarks.package_cups``.

A site with its own data and port is started as by ``make run``. House bots of each game play at tables of two. All cups
begin together, and the site's workers play them. Then every replay is loaded, and ``peck verify`` checks the proof.
Install the packages first (``make run GAMES=openspiel`` does). By default all packaged games are played; names of games
may be given.
"""

import argparse
import io
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

from games.catalogue import BROKEN, GAMES, PACKAGES, current
from peck.__main__ import main as peck
from tests.browser.running import StartedSite, site

BOTS: Final = 4
ROUNDS: Final = 2
MINUTES_MOST: Final = 15
ENDED: Final = "SELECT count(*) FROM tournaments_tournament WHERE state <> 'running'"


class Broken(Exception):
    """Raised when a cup, a replay or a proof is wrong."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.package_cups", description=__doc__)
    parser.add_argument("games", nargs="*", help="all of packages, unless some are named")
    parser.add_argument("--workers", type=int, default=2, help="matches played at a time")
    args = parser.parse_args()
    for name, why in BROKEN.items():
        print(f"{name} is broken: {why}")
    names = args.games or sorted(PACKAGES)
    if not names:
        parser.error("no package of games is installed")
    with site("--no-demo", "--workers", str(args.workers)) as running:
        begun = time.monotonic()
        running.shell(f"from benchmarks import package_cups; package_cups.begin({names!r})")
        while running.count(ENDED) < len(names) and time.monotonic() < begun + 60 * MINUTES_MOST:
            time.sleep(1)
        minutes = (time.monotonic() - begun) / 60
        print(f"{'game':<22}{'matches':>8}{'games':>7}{'seconds':>9}{'replay kB':>11}{'proof s':>9}  result")
        cups = json.loads(running.shell("from benchmarks import package_cups; package_cups.print_states()"))
        failed = [cup["game"] for cup in cups if not _is_whole(running, cup)]
    matches = sum(len(cup["matches"]) for cup in cups)
    print(f"{len(cups) - len(failed)} of {len(names)} games{': not ' + ', '.join(failed) if failed else ''}")
    print(f"{matches} matches in {minutes:.1f} minutes on the site: {matches / minutes:.0f} a minute")
    return 1 if failed or BROKEN else 0


def begin(names: Sequence[str]) -> None:
    """Start a cup of each game. Runs on the site."""
    from tests.bots.factories import BotFactory, BotVersionFactory
    from tests.tournaments.factories import EntryFactory, TournamentFactory
    from tournaments.services import tournament_start

    for name in names:
        house = GAMES[name].house_bots
        cup = TournamentFactory(
            ruleset=current(name).id,
            slug=f"cup-of-{name}",
            players_per_table=2,
            format="swiss",
            rounds=ROUNDS,
        )
        for number in range(BOTS):
            source = house[number % len(house)].source() + b"\n# %d\n" % number  # the files of all entries differ
            version = BotVersionFactory(bot=BotFactory(game=name, name=f"{name} {number}"), source=source)
            EntryFactory(tournament=cup, bot=version.bot)
        tournament_start(tournament=cup)


def print_states() -> None:
    """Print the state of each cup as JSON. Runs on the site."""
    from matches.models import Match, Seat
    from tournaments.models import Tournament

    print(
        json.dumps(
            [
                {
                    "game": cup.slug.removeprefix("cup-of-"),
                    "state": f"{cup.state} {cup.paused_because}".strip(),
                    "seconds": cup.finished_at and (cup.finished_at - cup.started_at).total_seconds(),
                    "matches": {
                        match.pk: match.games.count() for match in Match.objects.filter(fixture__round__tournament=cup)
                    },
                    "faults": Seat.objects.filter(match__fixture__round__tournament=cup, faulty_games__gt=0).count(),
                }
                for cup in Tournament.objects.order_by("slug")
            ]
        )
    )


def _is_whole(running: StartedSite, cup: dict[str, Any]) -> bool:
    """Print the line of a cup, and return whether the cup, its replays and its proof are correct."""
    matches, sizes, verified, result = cup["matches"], [0.0], 0.0, ""
    try:
        if cup["state"] != "finished" or cup["faults"]:
            raise Broken(f"{cup['state']}, {cup['faults']} bots at fault")
        sizes = [*_replays(running.url, matches)]
        verified = _verified(running, cup["game"])
    except (Broken, OSError) as error:
        result = str(error)[-200:]
    print(
        f"{cup['game']:<22}{len(matches):>8}{sum(matches.values()):>7}{cup['seconds'] or 0:>9.1f}"
        f"{sum(sizes) / len(sizes):>11.0f}{verified:>9.1f}  {result or 'verified'}",
        flush=True,
    )
    return not result


def _replays(url: str, matches: dict[str, int]) -> Iterator[float]:
    """Load the pages of the matches and all replays as the player does. Yield the size of each replay in kilobytes."""
    for match, games in matches.items():
        with urlopen(f"{url}/matches/{match}/") as page:
            page.read()
        for index in range(games):
            with urlopen(f"{url}/matches/{match}/games/{index}/frames.json") as answer:
                data = answer.read()
            if not json.loads(data)["frames"]:
                raise Broken(f"game {index} of match {match} has no frames")
            yield len(data) / 1000


def _verified(running: StartedSite, game: str) -> float:
    """Verify the proof as its readers do. Return the duration in seconds.

    Raises:
        Broken: the proof is wrong.
    """
    path = Path(running.var) / f"{game}.zip"
    with urlopen(f"{running.url}/tournaments/cup-of-{game}/export/proof.zip") as proof:
        path.write_bytes(proof.read())
    begun, output = time.monotonic(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        code = peck(["verify", str(path)])
    if code:
        raise Broken(output.getvalue().strip())
    return time.monotonic() - begun


if __name__ == "__main__":
    sys.exit(main())
