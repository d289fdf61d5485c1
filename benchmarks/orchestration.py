"""Measure the processor time that the site adds to its games, compared with the bare cage playing the same games.

There are two cases: a default match, two blocks of Pickomino between two house bots; and a match of a Swiss with the
proposed number of blocks.

A site is started for each database, with workers as on a large site, playing one match at a time. The time of all its
processes counts, including Valkey and PostgreSQL, from the start of the tournament until its end, which is polled once
a second on one connection. The Swiss is a sample of one with 1,000 bots: 50 bots, and two rounds of nine. On a machine
with other loads, two runs differ by more than the differences of interest. So the processor time of the games is also
measured in the process that plays them, and the other figures are given relative to it.

``python -m benchmarks.orchestration --bots 100 --rounds 9 --turns 3 --on PostgreSQL`` plays another tournament three
times, each followed by the bare cage.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.timed_games import taken
from tests.databases import reader
from tests.matches.site import ROOT, Site
from tournaments.presets import tournament_preset_named

DATABASES: Final = ("SQLite", "PostgreSQL")
TICKS: Final = os.sysconf("SC_CLK_TCK")
DEFAULT: Final[dict[str, Any]] = {"blocks": 2}

# Each program reads a line with what to play, reports when it is ready, and waits before the measured part.
SOURCES = """
import json
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
asked = json.loads(input())
for factory in (UserFactory, AuthorFactory, TournamentFactory, BotFactory, BotVersionFactory):
    factory.reset_sequence(asked["bots"] * 1000, force=True)
cup = TournamentFactory(**asked["fields"])
for number in range(asked["bots"]):
    EntryFactory(tournament=cup, bot=BotVersionFactory(source=source(number)).bot)
print("ready", flush=True)
input()
tournament_start(tournament=cup)
print("done", flush=True)
input()
"""
)
BARE = (
    SOURCES
    + """
from games.protocol import Limits
from games.catalogue import current
from matches.referee import MatchSpec, series_games_play
from sandbox import Cage
rules = current("pickomino")
def play(match):
    order = MatchSpec(rules, rules.validate(2, {}), Limits(), bytes.fromhex(match["secret"]), match["blocks"],
                      tuple({"bot.py": source(number)} for number in match["seats"]))
    return list(series_games_play(order, cage, lambda index, table: None))
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
    """Times of a match in seconds: processor time by part of the site, and wall time. ``matches`` were played;
    ``games`` is the processor time of a match's games alone, including their bots.
    """

    cpu: dict[str, float]
    wall: float
    matches: list[dict[str, Any]]
    games: float = 0.0

    @property
    def spent(self) -> float:
        return sum(self.cpu.values())


@dataclass(frozen=True, slots=True)
class Cup:
    """A tournament of ``bots`` bots. ``fields`` are its settings."""

    name: str
    bots: int
    fields: dict[str, Any]


def swiss(bots: int, rounds: int) -> Cup:
    preset = tournament_preset_named("swiss")
    assert preset is not None
    return Cup("match of a Swiss", bots, {"format": "swiss", "rounds": rounds, "blocks": preset.fields["blocks"]})


def main() -> None:
    for cup in (Cup("default match", 10, DEFAULT), swiss(50, 2)):
        compare(cup, DATABASES)


def compare(cup: Cup, databases: Sequence[str]) -> None:
    """Print the time of a match of the tournament on each database, and each time in the bare cage."""
    for database in databases:
        site = measured(cup, database)
        if site is None:
            print(f" {database}: not measured, initdb was not found")
            continue
        cage = bare(site.matches)
        print(f"{cup.name}, bare cage: {cage.spent * 1000:.0f} ms of processor time, {cage.wall * 1000:.0f} ms")
        report(database, site, cage)


def measured(cup: Cup, database: str) -> Measured | None:
    """Return the times of a match on a site with this database; None if the database is not available."""
    command = [sys.executable, "-m", "benchmarks.orchestration", "--measure", json.dumps(asdict(cup))]
    if database == "PostgreSQL":
        if not (shutil.which("initdb") or list(Path("/usr/lib/postgresql").glob("*/bin/initdb"))):
            return None
        command = ["sh", str(ROOT / ".ci/postgres"), *command]
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return Measured(**json.loads(output.splitlines()[-1]))


def report(database: str, site: Measured, cage: Measured) -> None:
    ratios = f"{site.spent / cage.spent:.3f} times the bare cage's, {site.wall / cage.wall:.2f} times its time"
    print(f" site, {database}: {site.spent * 1000:.0f} ms of processor time, {site.wall * 1000:.0f} ms: {ratios}")
    print("  " + ", ".join(f"{part} {1000 * spent:.1f}" for part, spent in site.cpu.items()))
    beside = 1000 * (site.spent - site.games)
    print(f"  {beside:.1f} ms beside its own games, {site.spent / site.games:.3f} times these", flush=True)


def bare(matches: Sequence[Mapping[str, Any]]) -> Measured:
    """Return the times of the same matches without the site."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "arena.settings.test"}
    with ready(BARE, environment, matches) as process:
        cpu, began = cpu_of(process.pid), time.monotonic()
        act(process)
        spent, took = cpu_of(process.pid) - cpu, time.monotonic() - began
    return Measured({"cage": spent / len(matches)}, took / len(matches), [])


@contextmanager
def ready(program: str, environment: Mapping[str, str], task: object) -> Iterator[subprocess.Popen[str]]:
    """Start a Python program, send it what to play, and wait until it is ready for ``act``."""
    command, pipe = [sys.executable, "-c", program], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT, env=environment) as process:
        _exchange(process, json.dumps(task), "ready")
        yield process
        _exchange(process, "", "")


def act(process: subprocess.Popen[str]) -> None:
    """Let a program run its measured part."""
    _exchange(process, "", "done")


def _exchange(process: subprocess.Popen[str], line: str, answer: str) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    print(line, file=process.stdin, flush=True)
    printed = process.stdout.readline().strip()
    assert printed == answer, printed


def through_the_site(cup: Cup) -> Measured:
    """Return the times of a match on a site with the database of the environment."""
    usual = "arena.settings.dev"  # with the usual durations of leases and claims
    with (
        tempfile.TemporaryDirectory(prefix="peck-") as directory,
        Site(Path(directory), DJANGO_SETTINGS_MODULE=usual) as site,
        reader(site.database) as read,
    ):

        def over(tournaments: int) -> bool:
            return read("select count(*) from tournaments_tournament where state = 'finished'") == [(tournaments,)]

        quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
        parts = {"Valkey": site.processes[0].pid}
        command = (sys.executable, "-m", "celery", "-A", "benchmarks.timed_games", "worker", "--queues=matches")
        parts["player"] = player = site.start(*command, "--hostname=player@%h", "-c1", *quiet).pid
        solo = ("--pool=solo", *quiet)
        parts["books"] = site.celery("worker", "--hostname=books@%h", "--queues=books", *solo).pid
        parts["keeper"] = site.celery("worker", "--hostname=keeper@%h", "--queues=housekeeping", *solo).pid
        for server in servers():
            parts["PostgreSQL"] = server
        site.wait_for(lambda: bool(read("select 1 from matches_workerpresence")), 60)
        environment = {**site.environment, "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}"}
        with ready(TOURNAMENT, environment, {"bots": 2, "fields": DEFAULT}) as first:
            act(first)
        site.wait_for(lambda: over(1), 60)
        with ready(TOURNAMENT, environment, asdict(cup)) as starting:
            parts["start"] = starting.pid
            before, games = {part: cpu_of(root) for part, root in parts.items()}, games_of(player, site.directory)
            act(starting)
            while not over(2):
                time.sleep(1)
            spent = {part: cpu_of(root) - before[part] for part, root in parts.items()}
            games = games_of(player, site.directory) - games
        matches = _played(site)
        times = site.query("select created_at, finished_at from matches_match order by id")[-len(matches) :]
        moments = [[datetime.fromisoformat(str(each)) for each in row] for row in times]
        took = (max(finished for _, finished in moments) - min(created for created, _ in moments)).total_seconds()
    number = len(matches)
    return Measured({part: each / number for part, each in spent.items()}, took / number, matches, games / number)


def _played(site: Site) -> list[dict[str, Any]]:
    """Return the matches of the second tournament: the bots at the table by number, the secret, and the blocks."""
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
    """Return the process of the database server, if there is one."""
    home = os.environ.get("DATABASE_URL", "").partition("@")[2].partition("/")[0].replace("%2F", "/")
    return [int((Path(home) / "data/postmaster.pid").read_text().split()[0])] if home else []


def cpu_of(root: int) -> float:
    """Return the processor time in seconds of a process and all processes below it, including those that have ended."""
    return _own(root) + sum(cpu_of(child) for child in _children(root))


def games_of(player: int, directory: Path) -> float:
    """Return the processor time in seconds of all games so far, including the bots in the cage."""
    return taken(directory) + sum(cpu_of(process) - sum(_times(process)[:2]) for process in _children(player))


def _own(pid: int) -> float:
    return sum(_times(pid))


def _times(pid: int) -> list[float]:
    """Return the user and system time of a process in seconds, and those of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return [0.0]
    return [int(ticks) / TICKS for ticks in fields[11:15]]


def _children(pid: int) -> list[int]:
    try:
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.orchestration", description=__doc__)
    parser.add_argument("--bots", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--on", choices=DATABASES, action="append", help="one of the databases; default: both")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(asdict(through_the_site(Cup(**json.loads(options.measure))))))
    else:
        for _ in range(options.turns):
            compare(swiss(options.bots, options.rounds), options.on or DATABASES)
