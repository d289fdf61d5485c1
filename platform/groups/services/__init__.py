"""Services that change groups, their members, invitations and roster."""

from groups.services.groups import group_create, group_update, group_uploads_set, groups_release
from groups.services.invitations import (
    invitation_create,
    invitation_renew,
    invitation_revoke,
    slips_create,
)
from groups.services.letters import letters_send
from groups.services.members import (
    member_admit,
    member_join,
    member_leave,
    member_remove,
    member_role_set,
    member_update,
)
from groups.services.rosters import roster_apply, row_remove

__all__ = [
    "group_create",
    "group_update",
    "group_uploads_set",
    "groups_release",
    "invitation_create",
    "invitation_renew",
    "invitation_revoke",
    "letters_send",
    "member_admit",
    "member_join",
    "member_leave",
    "member_remove",
    "member_role_set",
    "member_update",
    "roster_apply",
    "row_remove",
    "slips_create",
]
