"""While a site is upgraded, programs of two releases work on one database: nobody notices."""

import json
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.running import free_port
from tests.matches.site import ROOT, Site
from tests.upgrade.release_before import checked_out

pytestmark = [pytest.mark.processes, pytest.mark.postgres, pytest.mark.timeout(600)]

ENTRIES, MATCHES = 4, 6
# Runs in the site, in the code of the release whose web processes are up.
START = f"""
import django
django.setup()
from games.catalogue import GAMES
from tests.bots.factories import BotVersionFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tournaments.services import tournament_start
cup = TournamentFactory()
for number in range({ENTRIES}):
    house = GAMES["pickomino"].house_bots[number % 3]
    EntryFactory(tournament=cup, bot=BotVersionFactory(source=house.source()).bot)
tournament_start(tournament=cup)
print(cup.slug)
"""
WORKER = ("worker", "--beat", "--concurrency=2", "--queues=housekeeping,books,matches", "--without-gossip")
SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.tournaments.worker_settings", "ALLOWED_HOSTS": "127.0.0.1"}


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checked_out(tmp_path_factory.mktemp("before"))


@pytest.fixture
def site() -> Iterator[Site]:
    """Its database has the tables of this release."""
    # A socket's path must be short: pytest's own directories are not.
    with tempfile.TemporaryDirectory(prefix="peck-") as directory, Site(Path(directory), **SETTINGS) as site:
        yield site


@pytest.mark.parametrize("old", ["worker", "web"])
def test_what_one_release_starts_the_other_plays_and_both_count(site: Site, before: Path, old: str) -> None:
    port = free_port()

    def read(address: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{address}", timeout=60) as answer:
            return json.load(answer)

    def answers() -> bool:
        try:
            return bool(read("/api/tournaments/"))
        except OSError:
            return False

    def tournament() -> Any:
        return read(f"/api/tournaments/{slug}/")

    site.checkout = before if old == "web" else ROOT
    slug = site.run("-c", START).strip()
    site.start(sys.executable, "-m", "uvicorn", "arena.asgi:application", "--port", str(port), "--lifespan=off")
    site.wait_for(answers, 150)
    assert tournament()["state"] == "running"
    site.checkout = before if old == "worker" else ROOT
    site.celery(*WORKER, f"--schedule={site.directory / 'beat'}")
    site.wait_for(lambda: tournament()["state"] == "finished", 300)
    standings = read(f"/api/tournaments/{slug}/standings/")["results"]
    assert [row["played"] for row in standings] == [ENTRIES - 1] * ENTRIES
    assert sum(row["points"] for row in standings) == MATCHES
    assert site.query("select count(*) from matches_fault") == [(0,)]
    assert site.query("select count(*) from matches_match where platform_faults + workers_lost > 0") == [(0,)]
