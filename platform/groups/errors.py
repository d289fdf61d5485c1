"""Why somebody does not come in, stays, or is not changed."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from web.errors import Refusal


class NoWayIn(Refusal):
    """An invitation that does not hold: which it was, and why, is not said to strangers who guess."""

    code = "invitation"
    field = "code"
    status = 409

    def __init__(self) -> None:
        super().__init__(
            _("This code or link does not work. It is mistyped, expired, revoked or used up: ask for a new one.")
        )


class GroupFull(Refusal):
    """No further member."""

    code = "full"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext("A group has %(most)d member at most.", "A group has %(most)d members at most.", most)
        super().__init__(sentence % {"most": most})


class GroupClosed(Refusal):
    """Nobody joins a group without an owner."""

    code = "closed"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This group is closed: nobody can join it any more."))


class LastOwner(Refusal):
    """Somebody has to look after the group."""

    code = "last_owner"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("The group needs an owner: make somebody else an owner first."))


class NotYours(Refusal):
    """Staff of a group look after members, owners after staff."""

    code = "owners_only"
    status = 403

    def __init__(self) -> None:
        super().__init__(_("Only an owner of the group can do this."))


class Taken(Refusal):
    """An alias or roster id that another has."""

    code = "taken"
    status = 409

    def __init__(self, field: str, value: str) -> None:
        super().__init__(_("%(value)s belongs to another member. Choose something else.") % {"value": value})
        self.field = field


class TooManyGroups(Refusal):
    """So many groups of one person."""

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
    """So many ways into one group."""

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
    """What was previewed is not what would be done now."""

    code = "changed"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("Something changed since the preview: nothing was done. Check the new preview below."))
