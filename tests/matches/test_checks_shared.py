"""Real workers, real uploads: those who sleep are refused in time, and nobody else waits for them."""

import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from tests.hostile.cases import BOTS
from tests.matches.site import Site

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

SLEEPER = BOTS / "h24_slow_sleeper.py"
# Runs in the site. A burst: two authors of sleepers, two uploads each; then an honest one.
UPLOAD = f"""
import django
django.setup()
from pathlib import Path
from bots.models import Bot
from bots.services import version_upload
from tests.bots.factories import BotFactory
sleeper = Path({str(SLEEPER)!r}).read_bytes()
for bot in BotFactory.create_batch(2, name="Sleeper"):
    for number in range(2):
        version_upload(bot=bot, filename="bot.py", data=sleeper + b"# %d" % number)
honest = BotFactory(name="Honest")
version_upload(bot=honest, filename="bot.py", data=b"def act(view): return view['actions'][-1]")
"""
# A Swiss of two rounds: the second is drawn by the result workers when the first is played.
SWISS = """
import django
django.setup()
from games.catalogue import GAMES
from tests.bots.factories import AuthorFactory, BotFactory, BotVersionFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tournaments.services import tournament_start
for factory in (AuthorFactory, BotFactory, BotVersionFactory):
    factory.reset_sequence(1000, force=True)
cup = TournamentFactory(format="swiss", rounds=2)
for house in (GAMES["pickomino"].house_bots[1:3] * 2):
    EntryFactory(tournament=cup, bot=BotVersionFactory(source=house.source()).bot)
tournament_start(tournament=cup)
"""
QUIET = ("--without-gossip", "--without-mingle")


@pytest.fixture
def site() -> Iterator[Site]:
    # A socket's path must be short: pytest's own directories are not.
    with tempfile.TemporaryDirectory(prefix="peck-") as directory, Site(Path(directory)) as site:
        yield site


@pytest.mark.timeout(300)
def test_sleepers_are_refused_in_time_and_neither_an_honest_upload_nor_a_tournament_waits(site: Site) -> None:
    def state(name: str) -> list[str]:
        versions = "bots_botversion v join bots_bot b on b.id = v.bot_id"
        return [row[0] for row in site.query(f"select v.state from {versions} where b.name = '{name}'")]

    def waits(name: str) -> list[float]:
        versions = "bots_botversion v join bots_bot b on b.id = v.bot_id"
        times = site.query(f"select v.created_at, v.checked_at from {versions} where b.name = '{name}'")
        created_and_checked = [[datetime.fromisoformat(str(one)) for one in row] for row in times]
        return [(checked - created).total_seconds() for created, checked in created_and_checked]

    site.celery("beat", f"--schedule={site.directory / 'beat'}")
    site.celery("worker", "--hostname=checker@%h", "--queues=checks", "--concurrency=1", *QUIET)
    site.celery("worker", "--hostname=books@%h", "--queues=books", "--concurrency=1", *QUIET)
    site.celery("worker", "--hostname=keeper@%h", "--queues=housekeeping", "--pool=solo", *QUIET)
    site.celery("worker", "--hostname=player@%h", "--queues=matches", "--concurrency=1", *QUIET)
    site.wait_for(lambda: bool(site.redis.exists("_kombu.binding.checks")), 60)
    site.run("-c", UPLOAD)
    site.wait_for(lambda: state("Honest") == ["accepted"], 60)
    site.run("-c", SWISS)
    site.wait_for(lambda: len(site.query("select 1 from tournaments_round")) == 2, 60)
    assert "checking" in state("Sleeper"), "the next round was drawn only after the sleepers were gone"
    site.wait_for(lambda: state("Sleeper") == ["refused"] * 4, 120)
    waited = max(waits("Honest"))
    verdicts = {str(row[0]) for row in site.query("select report from bots_botversion where state = 'refused'")}
    assert all("slept" in report for report in verdicts)
    print(
        f"the honest upload had its verdict after {waited:.1f} s, the last sleeper after {max(waits('Sleeper')):.1f} s"
    )
    assert waited < 15
