"""Groups for those who run the site: looked at here, changed on their own pages, where staff may do what owners may."""

from django.contrib import admin

from groups.models import Group, GroupInvitation, GroupMember, MemberChange
from web.admin import ReadOnly


@admin.register(Group)
class GroupAdmin(ReadOnly):
    list_display = ("name", "kind", "is_listed", "uses_aliases", "created_by", "created_at", "closed_at")
    list_filter = ("kind", "is_listed", "uses_aliases")
    search_fields = ("name", "slug")
    fields = ("name", "slug", "kind", "is_listed", "uses_aliases", "created_by", "created_at", "closed_at")


@admin.register(GroupMember)
class GroupMemberAdmin(ReadOnly):
    list_display = ("group", "person", "role", "alias", "cohort", "joined_at")
    list_select_related = ("group", "person")
    list_filter = ("role",)
    search_fields = ("group__name", "person__username")
    fields = ("group", "person", "role", "roster_id", "name", "alias", "cohort", "joined_at")


@admin.register(GroupInvitation)
class GroupInvitationAdmin(ReadOnly):
    list_display = (
        "group",
        "kind",
        "role",
        "uses_left",
        "uses_most",
        "created_by",
        "created_at",
        "expires_at",
        "revoked_at",
    )
    list_select_related = ("group", "created_by")
    list_filter = ("kind",)
    fields = ("group", "kind", "role", "uses_left", "uses_most", "created_by", "created_at", "expires_at", "revoked_at")


@admin.register(MemberChange)
class MemberChangeAdmin(ReadOnly):
    list_display = ("created_at", "group", "person", "act", "role", "by")
    list_select_related = ("group", "person", "by")
    list_filter = ("act",)
    fields = ("created_at", "group", "person", "act", "role", "by")
