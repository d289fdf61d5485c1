"""What the site adds to the games that it plays: processor time of a default match, two blocks of Pickomino between two
house bots, through queue, leases, results, books and announcements, over the bare cage playing the same games.

A site of its own is started for each database, with workers as on a grown site, one match at a time. All its
processes count, Valkey and PostgreSQL too, from the moment that the tournament is there until it is over.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

from tests.matches.site import ROOT, Site

ENTRIES = 10
MATCHES = ENTRIES * (ENTRIES - 1) // 2
TICKS = os.sysconf("SC_CLK_TCK")

BOTS = """
import django
django.setup()
from games.catalogue import GAMES, current
sources = [GAMES["pickomino"].house_bots[1 + number % 2].source() for number in range({entries})]
"""
TOURNAMENT = (
    BOTS
    + """
from tests.arena.factories import UserFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tests.bots.factories import AuthorFactory, BotFactory, BotVersionFactory
from tournaments.services import tournament_start
for factory in (UserFactory, AuthorFactory, TournamentFactory, BotFactory, BotVersionFactory):
    factory.reset_sequence({entries} * 100, force=True)
cup = TournamentFactory(blocks=2)
for source in sources:
    EntryFactory(tournament=cup, bot=BotVersionFactory(source=source).bot)
tournament_start(tournament=cup)
"""
)
# The same pairs and blocks; it waits for a line before the games that count.
BARE = (
    BOTS
    + """
from itertools import combinations
from games.dealer import block_seed
from games.protocol import Limits
from games.catalogue import current
from matches.referee import MatchSpec, games_played
from sandbox import Cage
rules = current("pickomino")
def play(pair, number):
    order = MatchSpec(rules, rules.validate(2, {{}}), Limits(), block_seed(bytes(32), "match", number), 2,
                  tuple({{"bot.py": source}} for source in pair))
    return list(games_played(order, cage, lambda index, table: None))
with Cage.open(core=0) as cage:
    play(sources[:2], 0)
    print("ready", flush=True)
    input()
    for number, pair in enumerate(combinations(sources, 2)):
        play(pair, number)
    print("done", flush=True)
    input()
"""
)


def main() -> None:
    cpu, wall = bare()
    print(f"bare cage        {cpu * 1000:6.0f} ms of processor time a match, {wall * 1000:6.0f} ms")
    report("SQLite", *through_the_site(), cpu, wall)
    if shutil.which("initdb") or list(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        child = ["sh", str(ROOT / ".ci/postgres"), sys.executable, "-m", "benchmarks.orchestration", "site"]
        figures = subprocess.run(child, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        report("PostgreSQL", float(figures[-2]), float(figures[-1]), cpu, wall)
    else:
        print("PostgreSQL       not measured: initdb was not found")


def report(database: str, cpu: float, wall: float, bare_cpu: float, bare_wall: float) -> None:
    ratios = f"{cpu / bare_cpu:.2f} times the bare cage's, {wall / bare_wall:.2f} times its time"
    print(f"site, {database:10} {cpu * 1000:6.0f} ms of processor time a match, {wall * 1000:6.0f} ms: {ratios}")


def bare() -> tuple[float, float]:
    """Return the seconds of processor time, and the seconds, of a match without the site."""
    command = [sys.executable, "-c", BARE.format(entries=ENTRIES)]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "arena.settings.test"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        cpu, began = cpu_of(process.pid), time.monotonic()
        print(file=process.stdin, flush=True)
        assert process.stdout.readline() == "done\n"
        spent, took = cpu_of(process.pid) - cpu, time.monotonic() - began
        print(file=process.stdin, flush=True)
    return spent / MATCHES, took / MATCHES


def through_the_site() -> tuple[float, float]:
    """Return the same on a site with the database of the environment."""
    usual = {"DJANGO_SETTINGS_MODULE": "arena.settings.dev"}  # leases and claims as long as on any site
    with tempfile.TemporaryDirectory(prefix="peck-") as directory, Site(Path(directory), **usual) as site:

        def over(tournaments: int) -> bool:
            finished = site.query("select count(*) from tournaments_tournament where state = 'finished'")
            return int(finished[0][0]) == tournaments

        quiet = ("--without-gossip", "--without-mingle")
        site.celery("worker", "--hostname=player@%h", "--queues=matches", "--concurrency=1", *quiet)
        site.celery("worker", "--hostname=books@%h", "--queues=books", "--pool=solo", *quiet)
        site.celery("worker", "--hostname=keeper@%h", "--queues=housekeeping", "--pool=solo", *quiet)
        site.wait_for(lambda: bool(site.query("select 1 from matches_workerpresence")), 60)
        site.run("-c", TOURNAMENT.format(entries=2))
        site.wait_for(lambda: over(1), 60)
        roots = [process.pid for process in site.processes] + servers()
        before = [cpu_of(root) for root in roots]
        site.run("-c", TOURNAMENT.format(entries=ENTRIES))
        while not over(2):  # seldom: each look is a connection, and PostgreSQL starts a process for it
            time.sleep(1)
        spent = [cpu_of(root) - earlier for root, earlier in zip(roots, before, strict=True)]
        latest = f"select created_at, finished_at from matches_match order by id desc limit {MATCHES}"
        times = [[datetime.fromisoformat(str(each)) for each in row] for row in site.query(latest)]
        took = (max(finished for _, finished in times) - min(created_at for created_at, _ in times)).total_seconds()
    return sum(spent) / MATCHES, took / MATCHES


def servers() -> list[int]:
    """Return the process of the database, if it has one."""
    home = os.environ.get("DATABASE_URL", "").partition("@")[2].partition("/")[0].replace("%2F", "/")
    return [int((Path(home) / "data/postmaster.pid").read_text().split()[0])] if home else []


def cpu_of(root: int) -> float:
    """Return the seconds of processor time of a process and all below it, those that have ended included."""
    return _own(root) + sum(cpu_of(child) for child in _children(root))


def _own(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS  # utime, stime, and the same of children that ended


def _children(pid: int) -> list[int]:
    try:
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


if __name__ == "__main__":
    print(*through_the_site())
