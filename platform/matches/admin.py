"""Matches and workers for those who administer the site: to be looked at, and matches to be released or called off."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from matches.models import Match, WorkerPresence
from matches.queue.worker_status import CLOCK_OFF_AT_MOST
from matches.services import match_cancel, match_release
from web.admin import ReadOnly


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
    actions = ("release", "call_off")
    exclude = ("secret",)  # from which all seeds follow

    @admin.action(description=_("Release the held matches, faults forgiven"), permissions=["decide"])
    def release(self, request: HttpRequest, queryset: QuerySet[Match]) -> None:
        count = match_release(matches=Match.objects.filter(pk__in=queryset))
        self.message_user(
            request,
            ngettext("%(count)d match was released.", "%(count)d matches were released.", count) % {"count": count},
            messages.SUCCESS if count else messages.WARNING,
        )

    @admin.action(description=_("Call off those that are not finished"), permissions=["decide"])
    def call_off(self, request: HttpRequest, queryset: QuerySet[Match]) -> None:
        count = match_cancel(matches=Match.objects.filter(pk__in=queryset))
        self.message_user(
            request,
            ngettext("%(count)d match was called off.", "%(count)d matches were called off.", count) % {"count": count},
            messages.SUCCESS if count else messages.WARNING,
        )

    def has_decide_permission(self, request: HttpRequest) -> bool:
        """Return who may do what an organiser may."""
        return request.user.has_perm("matches.change_match")


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
    list_display = ("name", "seen_at", "slots", "clock", "denied")
    list_filter = (ClockFilter, ("denied", admin.EmptyFieldListFilter))
    search_fields = ("name", "denied")
    ordering = ("-seen_at",)

    @admin.display(description=_("clock"), ordering="clock_ahead")
    def clock(self, worker: WorkerPresence) -> str:
        """Return how far it is off, where that is too much."""
        off = abs(worker.clock_ahead) > CLOCK_OFF_AT_MOST.total_seconds()
        return f"{worker.clock_ahead:+.0f} s" if off else ""
