"""The page of operators, and the public status."""

from typing import Final

from django.contrib.admin.models import LogEntry
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.operations.readings import contests_stuck, queues_read, recent_read, sizes_read, workers_read
from arena.operations.status import KEPT
from games.catalogue import BROKEN
from luck import broken_luck
from matches.pages.labels import verdict_label
from matches.selectors import SystemStatus, system_status
from web.email import mail_state
from web.page_cache import NOW_SECONDS, public_page
from web.requests import signed_in

ACTS_SHOWN: Final = 20


@login_required
@require_safe
def operations(request: HttpRequest) -> HttpResponse:
    """Show staff how the work stands."""
    if not signed_in(request).is_staff:
        raise PermissionDenied(_("This page is for the people who run this site."))
    recent, workers = recent_read(), workers_read()
    up = [one for one in workers if one.is_up or one.worker.denied]
    context = {
        "system": system_status(),
        "queues": [(_named(queue.name), queue) for queue in queues_read()],
        "recent": recent,
        "faults": [(verdict_label(verdict), count) for verdict, count in sorted(recent.faults.items())],
        "workers": {"up": up, "away": [one for one in workers if one not in up]},
        "mail": mail_state(),
        "broken_games": BROKEN.items(),
        "broken_luck": broken_luck().items(),
        "stuck": contests_stuck(),
        "sizes": sizes_read(),
        "acts": LogEntry.objects.select_related("user", "content_type")[:ACTS_SHOWN],
    }
    return render(request, "operations/page.html", context)


@public_page(max_age=NOW_SECONDS)
@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """Tell everyone how the site does, from what is kept for a few seconds."""
    kept = KEPT.status()
    waits = {"matches": int(kept.matches.seconds // 60), "checks": int(kept.checks.seconds // 60)}
    line = SystemStatus(
        queued=kept.matches.waiting,
        running=kept.matches.claimed,
        workers=kept.workers,
        paused_reason=kept.paused_reason,
    )
    return render(request, "operations/status.html", {"status": kept, "waits": waits, "system": line})


def _named(queue: str) -> str:
    return {
        "matches": _("Matches"),
        "checks": _("Upload checks"),
        "books": _("Tournament and league bookkeeping"),
        "hooks": _("Webhooks"),
    }[queue]
