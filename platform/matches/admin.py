"""Admin pages of matches and workers: look at them, release or cancel matches, drain, resume or remove workers."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import AbstractUser
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from matches.models import Match, MatchState, WorkerPresence
from matches.queue.worker_status import CLOCK_OFF_AT_MOST, worker_forget, worker_status_drain, worker_status_resume
from matches.services import match_cancel, match_release
from web.admin import Act, NotApplicable, ReadOnly


def _release(match: Match, _by: AbstractUser) -> None:
    held = Match.objects.filter(pk=match.pk, state=MatchState.HELD)
    if not held.exists():
        raise NotApplicable(_("It is not held."))
    if not match_release(matches=held.filter(Q(platform_faults__gt=0) | Q(workers_lost__gt=0))):
        raise NotApplicable(_("It is held because its tournament or league is paused. Resume that instead."))


def _call_off(match: Match, _by: AbstractUser) -> None:
    if not match_cancel(matches=Match.objects.filter(pk=match.pk)):
        raise NotApplicable(_("It is over already."))


def _drain(worker: WorkerPresence, _by: AbstractUser) -> None:
    if not worker_status_drain(name=worker.name):
        raise NotApplicable(_("It is not running, or is already draining."))


def _resume(worker: WorkerPresence, _by: AbstractUser) -> None:
    if not worker_status_resume(name=worker.name):
        raise NotApplicable(_("It is not drained."))


def _forget(worker: WorkerPresence, _by: AbstractUser) -> None:
    if not worker_forget(name=worker.name):
        raise NotApplicable(_("It is still running: stop it first."))


@admin.register(Match)
class MatchAdmin(ReadOnly):
    list_display = (
        "id",
        "state",
        "ruleset",
        "contest",
        "account",
        "worker",
        "attempt",
        "last_platform_fault",
        "created_at",
    )
    list_filter = ("state", "audience", "ruleset")
    search_fields = ("=id", "contest__name", "account__name", "worker", "last_platform_fault", "organiser__username")
    search_help_text = _("Number, tournament.5, season.3, organiser.2, worker, fault or organiser")
    list_select_related = ("contest", "account")
    show_full_result_count = False
    ordering = ("-pk",)
    acts = (
        Act(
            "release",
            _("Replay matches that a fault of the platform holds"),
            _("The faults are cleared, and the matches wait for a worker."),
            _release,
        ),
        Act(
            "call_off",
            _("Cancel unfinished matches"),
            _("Their games are discarded and do not count. This cannot be undone."),
            _call_off,
        ),
    )
    exclude = ("secret",)  # all seeds are derived from it


class ClockFilter(admin.SimpleListFilter):
    title = _("clock")
    parameter_name = "clock"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return [("wrong", _("off by seconds"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[WorkerPresence]) -> QuerySet[WorkerPresence]:
        most = CLOCK_OFF_AT_MOST.total_seconds()
        return queryset.exclude(clock_ahead__range=(-most, most)) if self.value() == "wrong" else queryset


@admin.register(WorkerPresence)
class WorkerAdmin(ReadOnly):
    list_display = ("name", "seen_at", "slots", "is_drained", "clock", "denied")
    list_filter = (ClockFilter, ("denied", admin.EmptyFieldListFilter))
    search_fields = ("name", "denied")
    ordering = ("-seen_at",)
    acts = (
        Act(
            "drain",
            _("Drain"),
            _("They finish their current work within seconds and take no more until they are resumed."),
            _drain,
        ),
        Act("resume", _("Resume drained workers"), _("They take work again."), _resume),
        Act(
            "forget",
            _("Remove workers that are gone"),
            _("They leave the list of workers. A worker that comes back is listed again."),
            _forget,
        ),
    )

    @admin.display(description=_("clock"), ordering="clock_ahead")
    def clock(self, worker: WorkerPresence) -> str:
        """Return the worker's clock error as a warning, or an empty text if it is within the tolerance."""
        off = abs(worker.clock_ahead) > CLOCK_OFF_AT_MOST.total_seconds()
        return f"{worker.clock_ahead:+.0f} s" if off else ""
