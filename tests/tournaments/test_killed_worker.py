"""Kill -9 of the worker in the middle of a tournament, twice: it finishes, and every match counts exactly once."""

import json
import tempfile
from pathlib import Path

import pytest

from tests.matches.site import Site, kill_group

pytestmark = pytest.mark.slow

ENTRIES, MATCHES = 11, 55
START = f"""
import django
django.setup()
from games.catalogue import GAMES
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tests.bots.factories import BotVersionFactory
from tournaments.services import tournament_start
cup = TournamentFactory()
for number in range({ENTRIES}):
    house = GAMES["pickomino"].house_bots[number % 3]
    EntryFactory(tournament=cup, bot=BotVersionFactory(source=house.source()).bot)
tournament_start(tournament=cup)
"""
STANDINGS = """
import django, json
django.setup()
from tournaments.models import Tournament
from tournaments.selectors.pages.tournament_page import tournament_entries_of
from tournaments.selectors.standings.ranking import stage_results_of, standings_of
from tournaments.standings import standings_table
cup = Tournament.objects.get()
entries = tournament_entries_of(cup)
shown = standings_of(cup.stage)
entrants = {entry.version_id: entry.pk for entry in entries}
again = standings_table(list(entrants.values()), stage_results_of(cup.stage, entrants), cup.tie_breaks, cup.luck.value)
print(json.dumps({"agree": shown == again, "points": sum(row.points for row in shown),
                  "played": sorted({row.played for row in shown})}))
"""


def test_a_tournament_survives_a_worker_that_is_killed_twice():
    # A socket's path must be short: pytest's own directories are not.
    with (
        tempfile.TemporaryDirectory(prefix="peck-") as directory,
        Site(Path(directory), DJANGO_SETTINGS_MODULE="tests.tournaments.worker_settings") as site,
    ):

        def count(sql):
            return int(site.query(f"select count(*) from {sql}")[0][0])

        def worker():
            return site.celery(
                "worker",
                "--concurrency=2",
                "--queues=housekeeping,books,matches",
                "--without-gossip",
                "--without-mingle",
            )

        site.run("-c", START)
        site.celery("beat", f"--schedule={site.directory / 'beat'}")
        for finished in (8, 25):
            doomed = worker()
            site.wait_for(lambda least=finished: count("matches_match where state = 'finished'") >= least, 200)
            kill_group(doomed)
        worker()
        site.wait_for(lambda: count("tournaments_tournament where state = 'finished'") == 1, 200)

        assert count("matches_match where attempt > 1") > 0, "no kill found a match half played"
        assert count("matches_match where state = 'finished'") == count("tournaments_fixture") == MATCHES
        assert count("matches_game") == MATCHES * 2
        assert json.loads(site.run("-c", STANDINGS)) == {
            "agree": True,
            "points": float(MATCHES),
            "played": [ENTRIES - 1],
        }
