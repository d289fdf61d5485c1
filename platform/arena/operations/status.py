"""How the site does, for everyone: one sentence, a few numbers, what is paused and what went wrong recently.

It names no machine, worker, version or file, and costs the database one look every ``LOOK_EVERY`` seconds in each web
process, however many ask.
"""

import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.operations.models import Incident
from arena.operations.readings import QueueReading, queues_read, recent_read
from contests.audience import public_alone
from leagues.models import League, LeagueState
from matches.queue.worker_status import workers_up
from tournaments.models import Tournament, TournamentState
from tournaments.selectors.entering.visible import tournaments_listed

LOOK_EVERY: Final = 5.0
LATE: Final = timedelta(minutes=10)  # for what waits; see the alerts of docs/how-to/monitor.md
INCIDENTS_SHOWN: Final = 10
INCIDENTS_OF: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class SiteStatus:
    """``matches``, ``checks`` and ``books`` are queues; of what is ``paused``, only what everyone may see."""

    matches: QueueReading
    checks: QueueReading
    books: QueueReading
    played_lately: int
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
        """Why nothing is played, in the reader's language; "" while a worker is online."""
        if self.workers:
            return ""
        if self.matches.waiting:
            return _("Matches are paused: no workers are online.")
        return _("No workers are online: new matches will wait.")

    @property
    def sentence(self) -> str:
        """What is to be said first, in the reader's language."""
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


class KeptStatus:
    """The last look, and who takes the next: of many who ask at once one looks, the others are given the last one."""

    def __init__(self) -> None:
        self._told: SiteStatus | None = None
        self._until = 0.0
        self._looking = threading.Lock()

    def status(self) -> SiteStatus:
        """Return how the site did at the last look. Raises what the database does when it is away."""
        told = self._told
        if told is not None and (time.monotonic() < self._until or not self._looking.acquire(blocking=False)):
            return told
        if told is None:
            self._looking.acquire()
        try:
            if self._told is None or time.monotonic() >= self._until:
                self._told = status_read()
                self._until = time.monotonic() + LOOK_EVERY
            return self._told
        finally:
            self._looking.release()


KEPT: Final = KeptStatus()


def status_read() -> SiteStatus:
    """Return how the site does now."""
    queues = {queue.name: queue for queue in queues_read()}
    since = timezone.now() - INCIDENTS_OF
    told = Incident.objects.filter(Q(ended_at=None) | Q(ended_at__gte=since), began_at__lte=timezone.now())
    return SiteStatus(
        matches=queues["matches"],
        checks=queues["checks"],
        books=queues["books"],
        played_lately=recent_read().matches,
        workers=workers_up().count(),
        tournaments_paused=tuple(
            tournaments_listed(AnonymousUser()).filter(state=TournamentState.PAUSED)[:INCIDENTS_SHOWN]
        ),
        leagues_paused=tuple(
            League.objects.filter(public_alone(), state=LeagueState.OPEN, paused_at__isnull=False).order_by("name")[
                :INCIDENTS_SHOWN
            ]
        ),
        incidents=tuple(told[:INCIDENTS_SHOWN]),
    )
