"""A small cup of each game of packages, from its start to its proof: ``python -m benchmarks.package_cups``.

It plays on a fresh site in a temporary directory, in the cage, with house bots of the game: a Swiss of four bots, or a
round robin at tables of three if the game has that many seats. Every replay is loaded, and ``peck verify`` checks the
proof. Install the packages into the environment first (``make run GAMES=openspiel`` does). Names of games may be given.
"""

import argparse
import io
import os
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

BOTS: Final = 4
ROUNDS: Final = 2


@dataclass(frozen=True, slots=True)
class Played:
    """A cup that was played; ``result``: the winner, or what went wrong."""

    game: str
    format: str
    matches: int
    games: int
    seconds: float
    replay_kb: float
    verified: float  # seconds
    result: str
    is_ok: bool

    def __str__(self) -> str:
        numbers = f"{self.matches:>8}{self.games:>7}{self.seconds:>9.1f}{self.replay_kb:>11.0f}{self.verified:>9.1f}"
        return f"{self.game:<22}{self.format:<13}{numbers}  {self.result}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.package_cups", description=__doc__)
    parser.add_argument("games", nargs="*", help="all of packages, unless some are named")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="peck-") as directory:
        os.environ["PECKING_ORDER_VAR"] = directory
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(directory) / 'cups.sqlite3'}"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings.test")
        import django

        django.setup()
        from celery import Celery
        from django.core.management import call_command

        from games.catalogue import BROKEN, PACKAGES

        for name, why in BROKEN.items():
            print(f"{name} is broken: {why}")
        names = asked.games or sorted(PACKAGES)
        if not names:
            parser.error("no package of games is installed")
        call_command("migrate", verbosity=0)
        columns = f"{'matches':>8}{'games':>7}{'seconds':>9}{'replay kB':>11}{'proof s':>9}"
        print(f"{'game':<22}{'format':<13}{columns}  result", flush=True)
        with patch.object(Celery, "send_task"):  # no broker is needed
            played = []
            for name in names:
                played.append(_played(name, Path(directory)))
                print(played[-1], flush=True)
    failed = [one.game for one in played if not one.is_ok]
    print(f"{len(played) - len(failed)} of {len(played)} games{': not ' + ', '.join(failed) if failed else ''}")
    return 1 if failed or BROKEN else 0


def _played(name: str, directory: Path) -> Played:
    from matches.models import Match
    from tournaments.services import tournament_start

    cup, begun = _cup(name), time.monotonic()
    try:
        tournament_start(tournament=cup)
        _work(cup)
        seconds = time.monotonic() - begun
        matches = Match.objects.filter(fixture__round__tournament=cup)
        games, size = _replays(matches)
        verified, said = _verified(cup, directory / f"{name}.zip")
        result, is_ok = (_winner(cup), True) if not said else (said, False)
        return Played(name, cup.stage.format, matches.count(), games, seconds, size, verified, result, is_ok)
    except Exception as error:  # the others are played all the same
        return Played(name, cup.stage.format, 0, 0, time.monotonic() - begun, 0, 0, repr(error)[:200], False)


def _cup(name: str) -> Any:
    """Return a tournament that takes entries, with its bots."""
    from games.catalogue import GAMES, current
    from tests.bots.factories import BotFactory, BotVersionFactory
    from tests.tournaments.factories import EntryFactory, TournamentFactory

    ruleset, house = current(name), GAMES[name].house_bots
    seats = 3 if 3 in ruleset.seats else 2
    shape = {"format": "swiss", "rounds": ROUNDS} if seats == 2 else {"format": "round_robin"}
    cup = TournamentFactory(ruleset=ruleset.id, options={}, slug=f"cup-of-{name}", players_per_table=seats, **shape)
    for number in range(BOTS):
        source = house[number % len(house)].source() + b"\n# %d\n" % number  # no two entries have the same file
        version = BotVersionFactory(bot=BotFactory(game=name, name=f"{name} {number}"), source=source)
        EntryFactory(tournament=cup, bot=version.bot)
    return cup


def _work(cup: Any) -> None:
    """Play and keep the books until the tournament is over."""
    from matches.worker.playing import work_play
    from tournaments.services import tournaments_tend

    idle = 0
    while cup.state == "running" and idle < 2:
        idle = 0 if work_play() else idle + 1
        tournaments_tend()
        cup.refresh_from_db()
    if cup.state != "finished":
        raise RuntimeError(f"the cup is {cup.state}: {cup.paused_because or 'nothing is left to play'}")


def _replays(matches: Any) -> tuple[int, float]:
    """Load every replay as the player does; how many, and the kilobytes of one on average."""
    from django.test import Client
    from django.urls import reverse

    client, sizes = Client(), []
    for match in matches:
        if (page := client.get(reverse("matches:detail", args=[match.pk]))).status_code != 200:
            raise RuntimeError(f"the page of match {match.pk} answered {page.status_code}")
        for game in match.games.all():
            answer = client.get(reverse("matches:game-frames", args=[match.pk, game.index]))
            if answer.status_code != 200 or not answer.json()["frames"]:
                raise RuntimeError(f"game {game.index} of match {match.pk} answered {answer.status_code}")
            sizes.append(len(answer.content) / 1000)
        if match.seats.filter(faulty_games__gt=0).exists():
            raise RuntimeError(f"a house bot failed in match {match.pk}")
    return len(sizes), sum(sizes) / len(sizes)


def _verified(cup: Any, path: Path) -> tuple[float, str]:
    """Verify the proof as its readers do; the seconds, and what was wrong, if anything."""
    from peck.__main__ import main as peck
    from tournaments.selectors.pages.proof import proof_of
    from tournaments.services.chaining import chain_settle

    chain_settle(tournament=cup)
    path.write_bytes(b"".join(proof_of(cup)))
    begun, said = time.monotonic(), io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = peck(["verify", str(path)])
    return time.monotonic() - begun, "" if code == 0 else said.getvalue().strip()[-200:]


def _winner(cup: Any) -> str:
    from tournaments.selectors.standings.results import standings_of

    first = standings_of(cup.stage)[0]
    bot = cup.entries.select_related("bot").get(pk=first.entrant).bot
    return f"{bot.name} with {first.points:g} points"


if __name__ == "__main__":
    raise SystemExit(main())
