"""The background worker of a site on one machine: its lanes, and a clock that rests while nobody looks."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from celery.beat import PersistentScheduler
from django.core.cache import caches
from django.utils import timezone

from arena.embedded import services
from arena.embedded.services import LANES, LanePool, RestingScheduler, services_site_is_idle
from matches.models import MatchState
from tests.matches.factories import MatchFactory
from tests.waiting import eventually
from web.visits import visit_note


@pytest.fixture
def pool() -> Iterator[LanePool]:
    interval = sys.getswitchinterval()
    pool = LanePool(5)
    yield pool
    pool.on_stop()
    sys.setswitchinterval(interval)


def order(pool: LanePool, queue: str, work: Callable[[], object], expires: datetime | None = None) -> list[Any]:
    """Give the pool a message of this queue, as Celery does, and return the result of its callback."""
    ends: list[Any] = []
    request = {"delivery_info": {"routing_key": queue}, "expires": expires and expires.isoformat()}

    def target(*_: object) -> tuple[int, object, float]:
        return 0, work(), 0.0

    pool.on_apply(target, ("task", "id", request, b"", "json", "utf-8"), {}, callback=ends.append)
    return ends


@pytest.mark.parametrize("full", LANES)
def test_a_queue_full_of_long_tasks_does_not_delay_the_others(pool: LanePool, full: str) -> None:
    over = threading.Event()
    try:
        long = [order(pool, full, partial(over.wait, 60)) for _ in range(LANES[full] * 3)]
        others = [order(pool, queue, lambda: "done") for queue in LANES if queue != full]
        assert eventually(lambda: all(others))
        assert not any(long)
    finally:
        over.set()
    assert eventually(lambda: all(long))


def test_a_task_that_expires_in_the_queue_is_dropped(pool: LanePool) -> None:
    late = order(pool, "housekeeping", lambda: "swept", datetime.now(UTC) - timedelta(seconds=1))
    in_time = order(pool, "housekeeping", lambda: "swept", datetime.now(UTC) + timedelta(minutes=1))
    assert eventually(lambda: late and in_time)
    assert (late, in_time) == ([(0, None, 0.0)], [(0, "swept", 0.0)])


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When messages were sent by a clock that always has one more to send each second."""
    times: list[float] = []

    def tick(self: RestingScheduler) -> float:
        if times and time.monotonic() < times[-1] + 1:
            return times[-1] + 1 - time.monotonic()
        times.append(time.monotonic())
        return 0

    class Still:
        now = 100.0

        @classmethod
        def monotonic(cls) -> float:
            return cls.now

    monkeypatch.setattr(PersistentScheduler, "tick", tick)
    monkeypatch.setattr(services, "time", Still)
    monkeypatch.setattr(sys.modules[__name__], "time", Still)
    return times


@pytest.mark.parametrize(("rests", "rounds"), [(False, 63), (True, 3)])
def test_the_clock_of_a_site_that_rests_sends_every_half_a_minute(
    sent: list[float], monkeypatch: pytest.MonkeyPatch, rests: bool, rounds: int
) -> None:
    monkeypatch.setattr(services, "services_site_is_idle", lambda: rests)
    run(sent, seconds=62.5)
    assert len(sent) == rounds


def test_the_clock_of_a_site_that_wakes_sends_within_seconds(
    sent: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "services_site_is_idle", lambda: time.monotonic() < 110)
    run(sent, seconds=20)
    assert next(at for at in sent if at > 100) <= 112


def run(sent: list[float], *, seconds: float) -> None:
    """Let a clock run for so long, without waiting."""
    clock: Any = services.time
    scheduler, end = RestingScheduler.__new__(RestingScheduler), clock.now + seconds
    while clock.now <= end:
        clock.now += scheduler.tick()


@pytest.mark.django_db(transaction=True)  # the clock gives up connections that are old
def test_a_site_rests_while_nobody_looks_and_nothing_is_played() -> None:
    caches["optional"].clear()
    assert services_site_is_idle()
    match = MatchFactory()
    assert not services_site_is_idle()
    match.delete()
    visit_note()
    assert not services_site_is_idle()
    caches["optional"].clear()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("begins", "ends", "rests"), [(24, 25, True), (-1, 1, True), (-1, 0, False)])  # hours from now
def test_a_site_rests_through_a_broadcast_that_nobody_watches_until_it_ends(
    begins: float, ends: float, rests: bool
) -> None:
    caches["optional"].clear()
    now = timezone.now()
    times = {"airs_at": now + timedelta(hours=begins), "air_ends_at": now + timedelta(hours=ends, seconds=20)}
    MatchFactory(state=MatchState.ON_AIR, tempo="story", **times)
    assert services_site_is_idle() is rests
