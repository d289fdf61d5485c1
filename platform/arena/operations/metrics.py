"""Metrics of the site from the database: queues, workers, recent matches and disk usage, for the operators' page and
Prometheus.

Gauges are read on request, so every process reports the same values for the site. Rates and times of requests are those
of the responding process, by django-prometheus. See https://prometheus.io/docs/instrumenting/writing_exporters/.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final, cast

from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import Avg, Count, DateTimeField, Exists, Max, Min, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Now
from django.utils import timezone
from prometheus_client import (
    disable_created_metrics,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from arena.operations.models import Backup, TableSize
from bots.models import BotVersion, VersionState
from games.catalogue import PACKAGES
from games.catalogue.code import game_code, game_code_read
from hooks.models import Delivery, DeliveryState, PausedBecause
from leagues.models import League, LeagueState, Season
from matches.models import Contest, Fault, Match, MatchState, WorkerPresence
from matches.queue.worker_status import CLOCK_OFF_AT_MOST, workers_up
from tournaments.models import Tournament, TournamentState
from web.database import database_after, database_now

RECENT: Final = timedelta(minutes=5)
NONE: Final[Mapping[str, Any]] = {"rows": 0, "first": None, "past": 0, "now": None}


@dataclass(frozen=True, slots=True)
class QueueReading:
    """A queue. It has the number of rows that are ``waiting``, the age of the oldest of them in ``seconds`` (0 without
    any), the number of rows ``claimed`` by workers, and how many of these claims have ``expired``.
    """

    name: str
    waiting: int
    seconds: float
    claimed: int
    expired: int


@dataclass(frozen=True, slots=True)
class RecentReading:
    """Matches that finished within ``RECENT``: their number, the mean speed of their workers, and faults of bots by
    verdict. The unit of speed is a fixed piece of work a second; without matches it is None.
    """

    matches: int
    speed: float | None
    faults: dict[str, int]


@dataclass(frozen=True, slots=True)
class WorkerReading:
    """A worker. ``is_up`` tells that it is playing matches."""

    worker: WorkerPresence
    is_up: bool

    @property
    def other_games(self) -> list[str]:
        """The worker's games of packages that differ from those here, as text. Empty if its release does not report
        them."""
        if self.worker.games is None:
            return []
        here = {game: str(game_code(game)) for game in PACKAGES}
        return [
            f"{game}: {code.shown if (code := game_code_read(self.worker.games.get(game, ''))) else 'not installed'}"
            for game in sorted(here.keys() | self.worker.games.keys())
            if here.get(game) != self.worker.games.get(game)
        ]

    @property
    def is_off(self) -> bool:
        """Whether the worker's clock differs too much from the database's."""
        return abs(self.worker.clock_ahead) > CLOCK_OFF_AT_MOST.total_seconds()


def metrics_ladders_wrong() -> list[str]:
    """Return the slugs of leagues whose ladder differed when it was last refitted from scratch."""
    return list(Season.objects.filter(is_wrong=True).order_by("pk").values_list("league__slug", flat=True))


def metrics_contests_stuck() -> list[tuple[str, Tournament | League]]:
    """Return the tournaments and leagues paused because of the code of their game, each with the name of its URL."""
    tournaments = Tournament.objects.filter(state=TournamentState.PAUSED).exclude(paused_because="").order_by("pk")
    leagues = League.objects.filter(state=LeagueState.OPEN).exclude(paused_because="").order_by("pk")
    return [*(("tournaments:detail", one) for one in tournaments), *(("leagues:detail", one) for one in leagues)]


def metrics_queues() -> Iterator[QueueReading]:
    """Yield the state of each queue, all read with one query."""
    waiting = Delivery.objects.filter(state=DeliveryState.WAITING, hook__paused_because=PausedBecause.NOT)
    free = Q(claimed_until_at=None) | Q(claimed_until_at__lte=database_now())
    queued = {
        "matches": (Match.objects.filter(state=MatchState.QUEUED, released_at__lte=database_now()), "released_at"),
        "checks": (BotVersion.objects.filter(state=VersionState.QUEUED), "created_at"),
        "books": (Contest.objects.filter(news_at__isnull=False), "news_at"),
        "hooks": (waiting.filter(free, due_at__lte=database_now()), "due_at"),
    }
    claimed = {
        "matches": (Match.objects.filter(state=MatchState.RUNNING), "lease_expires_at"),
        "checks": (BotVersion.objects.filter(state=VersionState.CHECKING), "lease_expires_at"),
        "hooks": (waiting.exclude(claimed_until_at=None), "claimed_until_at"),
    }
    first, *others = (
        _counted(f"{name} {kind}", rows, moment)
        for kind, works in (("queued", queued), ("claimed", claimed))
        for name, (rows, moment) in works.items()
    )
    counted = {row["work"]: row for row in first.union(*others, all=True)}
    for name in queued:
        waits, works = (counted.get(f"{name} {kind}", NONE) for kind in ("queued", "claimed"))
        yield QueueReading(name, waits["rows"], _seconds(waits["first"], waits["now"]), works["rows"], works["past"])


def metrics_recent() -> RecentReading:
    """Return what was played within ``RECENT``."""
    finished = Match.objects.filter(state=MatchState.FINISHED, finished_at__gt=database_after(-RECENT))
    counted = finished.aggregate(matches=Count("pk"), speed=Avg("worker_speed"))
    faults = Fault.objects.filter(game__match__in=finished).order_by().values_list("verdict").annotate(Count("pk"))
    return RecentReading(counted["matches"], counted["speed"], dict(faults))


def metrics_workers() -> list[WorkerReading]:
    """Return the workers that were seen within a day. Workers that are playing come first, then those that were seen
    last.
    """
    workers = WorkerPresence.objects.annotate(plays=Exists(workers_up().filter(pk=OuterRef("pk"))))
    return [WorkerReading(one, one.plays) for one in workers.order_by("-plays", "-seen_at")]


def _counted(work: str, rows: QuerySet[Any], moment: str) -> QuerySet[Any, Any]:
    """Return a query for one row about ``rows``, or for none if ``rows`` is empty. The row has the number of ``rows``,
    the ``first`` of their times, how many of these times are ``past``, and the database's time ``now``.
    """
    counted = (
        rows.order_by()
        .annotate(work=Value(work))
        .values("work")
        .annotate(
            rows=Count("pk"),
            first=Min(moment),
            past=Count("pk", filter=Q(**{f"{moment}__lte": database_now()})),
            now=Max(Now(), output_field=DateTimeField()),
        )
    )
    return cast("QuerySet[Any, Any]", counted)


def _seconds(oldest: datetime | None, now: datetime | None) -> float:
    return 0.0 if oldest is None or now is None else max(0.0, (now - oldest).total_seconds())


STORED_FOR: Final = timedelta(days=90)
WEEK: Final = timedelta(days=7)
SHOWN: Final = 12  # tables
BACKUPS_STORED: Final = 100
BACKUP_LATE: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class SizeShown:
    """A table's ``size`` in bytes, and its growth ``since`` its measurement a week ago, or since its first one if that
    is later.
    """

    table: str
    size: int
    grown: int
    since: date | None


@dataclass(frozen=True, slots=True)
class SizesRead:
    """The largest tables, their total, the last ``backup``, and whether that is too old."""

    tables: tuple[SizeShown, ...]
    whole: SizeShown | None
    backup: Backup | None
    is_late: bool


def metrics_sizes_measure() -> None:
    """Store the size of each table today. May be repeated: the last measurement of a day counts."""
    today = timezone.now().date()
    for table, size in _sizes():
        TableSize.objects.update_or_create(table=table, day=today, defaults={"size": size})
    TableSize.objects.filter(day__lt=today - STORED_FOR).delete()


def metrics_sizes() -> SizesRead:
    """Return the last measured sizes and the last backup."""
    backup = Backup.objects.first()
    is_late = backup is None or backup.made_at < timezone.now() - BACKUP_LATE
    last = TableSize.objects.order_by("-day").values_list("day", flat=True).first()
    if last is None:
        return SizesRead((), None, backup, is_late)
    rows = list(TableSize.objects.filter(day__gte=last - WEEK).order_by("day").values_list("table", "day", "size"))
    first: dict[str, tuple[date, int]] = {}
    for table, day, size in rows:
        first.setdefault(table, (day, size))
    now = {table: size for table, day, size in rows if day == last}
    since = min(day for _table, day, _size in rows)
    shown = [
        SizeShown(table, size, size - first[table][1], first[table][0] if first[table][0] < last else None)
        for table, size in sorted(now.items(), key=lambda one: -one[1])
    ]
    before = sum(size for _table, day, size in rows if day == since)
    whole = SizeShown("", sum(now.values()), sum(now.values()) - before, since if since < last else None)
    return SizesRead(tuple(shown[:SHOWN]), whole, backup, is_late)


def metrics_backup_note(*, size: int, sha256: str) -> None:
    """Record a backup for the operators' page."""
    with suppress(DatabaseError), transaction.atomic():  # before an upgrade the table may not exist
        Backup.objects.create(size=size, sha256=sha256)
        backups = Backup.objects.values_list("pk", flat=True)[:BACKUPS_STORED]
        Backup.objects.exclude(pk__in=list(backups)).delete()


def _sizes() -> list[tuple[str, int]]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
                " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
            )
            return list(cursor.fetchall())
        try:
            cursor.execute(
                "SELECT m.tbl_name, SUM(s.pgsize) FROM dbstat s JOIN sqlite_master m ON m.name = s.name"
                " WHERE s.aggregate = TRUE GROUP BY m.tbl_name"
            )
            return list(cursor.fetchall())
        except OperationalError:  # SQLite was built without dbstat
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
            return [("db.sqlite3", cursor.fetchone()[0])]


# Otherwise each counter would export another series with the time of its creation.
disable_created_metrics()  # type: ignore[no-untyped-call]


class SiteCollector(Collector):
    """Collect the gauges of the whole site."""

    def collect(self) -> Iterator[Metric]:
        waiting = _gauge("queue_waiting", "Rows that wait for a worker.", "queue")
        oldest = _gauge("queue_oldest_seconds", "For how long the oldest of them waits.", "queue")
        claimed = _gauge("queue_claimed", "Rows that a worker has claimed.", "queue")
        expired = _gauge("queue_expired", "Of those, claims that have run out.", "queue")
        for queue in metrics_queues():
            waiting.add_metric([queue.name], queue.waiting)
            oldest.add_metric([queue.name], queue.seconds)
            claimed.add_metric([queue.name], queue.claimed)
            expired.add_metric([queue.name], queue.expired)
        yield from (waiting, oldest, claimed, expired)

        recent = metrics_recent()
        yield GaugeMetricFamily("pecking_matches_lately", "Matches finished within five minutes.", recent.matches)
        if recent.speed is not None:
            yield GaugeMetricFamily(
                "pecking_worker_speed", "Mean units of a fixed piece of work a second.", recent.speed
            )
        faults = _gauge("faults_lately", "Faults of bots in those matches.", "verdict")
        for verdict, count in recent.faults.items():
            faults.add_metric([verdict], count)
        yield faults

        wrong = len(metrics_ladders_wrong())
        yield GaugeMetricFamily("pecking_ladders_wrong", "Ladders that results did not give, when last checked.", wrong)

        workers = metrics_workers()
        up = [reading.worker for reading in workers if reading.is_up]
        slots = sum(worker.slots for worker in up)
        denied = sum(bool(reading.worker.denied) for reading in workers)
        yield GaugeMetricFamily("pecking_workers", "Workers that play matches.", len(up))
        yield GaugeMetricFamily("pecking_worker_slots", "Matches that they play at a time.", slots)
        yield GaugeMetricFamily("pecking_workers_denied", "Workers without a cage, seen within a day.", denied)
        clocks = _gauge("worker_clock_ahead_seconds", "Their clocks less the database's.", "worker")
        for worker in up:
            clocks.add_metric([worker.name], worker.clock_ahead)
        yield clocks


def _gauge(name: str, help_text: str, label: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"pecking_{name}", help_text, labels=[label])
