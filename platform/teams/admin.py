"""Read-only admin of teams. Teams are changed on their own pages, where staff may do all that a captain may."""

from django.contrib import admin

from teams.models import Team, TeamChange, TeamInvitation, TeamMember
from web.admin import ReadOnly


@admin.register(Team)
class TeamAdmin(ReadOnly):
    list_display = ("name", "slug", "created_at")
    list_select_related = ("account",)
    search_fields = ("account__username", "slug")
    fields = ("name", "slug", "created_at")


@admin.register(TeamMember)
class TeamMemberAdmin(ReadOnly):
    list_display = ("team_name", "person", "is_captain", "joined_at")
    list_select_related = ("team__account", "person")
    search_fields = ("team__account__username", "person__username")
    fields = ("team_name", "person", "is_captain", "joined_at")

    @admin.display(description="team")
    def team_name(self, member: TeamMember) -> str:
        return member.team.name


@admin.register(TeamInvitation)
class TeamInvitationAdmin(ReadOnly):
    list_display = ("team_name", "uses_left", "uses_most", "created_by", "created_at", "expires_at", "revoked_at")
    list_select_related = ("team__account", "created_by")
    fields = ("team_name", "uses_left", "uses_most", "created_by", "created_at", "expires_at", "revoked_at")

    @admin.display(description="team")
    def team_name(self, link: TeamInvitation) -> str:
        return link.team.name


@admin.register(TeamChange)
class TeamChangeAdmin(ReadOnly):
    list_display = ("created_at", "team_name", "person", "act", "by")
    list_select_related = ("team__account", "person", "by")
    list_filter = ("act",)
    fields = ("created_at", "team_name", "person", "act", "by")

    @admin.display(description="team")
    def team_name(self, change: TeamChange) -> str:
        return change.team.name
