"""Read matches and the status of the queue, for lists, pages and operators."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Prefetch, QuerySet, Value, prefetch_related_objects
from django.utils.translation import gettext as _

from matches.models import Match, MatchState, Seat, WorkerPresence
from matches.queue.worker_status import MISSED_AFTER, workers_up
from matches.visibility import matches_visible_to_everyone
from web.brief_cache import cached_briefly
from web.database import database_now
from web.optional import optional

UP: Final = "up"  # besides the states of matches, a row of the query counts the workers that are up


@dataclass(frozen=True, slots=True)
class SystemStatus:
    """How many matches wait or are played, and how many workers there are.

    ``paused_reason`` is "" unless matches wait and no worker can play them. Then ``missing`` is for operators and
    organisers. It has a sentence for each layer of the cage that the last refused worker lacked, and says how to fix
    it.
    """

    queued: int
    running: int
    workers: int
    paused_reason: str
    missing: tuple[str, ...] = ()


def matches_listed() -> QuerySet[Match]:
    """Return the public matches, newest first, with their seats, versions, bots and authors."""
    return matches_with_seats(matches_visible_to_everyone()).order_by("-created_at", "-pk")


def matches_with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Return ``matches`` with their seats, versions, bots and authors, without the versions' reports."""
    return matches.prefetch_related(_seats())


def matches_seats_read(matches: Sequence[Match]) -> None:
    """Load for ``matches`` what ``matches_with_seats`` loads. One query, or none if it is loaded already."""
    prefetch_related_objects(matches, _seats())


def _seats() -> "Prefetch[Any]":
    return Prefetch("seats", Seat.objects.select_related("version__bot__owner").defer("version__report"))


def matches_recent() -> QuerySet[Match]:
    """Return the public matches that are finished. The match that finished last comes first."""
    return matches_listed().filter(state=MatchState.FINISHED).order_by("-finished_at", "-pk")


def matches_running(moment: Any = None) -> QuerySet[Match]:
    """Return the public matches that are running or on air now, or at ``moment``, in the reverse order of their starts.

    Running matches that are sealed are left out.
    """
    return (
        matches_listed()
        .filter(pk__in=matches_on_air_or_running(moment or database_now()))
        .order_by("-started_at", "-pk")
    )


def matches_on_air_or_running(moment: Any) -> QuerySet[Any, Any]:
    """Return the ids of the matches that are running unsealed, or on air at ``moment``.

    Two partial indexes find them.
    """
    aired = Match.objects.filter(state=MatchState.ON_AIR, airs_at__lte=moment).order_by().values("pk")
    return aired.union(Match.objects.filter(state=MatchState.RUNNING, tempo="").order_by().values("pk"), all=True)


def matches_system_status() -> SystemStatus:
    """Return the status of the queue. One query while a worker is up."""
    up = workers_up(MISSED_AFTER).order_by().annotate(kind=Value(UP)).values("kind").annotate(count=Count("pk"))
    rows = _counted(MatchState.QUEUED).union(_counted(MatchState.RUNNING), up, all=True)
    counted = {row["kind"]: row for row in rows}
    queued = counted.get(MatchState.QUEUED, {"count": 0})["count"]
    workers = counted.get(UP, {"count": 0})["count"]
    missing = _missing() if queued and not workers else None
    return SystemStatus(
        queued=queued,
        running=counted.get(MatchState.RUNNING, {"count": 0})["count"],
        workers=workers,
        paused_reason="" if missing is None else _paused_reason(missing),
        missing=missing or (),
    )


def _counted(state: MatchState) -> QuerySet[Any, Any]:
    """Return ``kind`` and ``count`` of the matches in one state.

    Each state has its own query: SQLite uses partial indexes for one state, but not for ``IN``.
    """
    matches = Match.objects.filter(state=state).order_by().annotate(kind=Value(state.value)).values("kind")
    return matches.annotate(count=Count("pk"))


@optional("status line", lambda: None)
def matches_system_status_cached() -> SystemStatus | None:
    """Return a recent status of the queue from the cache, for frequent requests; None if it is not known."""
    return cached_briefly("system", matches_system_status)


def _missing() -> tuple[str, ...]:
    """Return the layers that the last refused worker lacked; empty if no worker was refused."""
    denied = WorkerPresence.objects.exclude(denied="").order_by("-seen_at").values_list("denied", flat=True).first()
    return tuple((denied or "").splitlines())


def _paused_reason(missing: tuple[str, ...]) -> str:
    if not missing:
        return _("Matches are paused: no worker is running.")
    layers = ", ".join(sentence.partition(":")[0] for sentence in missing)
    return _("Matches are paused: this machine cannot cage bots. Missing: %(layers)s") % {"layers": layers}
