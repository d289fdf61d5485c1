"""Real workers, and an organiser with 100,000 matches in the queue: the cup of another and a league go on."""

import tempfile
from datetime import datetime
from pathlib import Path

import pytest

from tests.matches.site import Site

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(900)]

BACKLOG = 100_000
QUIET = ("--without-gossip", "--without-mingle")
# Six matches of some seconds each; {number} keeps the names of the two cups apart.
CUP = """
import django
django.setup()
from games.catalogue import GAMES
from tests.arena.factories import UserFactory
from tests.bots.factories import AuthorFactory, BotFactory, BotVersionFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tournaments.services import tournament_start
for factory in (UserFactory, AuthorFactory, BotFactory, BotVersionFactory, TournamentFactory):
    factory.reset_sequence({number} * 1000, force=True)
cup = TournamentFactory(blocks=8)
for house in (GAMES["pickomino"].house_bots * 2)[:4]:
    EntryFactory(tournament=cup, bot=BotVersionFactory(source=house.source()).bot)
tournament_start(tournament=cup)
"""
OTHERS = f"""
import django
django.setup()
from django.db import connection
from games.catalogue import GAMES
from matches.models import Match, Seat
from tests.matches.creating import match_of
from tests.arena.factories import UserFactory
from tests.bots.factories import AuthorFactory, BotFactory, BotVersionFactory
from tests.leagues.factories import LeagueFactory, open_league
for factory in (UserFactory, AuthorFactory, BotFactory, BotVersionFactory, LeagueFactory):
    factory.reset_sequence(5000, force=True)
bots = [BotVersionFactory(source=house.source()) for house in GAMES["pickomino"].house_bots[1:3]]
first = match_of(ruleset="pickomino", options={{}}, versions=bots, secret=bytes(32), blocks=2, limits={{}},
                     held=True, organiser_id=UserFactory().pk)
columns = ", ".join(field.column for field in Match._meta.fields if field.name != "id")
names = [f'"{{field.column}}"' for field in Seat._meta.fields if field.name not in ("id", "match")]
with connection.cursor() as cursor:
    cursor.execute(f"INSERT INTO matches_match ({{columns}}) SELECT {{columns}} FROM matches_match m,"
                   " (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {BACKLOG})"
                   " SELECT i FROM n) AS n"
                   " WHERE m.id = %s", [first.pk])
    cursor.execute(f"INSERT INTO matches_seat (match_id, {{', '.join(names)}}) SELECT m.id, "
                   f"{{', '.join('s.' + name for name in names)}} FROM matches_match m, matches_seat s"
                   " WHERE s.match_id = %s AND m.id > %s AND m.state = 'held'", [first.pk, first.pk])
Match.objects.filter(state="held").update(state="queued")
open_league(bots=4)
"""


def test_a_backlog_of_a_hundred_thousand_halts_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    environment = {"DJANGO_SETTINGS_MODULE": "tests.leagues.worker_settings"}
    with tempfile.TemporaryDirectory(prefix="peck-") as directory, Site(Path(directory), **environment) as site:

        def count(sql: str) -> int:
            return int(site.query(f"select count(*) from {sql}")[0][0])

        def seconds_of_cup(number: int) -> float:
            site.run("-c", CUP.format(number=number))
            over = f"tournaments_tournament where state = 'finished' and slug = 'cup-{number * 1000}'"
            site.wait_for(lambda: count(over) == 1, 400)
            times = site.query(
                "select m.created_at, m.finished_at from matches_match m"
                " join tournaments_fixture f on f.match_id = m.id order by f.id desc limit 6"
            )
            created_at, finished = zip(
                *([datetime.fromisoformat(str(one)) for one in row] for row in times), strict=True
            )
            return float((max(finished) - min(created_at)).total_seconds())

        site.celery("beat", f"--schedule={site.directory / 'beat'}")
        site.celery("worker", "--hostname=keeper@%h", "--queues=housekeeping", "--pool=solo", *QUIET)
        site.celery("worker", "--hostname=books@%h", "--queues=books", "--concurrency=1", *QUIET)
        site.celery("worker", "--hostname=player@%h", "--queues=matches", "--concurrency=1", *QUIET)
        site.wait_for(lambda: count("matches_workerpresence") == 1, 60)
        seconds_of_cup(1)  # the cage is open, and how long blocks take is not yet known for the next
        alone = seconds_of_cup(2)
        site.run("-c", OTHERS)
        of_league = "matches_match m join league_leaguematch l on l.match_id = m.id where m.state = 'finished'"
        of_backlog = "matches_match where state = 'finished' and contest_id is null"
        site.wait_for(lambda: count(of_league) > 0 and count(of_backlog) > 0, 120)
        league, backlog = count(of_league), count(of_backlog)
        beside = seconds_of_cup(3)
        league, backlog = count(of_league) - league, count(of_backlog) - backlog
        with capsys.disabled():
            print(
                f"\na cup of 6: {alone:.1f} s alone, {beside:.1f} s beside a backlog of {BACKLOG} and a league,"
                f" of which {backlog} and {league} matches were played meanwhile"
            )
        assert league > 0
        assert backlog > 0
        assert beside < 5 * alone + 10, "three shares of one worker: about three times, and the slices of the others"
