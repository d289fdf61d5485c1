"""A site is backed up while matches run, and restored on an empty machine: it answers the same, and plays on."""

import datetime
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from peck.__main__ import main as peck
from tests.matches.site import Site, kill_group
from tests.upgrade.comparing import ROOT, answers_compare, answers_read

pytestmark = [pytest.mark.processes, pytest.mark.postgres, pytest.mark.timeout(600)]

ENTRIES, MATCHES, BLOCKS = 6, 15, 12
VISITORS = ("anonymous", "organiser")
LATER = 5  # matches that are held until there is a backup, which so cannot come after the last
START = f"""
import django
django.setup()
from arena.embedded.preparation import preparation_organiser_ensure
from django.conf import settings
from django.db import transaction
from games.catalogue import GAMES
from matches.models import Match
from matches.services import match_hold
from tests.bots.factories import BotVersionFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory
from arena.accounts.models import User
from tournaments.services import tournament_start
preparation_organiser_ensure(kept_in=settings.VAR_DIR / "organiser_password")
cup = TournamentFactory(organiser=User.objects.get(username="organiser"), blocks={BLOCKS})
for number in range({ENTRIES}):
    house = GAMES["pickomino"].house_bots[number % 3]
    EntryFactory(tournament=cup, bot=BotVersionFactory(source=house.source()).bot)
with transaction.atomic():
    tournament_start(tournament=cup)
    later = Match.objects.order_by("-pk").values_list("pk", flat=True)[:{LATER}]
    assert match_hold(matches=Match.objects.filter(pk__in=list(later))) == {LATER}
"""
RELEASE = """
import django
django.setup()
from matches.models import Match
from matches.services import match_release
match_release(matches=Match.objects.all())
"""
PROOF = """
import django, sys
django.setup()
from tournaments.models import Tournament
from tournaments.selectors.pages.proof_and_luck import tournament_proof_of
with open(sys.argv[1], "wb") as file:
    file.writelines(tournament_proof_of(Tournament.objects.get()))
"""
# A killed worker counts as one that is up for a minute and a half of the database, whatever READ_AT is.
DELETE_WORKERS = """
import django
django.setup()
from matches.models import WorkerPresence
from matches.queue.worker_status import MISSED_AFTER
from web.database import database_after
WorkerPresence.objects.update(seen_at=database_after(-MISSED_AFTER))
"""
WORKER = ("worker", "--concurrency=2", "--queues=housekeeping,books,matches", "--without-gossip", "--without-mingle")
# The key is the site's own, kept with its data.
SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.tournaments.worker_settings", "SECRET_KEY": ""}


def count(site: Site, what: str) -> int:
    return int(site.query(f"select count(*) from {what}")[0][0])


def manage(site: Site, *arguments: str) -> str:
    return site.run("manage.py", *arguments)


def test_a_site_comes_back_as_it_was_and_plays_on() -> None:
    # A socket's path must be short: pytest's own directories are not.
    with ExitStack() as stack:
        first, second, third, files = (
            Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="peck-"))) for _ in range(4)
        )
        site = stack.enter_context(Site(first, **SETTINGS))
        site.run("-c", START)
        processes = [site.celery("beat", f"--schedule={first / 'beat'}"), site.celery(*WORKER)]
        site.wait_for(lambda: count(site, "matches_match where state = 'finished'") >= 1, 200)
        manage(site, "backup", str(files / "running"))
        site.run("-c", RELEASE)
        site.wait_for(lambda: count(site, "tournaments_tournament where state = 'finished'") == 1, 200)
        for process in processes:
            kill_group(process)
        manage(site, "backup", str(files / "over"))

        with Site(second, empty=True, **SETTINGS) as again:
            manage(again, "restore", str(files / "running"))
            assert 1 <= count(again, "matches_match where state = 'finished'") <= MATCHES - LATER
            again.run("-c", RELEASE)
            again.celery("beat", f"--schedule={second / 'beat'}")
            again.celery(*WORKER)
            again.wait_for(lambda: count(again, "tournaments_tournament where state = 'finished'") == 1, 200)
            assert count(again, "matches_match where state = 'finished'") == MATCHES
            assert count(again, "matches_game") == MATCHES * BLOCKS * 2

        with Site(third, empty=True, **SETTINGS) as same:
            manage(same, "restore", str(files / "over"))
            for each in (site, same):  # the copy has its presence from the backup
                each.run("-c", DELETE_WORKERS)
            read_at = datetime.datetime.now(datetime.UTC).isoformat()
            one, other = (
                answers_read(ROOT, files, name, each.environment | {"READ_AT": read_at}, 150, VISITORS)
                for name, each in (("one", site), ("other", same))
            )
            assert answers_compare(one, other) == 0
            assert [answer["address"] for answer in one] == [answer["address"] for answer in other]
            proof = files / "cup.proof"
            same.run("-c", PROOF, str(proof))
            assert peck(["verify", str(proof)]) == 0
