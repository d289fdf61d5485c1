"""Services that change groups, their members, invitations and roster."""

from groups.services.emails import group_emails_send
from groups.services.groups import group_create, group_update, group_uploads_set
from groups.services.invitations import (
    group_invitation_create,
    group_invitation_renew,
    group_invitation_revoke,
    group_invitation_slips_create,
)
from groups.services.members import (
    group_member_admit,
    group_member_join,
    group_member_leave,
    group_member_remove,
    group_member_role_set,
    group_member_update,
    group_memberships_release,
)
from groups.services.rosters import group_roster_apply, group_roster_row_remove

__all__ = [
    "group_create",
    "group_emails_send",
    "group_invitation_create",
    "group_invitation_renew",
    "group_invitation_revoke",
    "group_invitation_slips_create",
    "group_member_admit",
    "group_member_join",
    "group_member_leave",
    "group_member_remove",
    "group_member_role_set",
    "group_member_update",
    "group_memberships_release",
    "group_roster_apply",
    "group_roster_row_remove",
    "group_update",
    "group_uploads_set",
]
