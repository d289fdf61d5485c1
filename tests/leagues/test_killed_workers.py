"""A league of thirty bots on two workers, one of which is killed with -9 at random again and again.

The season is ended while matches are being played: every result counts once, and the final ladder follows from them.
"""

import json
import random
import tempfile
from pathlib import Path

import pytest

from tests.matches.site import Site, kill_group

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

BOTS, KILLS, MATCHES = 30, 5, 90
START = f"""
import django
django.setup()
from games.catalogue import GAMES
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import member_of, open_league
league = open_league(slug="thirty")
for number in range({BOTS}):
    house = GAMES["pickomino"].house_bots[number % 3]
    member_of(league, bot=BotVersionFactory(source=house.source()).bot)
"""
END = """
import django
django.setup()
from leagues.models import League
from leagues.services import season_end
season_end(league=League.objects.get())
"""
SHOWN = """
import django, json, pathlib, tempfile
django.setup()
from django.db.models import Sum
from tournaments.proof.verify import proof_verify
from leagues.models import Rating, Season
from leagues.selectors.fitting import fitted_ladder_agreement_of
from leagues.selectors.exports import season_proof_export_of
season = Season.objects.get()
with tempfile.TemporaryDirectory() as home:
    taken = pathlib.Path(home, "proof.zip")
    taken.write_bytes(b"".join(season_proof_export_of(season)))
    proved = proof_verify(taken)
last = Rating.objects.filter(snapshot__season=season, snapshot__number=season.refits)
print(json.dumps({"agreement": fitted_ladder_agreement_of(season), "state": season.state, "bots": last.count(),
                  "games": last.aggregate(sum=Sum("games"))["sum"], "score": last.aggregate(sum=Sum("score"))["sum"],
                  "proved": proved.games}))
"""


def test_a_league_of_thirty_bots_survives_workers_that_are_killed_at_random():
    rng = random.Random(30)
    # A socket's path must be short: pytest's own directories are not.
    with (
        tempfile.TemporaryDirectory(prefix="peck-") as directory,
        Site(Path(directory), DJANGO_SETTINGS_MODULE="tests.leagues.worker_settings") as site,
    ):

        def count(sql):
            return int(site.query(f"select count(*) from {sql}")[0][0])

        def worker(name):
            return site.celery(
                "worker", f"--hostname={name}@%h", "--concurrency=1", "--queues=matches", "--without-gossip",
                "--without-mingle",
            )  # fmt: skip

        site.run("-c", START)
        site.celery(
            "worker", "--hostname=clerk@%h", "--concurrency=1", "--queues=housekeeping,books", "--without-gossip"
        )
        site.celery("beat", f"--schedule={site.directory / 'beat'}")
        workers = [worker("one"), worker("two")]
        finished = "matches_match where state = 'finished'"
        for kill in range(1, KILLS + 1):
            enough = kill * MATCHES // (KILLS + 1)
            site.wait_for(lambda least=enough: count(finished) >= least, 240)
            site.wait_for(lambda: count("matches_match where state = 'running'") > 0, 60)
            doomed = rng.randrange(2)
            kill_group(workers[doomed])
            workers[doomed] = worker(f"heir{kill}")
        site.wait_for(lambda: count(finished) >= MATCHES, 240)
        site.run("-c", END)

        assert count("matches_match where attempt > 1") > 0, "no kill found a match half played"
        assert count("matches_match where state in ('queued', 'running', 'held')") == 0
        games = count("matches_game")
        assert games == count(f"{finished}") * 2
        shown = json.loads(site.run("-c", SHOWN))
        assert shown == {
            "agreement": "agrees",
            "state": "finished",
            "bots": BOTS,
            "games": games * 2,
            "score": pytest.approx(games),
            "proved": games,
        }
