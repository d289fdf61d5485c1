"""How the work stands, by the database and its clock: what metrics count and the page of operators shows."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Avg, Count, DateTimeField, Max, Min, Q, QuerySet
from django.db.models.functions import Now

from bots.models import BotVersion, VersionState
from hooks.models import Delivery, DeliveryState, PausedBecause
from leagues.models import Season
from matches.models import Contest, Fault, Match, MatchState, WorkerPresence
from matches.queue.worker_status import CLOCK_OFF_AT_MOST, workers_up
from web.clock import database_after, database_now

LATELY: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class QueueReading:
    """``waiting`` rows, the oldest for so many ``seconds``, 0 if there is none; ``claimed`` are being worked on,
    ``expired`` of them by a worker of which nothing has been heard for longer than its claim.
    """

    name: str
    waiting: int
    seconds: float
    claimed: int
    expired: int


@dataclass(frozen=True, slots=True)
class RecentReading:
    """Matches finished within ``LATELY``, the mean speed of their workers in units of a fixed
    piece of work a second (None without any), and faults of bots by
    verdict.
    """

    matches: int
    speed: float | None
    faults: dict[str, int]


@dataclass(frozen=True, slots=True)
class WorkerReading:
    """A worker; ``is_up``: it plays matches now."""

    worker: WorkerPresence
    is_up: bool

    @property
    def is_off(self) -> bool:
        """Its clock is to be set right."""
        return abs(self.worker.clock_ahead) > CLOCK_OFF_AT_MOST.total_seconds()


def ladders_wrong() -> list[str]:
    """Return the leagues whose ladder was another one when it was last fitted from scratch."""
    return list(Season.objects.filter(is_wrong=True).order_by("pk").values_list("league__slug", flat=True))


def queues_read() -> Iterator[QueueReading]:
    """Yield each kind of work that has rows to wait in."""
    yield _read(
        "matches",
        Match.objects.filter(state=MatchState.QUEUED, released_at__lte=database_now()),
        "released_at",
        Match.objects.filter(state=MatchState.RUNNING),
        "lease_expires_at",
    )
    yield _read(
        "checks",
        BotVersion.objects.filter(state=VersionState.QUEUED),
        "created_at",
        BotVersion.objects.filter(state=VersionState.CHECKING),
        "lease_expires_at",
    )
    yield _read("books", Contest.objects.filter(news_at__isnull=False), "news_at")
    waiting = Delivery.objects.filter(state=DeliveryState.WAITING, hook__paused_because=PausedBecause.NOT)
    free = Q(claimed_until_at=None) | Q(claimed_until_at__lte=database_now())
    yield _read(
        "hooks",
        waiting.filter(free, due_at__lte=database_now()),
        "due_at",
        waiting.exclude(claimed_until_at=None),
        "claimed_until_at",
    )


def recent_read() -> RecentReading:
    """Return what has been played lately."""
    finished = Match.objects.filter(state=MatchState.FINISHED, finished_at__gt=database_after(-LATELY))
    counted = finished.aggregate(matches=Count("pk"), speed=Avg("worker_speed"))
    faults = Fault.objects.filter(game__match__in=finished).order_by().values_list("verdict").annotate(Count("pk"))
    return RecentReading(counted["matches"], counted["speed"], dict(faults))


def workers_read() -> list[WorkerReading]:
    """Return the workers that were seen within a day, those who play first, and of them the last one seen."""
    up = set(workers_up().values_list("pk", flat=True))
    read = (WorkerReading(one, one.pk in up) for one in WorkerPresence.objects.order_by("-seen_at"))
    return sorted(read, key=lambda reading: not reading.is_up)


def _read(
    name: str, waiting: QuerySet[Any], since: str, claimed: QuerySet[Any] | None = None, until: str = ""
) -> QueueReading:
    # The database's time comes with the rows that it is compared with.
    now = Max(Now(), output_field=DateTimeField())
    counted = waiting.order_by().aggregate(waiting=Count("pk"), oldest=Min(since), now=now)
    under_way = {"claimed": 0, "expired": 0}
    if claimed is not None:
        expired = Count("pk", filter=Q(**{f"{until}__lte": database_now()}))
        under_way = claimed.order_by().aggregate(claimed=Count("pk"), expired=expired)
    return QueueReading(name, counted["waiting"], _seconds(counted["oldest"], counted["now"]), **under_way)


def _seconds(oldest: datetime | None, now: datetime | None) -> float:
    return 0.0 if oldest is None or now is None else max(0.0, (now - oldest).total_seconds())
