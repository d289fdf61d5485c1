"""Two machines with two versions of a game's package, two real code trees, on one site: each plays what is of its own
code, nobody is blamed, and what nobody can play waits with the reason."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest

from tests.matches.site import ROOT, Site

pytestmark = [pytest.mark.processes, pytest.mark.timeout(600)]

PACKAGE = "pecking_order_highcard"
MATCHES = 6  # of a cup of four bots
CREATE = """
from games.catalogue import BROKEN, GAMES
from tests.arena.factories import UserFactory
from tests.bots.factories import AuthorFactory, BotFactory, BotVersionFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tournaments.services import tournament_start
assert not BROKEN, BROKEN
for factory in (UserFactory, AuthorFactory, BotFactory):
    factory.reset_sequence({start}, force=True)  # a process has them to itself, the site has not
named = {{"slug": "{slug}", "name": "{slug}"}}
cup = TournamentFactory(ruleset="highcard/1", options={{}}, format="round_robin", rounds=0, **named)
for number in range(4):
    source = GAMES["highcard"].house_bots[0].source() + b"# %d\\n" % number
    version = BotVersionFactory(bot=BotFactory(game="highcard", name=f"{slug} {{number}}"), source=source)
    EntryFactory(tournament=cup, bot=version.bot)
tournament_start(tournament=cup)
"""
REPLAYED = """
from games.record import Record
from matches.models import Game
hold = 0
for game in Game.objects.filter(match__fixture__round__tournament__slug="{slug}"):
    try:
        assert sorted(Record.decode(bytes(game.record)).verify().places) == sorted(game.places)
        hold += 1
    except Exception:
        pass
print(hold)
"""
SHOWN = """
import time
from django.test import Client
from tests.arena.factories import UserFactory
client = Client()
client.force_login(UserFactory(username=f"staff-{time.time_ns()}", is_staff=True))
print(client.get("/operations/").content.decode())
"""


def tree(directory: Path, version: str, **changes: str) -> Path:
    """A folder that has High Card as pip installs it, with other rules if ``changes`` says so."""
    shutil.copytree(ROOT / "packages/highcard" / PACKAGE, directory / PACKAGE)
    for old, new in changes.items():
        path = directory / PACKAGE / "position.py"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
    metadata = directory / f"{PACKAGE}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pecking-order-highcard\nVersion: {version}\n")
    (metadata / "entry_points.txt").write_text(f"[pecking_order.games]\nhighcard = {PACKAGE}:GAME\n")
    return directory


@pytest.fixture
def site() -> Iterator[Site]:
    settings = {"DJANGO_SETTINGS_MODULE": "tests.tournaments.worker_settings"}
    # A socket's path must be short: pytest's own directories are not.
    with tempfile.TemporaryDirectory(prefix="peck-") as directory, Site(Path(directory), **settings) as site:
        yield site


def test_workers_with_two_versions_of_a_package_play_each_its_own(site: Site, tmp_path: Path) -> None:
    one = tree(tmp_path / "one", "1.0.0")
    other = tree(tmp_path / "other", "1.0.1", max="min")  # the lowest card has the point

    def run(code: Path, script: str, **values: object) -> str:
        # Pages are rendered without the manifest of collected files, as in tests.
        settings = "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'arena.settings.test'"
        begun = f"{settings}; import sys; sys.path.insert(0, {str(code)!r}); import django; django.setup()"
        return site.run("-c", f"{begun}\n{script.format(**values) if values else script}")

    def worker(code: Path, name: str, *queues: str) -> Popen[bytes]:
        return site.celery(
            *("worker", "--concurrency=1", f"--hostname={name}@here", f"--queues={','.join(('matches', *queues))}"),
            *("--without-gossip", "--without-mingle"),
            PYTHONPATH=f"{code}:{ROOT}:{ROOT / 'platform'}",
        )

    def state(slug: str) -> tuple[str, str]:
        ((state, because),) = site.query(
            f"select state, paused_because from tournaments_tournament where slug = '{slug}'"
        )
        return state, because

    run(one, CREATE, slug="high", start=0)
    run(other, CREATE, slug="low", start=100)
    first, second = worker(one, "one", "housekeeping", "books"), worker(other, "other")
    site.celery("beat", f"--schedule={site.directory / 'beat'}")
    site.wait_for(lambda: state("high")[0] == state("low")[0] == "finished", 240)

    played = site.query("select code, worker, state, platform_faults, wasted_ms, attempt from matches_match")
    assert len(played) == 2 * MATCHES
    for code, by, ended, *spent in played:
        at_home = first if code.startswith("pecking-order-highcard 1.0.0 ") else second
        assert os.getpgid(int(by.rpartition(":")[2])) == at_home.pid
        assert (ended, spent) == ("finished", [0, 0, 1])
    assert len({code for code, *_ in played}) == 2
    assert site.query("select count(*) from matches_fault") == [(0,)]
    assert site.query("select count(*) from matches_seat where has_forfeited or faulty_games > 0") == [(0,)]
    games = 2 * MATCHES
    assert int(run(one, REPLAYED, slug="high")) == int(run(other, REPLAYED, slug="low")) == games
    assert int(run(one, REPLAYED, slug="low")) < games  # the difference is one that would have been seen
    shown = run(one, SHOWN)
    assert "highcard: pecking-order-highcard 1.0.1 (" in shown
    assert "other@here" in shown

    # The machine with one of them goes: what is of its code waits, with the reason, and goes on when it is back.
    second.send_signal(signal.SIGTERM)
    second.wait(60)
    run(other, CREATE, slug="later", start=200)
    site.wait_for(lambda: state("later")[0] == "paused", 60)
    assert "matches are of pecking-order-highcard 1.0.1 (" in state("later")[1]
    assert "workers have pecking-order-highcard 1.0.0 (" in state("later")[1]
    assert "Paused because of their game" in run(one, SHOWN)
    worker(other, "again")
    site.wait_for(lambda: state("later") == ("finished", ""), 120)
    assert site.query("select count(*) from matches_match where platform_faults > 0") == [(0,)]
