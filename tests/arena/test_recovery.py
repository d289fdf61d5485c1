"""A worker that is killed costs a tournament time, and nothing else."""

import json
import os
import signal
from collections.abc import Iterator

import pytest

from tests.browser.running import StartedSite, site
from tests.waiting import eventually

pytestmark = [pytest.mark.slow, pytest.mark.timeout(420)]  # each day tests.matches.test_killed_worker kills one

ENTRANTS = 11  # who meet each other once: 55 matches
MATCHES = 55
GAMES_PER_MATCH = 2

UPLOAD = f"""
from arena.demo import demo_account_ensure
from games.catalogue import GAMES
from bots.services import bot_create, version_upload
house = demo_account_ensure()
sources = {{bot.name: bot.source() for bot in GAMES["pickomino"].house_bots}}
for n in range({ENTRANTS}):
    bot = bot_create(owner=house, name=f"Hen {{n}}", game="pickomino", is_house=True)
    source = sources[("random", "cautious", "greedy")[n % 3]]
    version_upload(bot=bot, filename="bot.py", data=source + b"# hen %d" % n)
"""
ACCEPTED = "SELECT count(*) FROM bots_botversion WHERE state = 'accepted'"
FINISHED = "SELECT count(*) FROM matches_match WHERE state = 'finished'"
OVER = "SELECT count(*) FROM tournaments_tournament WHERE state = 'finished'"
START = """
from arena.demo import demo_account_ensure
from bots.models import Bot
from tournaments.services import StagePlan, entry_create, tournament_create, tournament_open, tournament_start
house = demo_account_ensure()
stages = [StagePlan(blocks=1)]
cup = tournament_create(organiser=house, name="Fox Night", ruleset="pickomino", stages=stages, min_action_ms=1)
tournament_open(tournament=cup)
for bot in Bot.objects.all():
    entry_create(tournament=cup, bot=bot, by=house)
tournament_start(tournament=cup)
"""
COUNTED = """
import json
from django.db.models import Count, Sum
from matches.models import Game, Match, Seat
from tournaments.models import Tournament
print(json.dumps({
    "state": Tournament.objects.get().state,
    "finished": Match.objects.filter(state="finished").count(),
    "matches": Match.objects.count(),
    "repeated": Match.objects.filter(attempt__gt=1).count(),
    "games": Game.objects.count(),
    "odd matches": Match.objects.annotate(played=Count("games")).exclude(played=2).count(),
    "scores": Seat.objects.aggregate(all=Sum("score"))["all"],
    "faults": Seat.objects.aggregate(all=Sum("faulty_games"))["all"],
}))
"""


@pytest.fixture(scope="module")
def running() -> Iterator[StartedSite]:
    with site("--no-demo", "--workers", "2") as running:
        yield running


def test_a_tournament_whose_worker_is_killed_twice_counts_each_match_once(running: StartedSite) -> None:
    running.manage("shell", "-v0", "-c", UPLOAD)
    assert eventually(lambda: running.count(ACCEPTED) == ENTRANTS, 120)
    running.manage("shell", "-v0", "-c", START)
    for already in (5, 20):
        assert eventually(lambda already=already: running.count(FINISHED) >= already, 120)
        assert running.count(FINISHED) < MATCHES, "the tournament ended before its worker was killed"
        os.kill(running.leader("match worker 1"), signal.SIGKILL)
    assert eventually(lambda: running.count(OVER), 180), running.output
    found = json.loads(running.manage("shell", "-v0", "-c", COUNTED))
    repeated = found.pop("repeated")
    assert found == {
        "state": "finished",
        "finished": MATCHES,
        "matches": MATCHES,
        "games": MATCHES * GAMES_PER_MATCH,
        "odd matches": 0,
        "scores": MATCHES * GAMES_PER_MATCH,  # each game shares out one point
        "faults": 0,
    }
    assert repeated >= 1, "no match was being played when its worker was killed"
    assert running.output.count("match worker 1 was ended by SIGKILL") == 2
