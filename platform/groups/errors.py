"""Errors of joining, leaving and changing groups."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from web.errors import Refusal


class NoWayIn(Refusal):
    """The invitation is not valid. The message does not say why, so that guessing reveals nothing."""

    code = "invitation"
    field = "code"
    status = 409

    def __init__(self) -> None:
        super().__init__(
            _("This code or link does not work. It is mistyped, expired, revoked or used up: ask for a new one.")
        )


class GroupFull(Refusal):
    """The group has reached the limit of members."""

    code = "full"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext("A group has %(most)d member at most.", "A group has %(most)d members at most.", most)
        super().__init__(sentence % {"most": most})


class GroupClosed(Refusal):
    """The group has no owner, so nobody can join it."""

    code = "closed"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This group is closed: nobody can join it any more."))


class LastOwner(Refusal):
    """The group would be left without an owner."""

    code = "last_owner"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("The group needs an owner: make somebody else an owner first."))


class NotYours(Refusal):
    """The action is reserved for owners. Staff of a group manage members, owners also manage staff."""

    code = "owners_only"
    status = 403

    def __init__(self) -> None:
        super().__init__(_("Only an owner of the group can do this."))


class Taken(Refusal):
    """Another member has this alias or roster id."""

    code = "taken"
    status = 409

    def __init__(self, field: str, value: str) -> None:
        super().__init__(_("%(value)s belongs to another member. Choose something else.") % {"value": value})
        self.field = field


class TooManyGroups(Refusal):
    """The person has reached the limit of groups."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext(
            "You have created %(most)d group, the most allowed.",
            "You have created %(most)d groups, the most allowed.",
            most,
        )
        super().__init__(sentence % {"most": most})


class TooManyInvitations(Refusal):
    """The group has reached the limit of valid invitations."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext(
            "This group has %(most)d invitation that works, the most allowed. Revoke one you no longer need.",
            "This group has %(most)d invitations that work, the most allowed. Revoke some you no longer need.",
            most,
        )
        super().__init__(sentence % {"most": most})


class RosterChanged(Refusal):
    """The result of importing the roster would differ from the preview."""

    code = "changed"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("Something changed since the preview: nothing was done. Check the new preview below."))
