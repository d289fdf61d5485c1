"""The operators' page, the public status page and the metrics for Prometheus.

The public status names no machine, worker, version or file. Each web process reads it from the database once in
``LOOK_EVERY`` seconds, however many visitors request the page.
"""

import hmac
import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest

from arena.operations.metrics import (
    QueueReading,
    SiteCollector,
    metrics_contests_stuck,
    metrics_queues,
    metrics_recent,
    metrics_sizes,
    metrics_workers,
)
from arena.operations.models import Incident
from contests.audience import audience_public
from games.catalogue import BROKEN
from leagues.models import League, LeagueState
from luck import broken_luck
from matches.pages.labels import match_verdict_label
from matches.queue.worker_status import workers_up
from matches.selectors import SystemStatus, matches_system_status
from tournaments.models import Tournament, TournamentState
from tournaments.selectors.entering.visible import tournaments_listed
from web.email import email_state
from web.page_cache import NOW_SECONDS, public_page
from web.requests import request_user

ACTS_SHOWN: Final = 20


@login_required
@require_safe
def operations_page(request: HttpRequest) -> HttpResponse:
    """Show staff the queues, workers, sizes and backups."""
    if not request_user(request).is_staff:
        raise PermissionDenied(_("This page is for the people who run this site."))
    recent, workers = metrics_recent(), metrics_workers()
    up = [one for one in workers if one.is_up or one.worker.denied]
    queues, mail, stuck, sizes = tuple(metrics_queues()), email_state(), metrics_contests_stuck(), metrics_sizes()
    wrong = {
        "games": (_("Disabled games"), BROKEN),
        "luck": (_("Broken luck analyses"), broken_luck()),
        "stuck": (_("Paused because of their game"), stuck),
        "queues": (_("Queues"), any(queue.seconds > LATE.total_seconds() for queue in queues)),
        "workers": (_("Workers"), any(one.is_off or one.worker.denied for one in up)),
        "data": (_("Backup"), sizes.is_late),
        "letters": (_("Email"), mail.is_failing),
    }
    context = {
        "system": matches_system_status(),
        "wrong": [(section, name) for section, (name, is_wrong) in wrong.items() if is_wrong],
        "queues": [(_named(queue.name), queue) for queue in queues],
        "recent": recent,
        "faults": [(match_verdict_label(verdict), count) for verdict, count in sorted(recent.faults.items())],
        "workers": {"up": up, "away": [one for one in workers if one not in up]},
        "mail": mail,
        "broken_games": BROKEN.items(),
        "broken_luck": broken_luck().items(),
        "stuck": stuck,
        "sizes": sizes,
        "acts": LogEntry.objects.select_related("user", "content_type")[:ACTS_SHOWN],
    }
    return render(request, "operations/page.html", context)


@public_page(max_age=NOW_SECONDS)
@require_safe
def operations_status_page(request: HttpRequest) -> HttpResponse:
    """Show everyone the status of the site, cached for a few seconds. While the database does not answer, return 503
    instead of an old status."""
    status = STATUS_CACHE.status()
    waits = {"matches": int(status.matches.seconds // 60), "checks": int(status.checks.seconds // 60)}
    line = SystemStatus(
        queued=status.matches.waiting,
        running=status.matches.claimed,
        workers=status.workers,
        paused_reason=status.paused_reason,
    )
    response = render(request, "operations/status.html", {"status": status, "waits": waits, "system": line})
    response["Cache-Control"] = "public, max-age=0, must-revalidate"
    return response


def _named(queue: str) -> str:
    return {
        "matches": _("Matches"),
        "checks": _("Upload checks"),
        "books": _("Tournament and league bookkeeping"),
        "hooks": _("Webhooks"),
    }[queue]


LOOK_EVERY: Final = 5.0
LATE: Final = timedelta(minutes=10)  # age of late work; as in docs/how-to/monitor.md
INCIDENTS_SHOWN: Final = 10
INCIDENTS_OF: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class SiteStatus:
    """The public status. ``matches``, ``checks`` and ``books`` are queues. The paused contests include only those that
    everyone may see.
    """

    matches: QueueReading
    checks: QueueReading
    books: QueueReading
    recent_matches: int
    workers: int
    tournaments_paused: tuple[Tournament, ...]
    leagues_paused: tuple[League, ...]
    incidents: tuple[Incident, ...]

    @property
    def is_well(self) -> bool:
        """Whether nothing is wrong that a visitor would notice."""
        return bool(self.workers) and not (self._late or any(one.ended_at is None for one in self.incidents))

    @property
    def paused_reason(self) -> str:
        """Why no match is played, in the reader's language; "" while a worker is online."""
        if self.workers:
            return ""
        if self.matches.waiting:
            return _("Matches are paused: no workers are online.")
        return _("No workers are online: new matches will wait.")

    @property
    def sentence(self) -> str:
        """The summary, in the reader's language."""
        if self.paused_reason:
            return self.paused_reason
        if self._late:
            return _("The site is up but busy: some work has been waiting for more than ten minutes.")
        if not self.is_well:
            return _("The site is up, with the incidents below.")
        return _("All systems normal.")

    @property
    def _late(self) -> bool:
        longest = max(self.matches.seconds, self.checks.seconds, self.books.seconds)
        return longest > LATE.total_seconds()


class StatusCache:
    """A cache of the status. One of several simultaneous callers renews it; the others get the previous one."""

    def __init__(self) -> None:
        self._status: SiteStatus | None = None
        self._until = 0.0
        self._looking = threading.Lock()

    def status(self) -> SiteStatus:
        """Return the status, at most ``LOOK_EVERY`` seconds old. Raise the database's errors while it does not
        answer."""
        status = self._status
        if status is not None and (time.monotonic() < self._until or not self._looking.acquire(blocking=False)):
            return status
        if status is None:
            self._looking.acquire()
        try:
            if self._status is None or time.monotonic() >= self._until:
                self._status = operations_status()
                self._until = time.monotonic() + LOOK_EVERY
            return self._status
        finally:
            self._looking.release()


STATUS_CACHE: Final = StatusCache()


def operations_status() -> SiteStatus:
    """Return the current status of the site."""
    queues = {queue.name: queue for queue in metrics_queues()}
    since = timezone.now() - INCIDENTS_OF
    incidents = Incident.objects.filter(Q(ended_at=None) | Q(ended_at__gte=since), began_at__lte=timezone.now())
    return SiteStatus(
        matches=queues["matches"],
        checks=queues["checks"],
        books=queues["books"],
        recent_matches=metrics_recent().matches,
        workers=workers_up().count(),
        tournaments_paused=tuple(
            tournaments_listed(AnonymousUser()).filter(state=TournamentState.PAUSED)[:INCIDENTS_SHOWN]
        ),
        leagues_paused=tuple(
            League.objects.filter(audience_public(), state=LeagueState.OPEN, paused_at__isnull=False).order_by("name")[
                :INCIDENTS_SHOWN
            ]
        ),
        incidents=tuple(incidents[:INCIDENTS_SHOWN]),
    )


@require_safe
def metrics_view(request: HttpRequest) -> HttpResponse:
    """Return the metrics for Prometheus. Without ``METRICS_TOKEN`` as bearer token, or if none is set, return 404."""
    shown = request.headers.get("Authorization", "").encode()
    if not settings.METRICS_TOKEN or not hmac.compare_digest(shown, f"Bearer {settings.METRICS_TOKEN}".encode()):
        raise Http404
    site = CollectorRegistry()
    site.register(SiteCollector())
    body = generate_latest(REGISTRY) + generate_latest(site)
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})
