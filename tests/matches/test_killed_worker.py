"""Kill -9 in the middle of fifty matches, twice: each is finished once, and no bot is blamed."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest

from tests.matches.site import Site, kill_group

pytestmark = [pytest.mark.processes, pytest.mark.postgres]

MATCHES = 50
# Runs in the site: two house bots, fifty times.
CREATE = f"""
import django
django.setup()
from itertools import cycle, islice, permutations
from games.catalogue import GAMES
from matches.contest_kinds import ContestKind
from matches.services import PlannedMatch
from tests.matches.creating import matches_of
from tests.bots.factories import BotVersionFactory
bots = [BotVersionFactory(source=house.source()) for house in GAMES["pickomino"].house_bots[1:3]]
pairs = islice(cycle(permutations(bots, 2)), {MATCHES})
pairings = [PlannedMatch(pair, n.to_bytes(16)) for n, pair in enumerate(pairs)]
matches_of(ruleset="pickomino", options={{}}, pairings=pairings, blocks=1, limits={{}},
               contest=ContestKind("cup", finished_task="tests.result").numbered(1))
"""


@pytest.fixture
def site() -> Iterator[Site]:
    # A socket's path must be short: pytest's own directories are not.
    with tempfile.TemporaryDirectory(prefix="peck-") as directory, Site(Path(directory)) as site:
        yield site


def test_matches_survive_a_worker_that_is_killed_twice(site: Site) -> None:
    def finished() -> int:
        return int(site.query("select count(*) from matches_match where state = 'finished'")[0][0])

    def playing() -> bool:
        return bool(site.query("select 1 from matches_match where state = 'running'"))

    def worker() -> Popen[bytes]:
        return site.celery(
            "worker", "--concurrency=2", "--queues=housekeeping,matches", "--without-gossip", "--without-mingle"
        )

    site.run("-c", CREATE)
    site.celery("beat", f"--schedule={site.directory / 'beat'}")
    first = worker()
    site.wait_for(lambda: finished() >= 8 and playing(), 150)
    kill_group(first)
    second = worker()
    site.wait_for(lambda: finished() >= 25 and playing(), 150)
    second.kill()
    worker()
    site.wait_for(lambda: finished() == MATCHES, 150)

    def count(sql: str) -> float:
        return float(site.query(f"select count(*) from {sql}")[0][0])

    assert count("matches_match where attempt > 1") > 0, "no kill found a match half played"
    assert count("matches_game") == MATCHES * 2
    assert count("matches_game g join matches_match m on m.id = g.match_id where m.attempt != g.attempt") == 0
    places = [
        json.loads(row) if isinstance(row, str) else row for (row,) in site.query("select places from matches_seat")
    ]
    assert [len(each) for each in places] == [2] * (MATCHES * 2)
    assert site.query("select sum(score) from matches_seat") == [(MATCHES * 2.0,)]
    assert count("matches_fault") == count("matches_matchlog") == 0
    # Result workers are notified, and again: they have not confirmed.
    assert site.queued("tests")
