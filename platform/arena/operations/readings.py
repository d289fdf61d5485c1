"""How the work stands, by the database and its clock: what metrics count and the page of operators shows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, cast

from django.db.models import Avg, Count, DateTimeField, Exists, Max, Min, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Now

from bots.models import BotVersion, VersionState
from games.catalogue import PACKAGES
from games.catalogue.code import code_of, read_code
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
    """Matches finished within ``RECENT``, the mean speed of their workers in units of a fixed
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
    def other_games(self) -> list[str]:
        """What it has of packages' games that is not as it is here, for people; nothing of a release that says none."""
        if self.worker.games is None:
            return []
        here = {game: str(code_of(game)) for game in PACKAGES}
        return [
            f"{game}: {code.shown if (code := read_code(self.worker.games.get(game, ''))) else 'not installed'}"
            for game in sorted(here.keys() | self.worker.games.keys())
            if here.get(game) != self.worker.games.get(game)
        ]

    @property
    def is_off(self) -> bool:
        """Its clock is to be set right."""
        return abs(self.worker.clock_ahead) > CLOCK_OFF_AT_MOST.total_seconds()


def ladders_wrong() -> list[str]:
    """Return the leagues whose ladder was another one when it was last fitted from scratch."""
    return list(Season.objects.filter(is_wrong=True).order_by("pk").values_list("league__slug", flat=True))


def contests_stuck() -> list[tuple[str, Tournament | League]]:
    """Return the tournaments and leagues that are paused because of the code of their game, and the name of the page
    that each has."""
    tournaments = Tournament.objects.filter(state=TournamentState.PAUSED).exclude(paused_because="").order_by("pk")
    leagues = League.objects.filter(state=LeagueState.OPEN).exclude(paused_because="").order_by("pk")
    return [*(("tournaments:detail", one) for one in tournaments), *(("leagues:detail", one) for one in leagues)]


def queues_read() -> Iterator[QueueReading]:
    """Yield each kind of work that has rows to wait in; all are counted by one query."""
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


def recent_read() -> RecentReading:
    """Return what has been played recently."""
    finished = Match.objects.filter(state=MatchState.FINISHED, finished_at__gt=database_after(-RECENT))
    counted = finished.aggregate(matches=Count("pk"), speed=Avg("worker_speed"))
    faults = Fault.objects.filter(game__match__in=finished).order_by().values_list("verdict").annotate(Count("pk"))
    return RecentReading(counted["matches"], counted["speed"], dict(faults))


def workers_read() -> list[WorkerReading]:
    """Return the workers that were seen within a day, those who play first, and of them the last one seen."""
    workers = WorkerPresence.objects.annotate(plays=Exists(workers_up().filter(pk=OuterRef("pk"))))
    return [WorkerReading(one, one.plays) for one in workers.order_by("-plays", "-seen_at")]


def _counted(work: str, rows: QuerySet[Any], moment: str) -> QuerySet[Any, Any]:
    """Return how many ``rows`` there are, none if there is none, the ``first`` of their moments and how many are
    ``past``, with the database's time, which they are compared with."""
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
