"""Read-only admin of groups. Staff change groups on the groups' own pages, with the rights of owners."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import AbstractUser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from groups.models import Group, GroupInvitation, GroupMember, MemberChange
from groups.services import group_uploads_set
from web.admin import Act, NotApplicable, ReadOnly


def _allow(group: Any, _by: AbstractUser) -> None:
    if not group_uploads_set(group=group, are_large=True):
        raise NotApplicable(_("Its members may upload larger bots already."))


def _end(group: Any, _by: AbstractUser) -> None:
    if not group_uploads_set(group=group, are_large=False):
        raise NotApplicable(_("Its members may not upload larger bots."))


UPLOAD_ACTS = (
    Act(
        name="large_uploads_allow",
        label=gettext_lazy("Allow larger uploads"),
        warning=gettext_lazy("All members may upload larger bots, also those whom its owners let in later."),
        do=_allow,
        fits=lambda group: not group.has_large_uploads,
    ),
    Act(
        name="large_uploads_end",
        label=gettext_lazy("End larger uploads"),
        warning=gettext_lazy("The usual limits hold again for new uploads. Larger bots stay and keep playing."),
        do=_end,
        fits=lambda group: group.has_large_uploads,
    ),
)


@admin.register(Group)
class GroupAdmin(ReadOnly):
    acts = UPLOAD_ACTS
    list_display = (
        *("name", "kind", "is_listed", "uses_aliases", "has_large_uploads"),
        *("created_by", "created_at", "closed_at"),
    )
    list_filter = ("kind", "is_listed", "uses_aliases", "has_large_uploads")
    search_fields = ("name", "slug")
    fields = ("name", "slug", *list_display[1:])


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
