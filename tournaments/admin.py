"""Tournaments, entries and rulings in the administration.

They are read-only. Buttons pause, resume or cancel a tournament.
"""

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, Ruling, Tournament
from tournaments.services import tournament_cancel, tournament_pause, tournament_resume
from tournaments.workload import workload_now
from web.admin import Act, ReadOnly


@admin.register(Tournament)
class TournamentAdmin(ReadOnly):
    list_display = ("name", "state", "ruleset", "organiser", "playing", "created_at", "started_at", "finished_at")
    list_filter = ("state", "ruleset", "publication")
    search_fields = ("name", "slug", "organiser__username")
    list_select_related = ("organiser",)
    date_hierarchy = "created_at"
    readonly_fields = ("worker_hours",)
    acts = (
        Act(
            "pause",
            _("Pause"),
            _("Matches that are being played finish; the others wait until it is resumed."),
            lambda tournament, _by: tournament_pause(tournament=tournament),
        ),
        Act(
            "resume",
            _("Resume"),
            _("Its matches are played again, including those held by a fault of the platform."),
            lambda tournament, _by: tournament_resume(tournament=tournament),
        ),
        Act(
            "call_off",
            _("Cancel the tournaments"),
            _("No further match is played, and it has no winner. Results so far stay. This cannot be undone."),
            lambda tournament, by: tournament_cancel(tournament=tournament, by=by),
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        found: QuerySet[Tournament] = super().get_queryset(request)
        return found.annotate(playing=Count("entries", filter=Q(entries__is_withdrawn=False)))

    @admin.display(description=_("bots"), ordering="playing")
    def playing(self, tournament: Tournament) -> int:
        return int(tournament.playing)  # type: ignore[attr-defined]  # annotated by get_queryset

    @admin.display(description=_("worker-hours"))
    def worker_hours(self, tournament: Tournament) -> str:
        return f"{workload_now(tournament).usual:.1f}"

    def view_on_site(self, tournament: Tournament) -> str:
        return reverse("tournaments:detail", args=[tournament.slug])


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    list_display = ("bot", "tournament", "version", "is_withdrawn", "withdrawn_because", "forfeits", "created_at")
    list_filter = ("is_withdrawn", "withdrawn_because", "tournament__state")
    search_fields = ("bot__name", "bot__owner__username", "tournament__name")
    list_select_related = ("bot", "tournament", "version__bot")


@admin.register(Ruling)
class RulingAdmin(ReadOnly):
    list_display = ("tournament", "number", "kind", "by", "created_at")
    list_filter = ("kind",)
    search_fields = ("tournament__name", "reason", "by__username")
    list_select_related = ("tournament", "by")
