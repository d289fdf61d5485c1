"""Leagues, seasons and members for those who administer the site: to be looked at, never to be edited by hand."""

from django.contrib import admin
from django.urls import reverse

from leagues.models import League, Membership, Season
from web.admin import ReadOnly


@admin.register(League)
class LeagueAdmin(ReadOnly):
    list_display = ("name", "state", "ruleset", "organiser", "players_per_table", "blocks", "created_at")
    list_filter = ("state", "ruleset")
    search_fields = ("name", "slug", "organiser__username")
    list_select_related = ("organiser",)

    def view_on_site(self, league: League) -> str:
        return reverse("leagues:detail", args=[league.slug])


@admin.register(Season)
class SeasonAdmin(ReadOnly):
    """Its secret is shown to nobody: whoever knows it before the end knows every game's luck."""

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
