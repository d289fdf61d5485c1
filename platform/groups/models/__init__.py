"""Groups, their members, the ways in and the roster."""

from groups.models.group import Group, GroupKind, GroupMember, GroupRole, MemberAct, MemberChange
from groups.models.invitation import GroupInvitation, InvitationKind
from groups.models.roster import MailboxLetter, RosterRow

__all__ = [
    "Group",
    "GroupInvitation",
    "GroupKind",
    "GroupMember",
    "GroupRole",
    "InvitationKind",
    "MailboxLetter",
    "MemberAct",
    "MemberChange",
    "RosterRow",
]
