"""SIGTERM to a worker: it takes no new match, and what it is at is finished or handed back, with nobody to blame."""

import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

import pytest

from tests.matches.site import Site

pytestmark = [pytest.mark.processes, pytest.mark.postgres]

MATCHES = 40
# Runs in the site: two house bots, ``slow`` milliseconds between two actions.
CREATE = """
import django, sys
django.setup()
from itertools import cycle, islice, permutations
from games.catalogue import GAMES
from matches.services import PlannedMatch
from tests.matches.creating import matches_of
from tests.bots.factories import BotVersionFactory
slow, matches, blocks = map(int, sys.argv[1:])
bots = [BotVersionFactory(source=house.source()) for house in GAMES["pickomino"].house_bots[1:3]]
pairs = islice(cycle(permutations(bots, 2)), matches)
pairings = [PlannedMatch(pair, n.to_bytes(16)) for n, pair in enumerate(pairs)]
matches_of(ruleset="pickomino", options={}, pairings=pairings, blocks=blocks, limits={}, min_action_ms=slow)
"""
UNTOUCHED = "attempt <= 1 and platform_faults = 0 and workers_lost = 0"


@contextmanager
def playing(*, slow: int, matches: int, blocks: int, drain: int) -> Iterator[tuple[Site, Popen[bytes]]]:
    # A socket's path must be short: pytest's own directories are not.
    with (
        tempfile.TemporaryDirectory(prefix="peck-") as directory,
        Site(Path(directory), DRAIN_SECONDS=str(drain)) as site,
    ):
        site.run("-c", CREATE, str(slow), str(matches), str(blocks))
        worker = start(site)
        site.wait_for(lambda: count(site, "matches_match where state = 'running'") > 0, 150)
        yield site, worker


def start(site: Site) -> Popen[bytes]:
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    worker = site.celery("worker", "--concurrency=2", "--queues=housekeeping,matches", *quiet)
    site.run("-c", "import django; django.setup(); from matches.tasks import matches_sweep_task; matches_sweep_task()")
    return worker


def count(site: Site, sql: str) -> int:
    return int(site.query(f"select count(*) from {sql}")[0][0])


def test_short_matches_are_finished_and_the_others_wait_for_the_next_worker() -> None:
    with playing(slow=0, matches=MATCHES, blocks=4, drain=100) as (site, worker):
        site.wait_for(lambda: count(site, "matches_match where state = 'finished'") > 0, 150)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(100) == 0
        assert 0 < count(site, "matches_match where state = 'finished'") < MATCHES
        # No attempt was lost, and nothing waits for a lease to run out.
        assert count(site, f"matches_match where {UNTOUCHED} and state in ('finished', 'queued')") == MATCHES
        assert count(site, "matches_fault") == count(site, "matches_workerpresence") == 0
        start(site)
        site.wait_for(lambda: count(site, "matches_match where state = 'finished'") == MATCHES, 150)
        assert count(site, "matches_game") == MATCHES * 4 * 2


def test_a_match_that_takes_too_long_is_handed_back_at_once_and_its_attempt_is_void() -> None:
    # Its two games take minutes: five seconds an action.
    with playing(slow=5000, matches=1, blocks=1, drain=1) as (site, worker):
        began = time.monotonic()
        worker.send_signal(signal.SIGTERM)
        worker.wait(60)
        assert time.monotonic() - began < 30
        [row] = site.query("select state, attempt, platform_faults, workers_lost from matches_match")
        assert row == ("queued", 2, 0, 0)
        assert count(site, "matches_fault") == count(site, "matches_game") == 0
        start(site)
        site.wait_for(lambda: count(site, "matches_match where state = 'running' and attempt = 2") == 1, 150)
