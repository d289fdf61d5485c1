"""Read-only admin of leagues, seasons and members."""

from django.contrib import admin
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from leagues.models import League, Membership, Season
from leagues.services import league_pause, league_resume
from web.admin import Act, ReadOnly


@admin.register(League)
class LeagueAdmin(ReadOnly):
    list_display = ("name", "state", "paused_at", "ruleset", "organiser", "players_per_table", "blocks", "created_at")
    list_filter = ("state", "ruleset")
    search_fields = ("name", "slug", "organiser__username")
    list_select_related = ("organiser",)
    acts = (
        Act(
            "pause",
            _("Pause"),
            _("No new matches are chosen; matches that already wait are played. A season still ends on time."),
            lambda league, _by: league_pause(league=league),
        ),
        Act(
            "resume",
            _("Resume"),
            _("Matches are chosen again."),
            lambda league, _by: league_resume(league=league),
        ),
    )

    def view_on_site(self, league: League) -> str:
        return reverse("leagues:detail", args=[league.slug])


@admin.register(Season)
class SeasonAdmin(ReadOnly):
    """Admin of seasons. It never shows the secret, from which the luck of all games can be computed before the end."""

    list_display = ("league", "number", "state", "starts_at", "ends_at", "finished_at", "scheduled", "refits")
    list_filter = ("state",)
    search_fields = ("league__name",)
    list_select_related = ("league",)
    exclude = ("secret",)


@admin.register(Membership)
class MembershipAdmin(ReadOnly):
    list_display = ("bot", "league", "state", "joined_at")
    list_filter = ("state", "league")
    search_fields = ("bot__name", "bot__owner__username", "league__name")
    list_select_related = ("bot", "league")
