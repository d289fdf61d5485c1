"""A Swiss of 64 bots on a site whose workers are killed at random: every result counts once, and the standings hold.

The site is one as `make run` starts it, with two processes that play. Again and again one of them ends by kill -9,
whatever it does; Celery starts another in its place, and leases that ran out are swept. After each kill one match at
least is finished before the next, or a slow machine would get nowhere.
"""

import json
import os
import random
import signal
import time
import urllib.request
from contextlib import suppress

import pytest

from tests.browser.running import StartedSite, processes, site
from tests.waiting import eventually

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3000)]

ENTRIES, ROUNDS, PLAYERS = 64, 6, 4
TABLES = ENTRIES // PLAYERS * ROUNDS
PAUSE_MOST = 3.0  # seconds, at random, from a result to the next kill
PACE_MS = 2  # a match takes a second or two: most kills find one half played

UPLOAD = f"""
from arena.accounts.models import User
from games.catalogue import GAMES
from bots.services import bot_create, version_upload
cheap = [bot.source() for bot in GAMES["pickomino"].house_bots if bot.name in ("random", "cautious", "greedy")]
for n in range({ENTRIES}):
    author = User.objects.create_user(f"author{{n}}")
    bot = bot_create(owner=author, name=f"Hen {{n:02}}", game="pickomino")
    version_upload(bot=bot, filename="bot.py", data=cheap[n % 3] + b"# hen %d" % n)
"""
START = f"""
from arena.accounts.models import User
from bots.models import Bot
from tournaments.services import StagePlan, entry_create, tournament_create, tournament_open, tournament_start
organiser = User.objects.get(username="organiser")
swiss = StagePlan(format="swiss", players_per_table={PLAYERS}, rounds={ROUNDS}, blocks=1)
breaks = ("buchholz_cut_1", "buchholz", "wins", "margin", "lot")
cup = tournament_create(
    organiser=organiser, name="Night of Foxes", ruleset="pickomino", stages=[swiss], tie_breaks=breaks,
    min_action_ms={PACE_MS},
)
tournament_open(tournament=cup)
for bot in Bot.objects.order_by("pk"):
    entry_create(tournament=cup, bot=bot, by=bot.owner)
tournament_start(tournament=cup)
print(cup.slug)
"""
FINISHED = "SELECT count(*) FROM matches_match WHERE state = 'finished'"
RECOMPUTED = """
import json
from tests.tournaments.recomputed import standings_recomputed
from tournaments.models import Tournament
print(json.dumps(standings_recomputed(Tournament.objects.get())))
"""


def test_a_swiss_of_64_bots_outlives_its_workers(capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(64)
    with site("--no-demo", "--workers", "2") as running:
        running.manage("shell", "-v0", "-c", UPLOAD)
        accepted = "SELECT count(*) FROM bots_botversion WHERE state = 'accepted'"
        assert eventually(lambda: running.count(accepted) == ENTRIES, 900, every=1)
        slug = running.manage("shell", "-v0", "-c", START).strip()
        began, killed, done = time.monotonic(), 0, 0
        while (now := running.count(FINISHED)) < TABLES:
            time.sleep(rng.uniform(0, PAUSE_MOST))
            if now > done:
                killed, done = killed + kill_one(rng, running), now
        over = "SELECT count(*) FROM tournaments_tournament WHERE state = 'finished'"
        assert eventually(lambda: running.count(over), 60)
        took = time.monotonic() - began

        shown = json.loads(answer(running, f"/tournaments/{slug}/export/tournament.json"))["stages"][0]["standings"]
        again = json.loads(running.manage("shell", "-v0", "-c", RECOMPUTED))
        assert [{name: row[name] for name in again[0]} for row in shown] == again
        page = answer(running, f"/tournaments/{slug}/").partition('<table class="standings">')[2]
        places = [page.index(f">{row['bot']}<") for row in shown]
        assert places == sorted(places)

        assert [row["played"] for row in shown] == [ROUNDS] * ENTRIES
        assert sum(row["points"] for row in shown) == TABLES * PLAYERS * (PLAYERS - 1) / 2
        assert running.count("SELECT count(*) FROM matches_match") == TABLES
        assert running.count(FINISHED) == TABLES
        assert running.count("SELECT count(*) FROM tournaments_fixture") == TABLES
        assert running.count("SELECT count(*) FROM matches_game") == TABLES * PLAYERS
        stale = "matches_game g JOIN matches_match m ON m.id = g.match_id WHERE g.attempt != m.attempt"
        assert running.count(f"SELECT count(*) FROM {stale}") == 0
        assert running.count("SELECT count(*) FROM matches_fault") == 0, "a bot was blamed"
        lost = running.count("SELECT sum(workers_lost) FROM matches_match")
        assert lost >= ROUNDS, "hardly a kill found a match half played"
        with capsys.disabled():
            most = running.count("SELECT max(workers_lost) FROM matches_match")
            print(
                f"\n{TABLES} matches in {took:.0f} s, {killed} workers killed, {lost} of them playing, {most} under one"
            )


def kill_one(rng: random.Random, running: StartedSite) -> bool:
    """kill -9 for one of the processes that play; whether there was one: Celery itself may just be starting again."""
    table = processes()
    pools = {one.pid for one in table if one.parent == running.process.pid and "--queues=matches" in one.command}
    players = sorted(one.pid for one in table if one.parent in pools and "celery" in one.command)
    if not players:
        return False
    with suppress(ProcessLookupError):
        os.kill(rng.choice(players), signal.SIGKILL)
    return True


def answer(running: StartedSite, path: str) -> str:
    """What the site answers to an anonymous visitor."""
    with urllib.request.urlopen(running.url + path, timeout=60) as response:
        return str(response.read().decode())
