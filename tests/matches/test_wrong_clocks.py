"""Workers whose clocks are wrong: leases end when they should, and the operator is notified."""

import logging
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from matches.models import WorkerPresence
from matches.queue.leases import leases_beat, leases_expire
from matches.queue.worker_status import worker_seen
from tests.matches.factories import MatchFactory, leased
from tests.matches.site import Site, kill_group
from tests.waiting import eventually

HOUR = timedelta(hours=1)
# Runs in the site: one long match, slow enough to be killed in.
CREATE = """
import django
django.setup()
from tests.matches.creating import match_of
from tests.bots.factories import BotVersionFactory
match_of(ruleset="pickomino", options={}, versions=[BotVersionFactory(), BotVersionFactory()],
             secret=bytes(32), blocks=9, limits={}, min_action_ms=500)
"""


def off_by(wrong: timedelta) -> datetime:
    return timezone.now() + wrong


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", [HOUR, -HOUR])
def test_a_lease_ends_by_the_databases_clock(wrong: timedelta) -> None:
    match = MatchFactory()
    with patch("django.utils.timezone.now", return_value=off_by(wrong)):
        lease = leased(match)
        assert leases_expire() == 0
        assert leases_beat([lease])
    match.refresh_from_db()
    assert match.lease_expires_at is not None
    assert match.started_at is not None
    assert abs(match.lease_expires_at - timezone.now()) <= timedelta(seconds=settings.LEASE_SECONDS)
    assert abs(match.started_at - timezone.now()) < timedelta(minutes=1)


@pytest.mark.django_db
def test_a_lease_is_measured_in_parts_of_a_second(settings: pytest.FixtureRequest) -> None:
    settings.LEASE_SECONDS = 1.5  # type: ignore[attr-defined]
    match = MatchFactory()
    began = time.monotonic()
    leased(match)
    if connection.vendor == "sqlite":  # PostgreSQL counts microseconds
        assert leases_expire() == 0
    assert eventually(leases_expire)
    assert time.monotonic() - began > 1.4


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", [HOUR, -HOUR])
def test_a_worker_whose_clock_is_wrong_says_so(wrong: timedelta, caplog: pytest.LogCaptureFixture) -> None:
    with patch("matches.queue.worker_status.timezone.now", return_value=off_by(wrong)), caplog.at_level(logging.ERROR):
        worker_seen(name="w@host")
    assert abs(WorkerPresence.objects.get().clock_ahead - wrong.total_seconds()) < 60
    assert "the clock of w@host is off by" in caplog.text


@pytest.mark.django_db
def test_a_worker_whose_clock_is_right_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        assert abs(worker_seen(name="w@host")) < timedelta(seconds=3)
    assert caplog.text == ""


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.parametrize("ahead", [3600, -3600])
def test_a_worker_with_a_wrong_clock_that_is_killed_leaves_its_match_for_a_lease_at_most(ahead: int) -> None:
    with tempfile.TemporaryDirectory(prefix="peck-") as directory, Site(Path(directory)) as site:

        def state() -> tuple[str, ...]:
            return site.query("select state from matches_match")[0]

        quiet = ("--without-gossip", "--without-mingle", "--concurrency=1")
        site.run("-c", CREATE)
        site.celery("beat", f"--schedule={site.directory / 'beat'}")
        site.celery("worker", "--queues=housekeeping", "--hostname=keeper@%h", *quiet)
        player = site.celery("worker", "--queues=matches", *quiet, TESTS_CLOCK_AHEAD=str(ahead))
        site.wait_for(lambda: state() == ("running",), 60)
        site.wait_for(
            lambda: bool(site.query("select 1 from matches_workerpresence where abs(clock_ahead) > 3500")), 30
        )
        assert state() == ("running",), "the keeper took its match away while the worker lived"
        kill_group(player)
        killed = time.monotonic()
        site.wait_for(lambda: state() == ("queued",), 30)
        assert time.monotonic() - killed < 2 + 8  # the lease of these settings, and a sweep on a loaded machine
