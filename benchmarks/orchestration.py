"""What the site adds to the games that it plays, in processor time over the bare cage playing the same games: to a
default match, two blocks of Pickomino between two house bots, and to one of a Swiss with the blocks that are proposed.

A site of its own is started for each database, with workers as on a grown site, one match at a time. All its
processes count, Valkey and PostgreSQL too, from the moment that the tournament is there until it is over. The Swiss is
a sample of one of 1,000: 50 bots, and two rounds of nine.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from tests.matches.site import ROOT, Site
from tournaments.presets import preset_named

ROOM: Final = "site"  # the argument of a child
TICKS: Final = os.sysconf("SC_CLK_TCK")
SWISS = preset_named("swiss")
assert SWISS is not None
# By name: how many bots, and what the tournament is.
KINDS: Final[Mapping[str, tuple[int, dict[str, Any]]]] = {
    "default match": (10, {"blocks": 2}),
    "match of a Swiss": (50, {"format": "swiss", "rounds": 2, "blocks": SWISS.fields["blocks"]}),
}

SOURCES = """
import django
django.setup()
from games.catalogue import GAMES
def source(number):
    return GAMES["pickomino"].house_bots[1 + number % 2].source()
"""
TOURNAMENT = (
    SOURCES
    + """
from tests.arena.factories import UserFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tests.bots.factories import AuthorFactory, BotFactory, BotVersionFactory
from tournaments.services import tournament_start
for factory in (UserFactory, AuthorFactory, TournamentFactory, BotFactory, BotVersionFactory):
    factory.reset_sequence({entries} * 1000, force=True)
cup = TournamentFactory(**{fields})
for number in range({entries}):
    EntryFactory(tournament=cup, bot=BotVersionFactory(source=source(number)).bot)
tournament_start(tournament=cup)
"""
)
# The same games; it waits for a line before those that count.
BARE = (
    SOURCES
    + """
import json, sys
from games.protocol import Limits
from games.catalogue import current
from matches.referee import MatchSpec, games_played
from sandbox import Cage
rules = current("pickomino")
def play(match):
    order = MatchSpec(rules, rules.validate(2, {}), Limits(), bytes.fromhex(match["secret"]), match["blocks"],
                      tuple({"bot.py": source(number)} for number in match["seats"]))
    return list(games_played(order, cage, lambda index, table: None))
matches = json.loads(input())
with Cage.open(core=0) as cage:
    play(matches[0])
    print("ready", flush=True)
    input()
    for match in matches:
        play(match)
    print("done", flush=True)
    input()
"""
)


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of processor time a match, by part of the site, and of the clock. ``matches``: what was played."""

    cpu: dict[str, float]
    wall: float
    matches: list[dict[str, Any]]

    @property
    def spent(self) -> float:
        return sum(self.cpu.values())


def main() -> None:
    for kind in KINDS:
        sqlite = through_the_site(kind)
        cage = bare(sqlite.matches)
        print(f"{kind}, bare cage: {cage.spent * 1000:.0f} ms of processor time, {cage.wall * 1000:.0f} ms")
        report("SQLite", sqlite, cage)
        if shutil.which("initdb") or list(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
            child = ["sh", str(ROOT / ".ci/postgres"), sys.executable, "-m", "benchmarks.orchestration", ROOM, kind]
            told = subprocess.run(child, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
            report("PostgreSQL", Measured(**json.loads(told.splitlines()[-1])), cage)
        else:
            print(" PostgreSQL: not measured, initdb was not found")


def report(database: str, site: Measured, cage: Measured) -> None:
    ratios = f"{site.spent / cage.spent:.3f} times the bare cage's, {site.wall / cage.wall:.2f} times its time"
    print(f" site, {database}: {site.spent * 1000:.0f} ms of processor time, {site.wall * 1000:.0f} ms: {ratios}")
    print("  " + ", ".join(f"{part} {1000 * spent:.1f}" for part, spent in site.cpu.items()))


def bare(matches: Sequence[Mapping[str, Any]]) -> Measured:
    """Return what the same matches take without the site."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "arena.settings.test"}
    command = [sys.executable, "-c", BARE]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        print(json.dumps(matches), file=process.stdin, flush=True)
        assert process.stdout.readline() == "ready\n"
        cpu, began = cpu_of(process.pid), time.monotonic()
        print(file=process.stdin, flush=True)
        assert process.stdout.readline() == "done\n"
        spent, took = cpu_of(process.pid) - cpu, time.monotonic() - began
        print(file=process.stdin, flush=True)
    return Measured({"cage": spent / len(matches)}, took / len(matches), [])


def through_the_site(kind: str) -> Measured:
    """Return what a match takes on a site with the database of the environment."""
    entries, fields = KINDS[kind]
    usual = {"DJANGO_SETTINGS_MODULE": "arena.settings.dev"}  # leases and claims as long as on any site
    with tempfile.TemporaryDirectory(prefix="peck-") as directory, Site(Path(directory), **usual) as site:

        def over(tournaments: int) -> bool:
            finished = site.query("select count(*) from tournaments_tournament where state = 'finished'")
            return int(finished[0][0]) == tournaments

        quiet = ("--without-gossip", "--without-mingle")
        parts = {"Valkey": site.processes[0].pid}
        parts["player"] = site.celery("worker", "--hostname=player@%h", "--queues=matches", "-c1", *quiet).pid
        solo = ("--pool=solo", *quiet)
        parts["books"] = site.celery("worker", "--hostname=books@%h", "--queues=books", *solo).pid
        parts["keeper"] = site.celery("worker", "--hostname=keeper@%h", "--queues=housekeeping", *solo).pid
        for server in servers():
            parts["PostgreSQL"] = server
        site.wait_for(lambda: bool(site.query("select 1 from matches_workerpresence")), 60)
        site.run("-c", TOURNAMENT.format(entries=2, fields={"blocks": 2}))
        site.wait_for(lambda: over(1), 60)
        before = {part: cpu_of(root) for part, root in parts.items()}
        site.run("-c", TOURNAMENT.format(entries=entries, fields=fields))
        while not over(2):  # seldom: each look is a connection, and PostgreSQL starts a process for it
            time.sleep(1)
        spent = {part: cpu_of(root) - before[part] for part, root in parts.items()}
        matches = _played(site)
        times = site.query("select created_at, finished_at from matches_match order by id")[-len(matches) :]
        moments = [[datetime.fromisoformat(str(each)) for each in row] for row in times]
        took = (max(finished for _, finished in moments) - min(created for created, _ in moments)).total_seconds()
    return Measured({part: each / len(matches) for part, each in spent.items()}, took / len(matches), matches)


def _played(site: Site) -> list[dict[str, Any]]:
    """Return the matches of the second tournament: the numbers of the bots at the table, the secret and the blocks."""
    rows = site.query(
        "select m.id, m.secret, m.blocks, s.version_id from matches_match m join matches_seat s on s.match_id = m.id"
        ' order by m.id, s."index"'
    )
    pairs = list(zip(rows[::2], rows[1::2], strict=True))[1:]
    first = min(version for pair in pairs for *_, version in pair)
    return [
        {"secret": bytes(one[1]).hex(), "blocks": one[2], "seats": [one[3] - first, other[3] - first]}
        for one, other in pairs
    ]


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
    print(json.dumps(asdict(through_the_site(sys.argv[2]))))
