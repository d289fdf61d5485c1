"""Errors of founding, joining and changing teams."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from web.errors import Refusal


class BadTeamName(Refusal):
    """The name is not allowed for a team."""

    code = "bad_name"
    field = "name"

    def __init__(self) -> None:
        super().__init__(
            _("Use letters, digits, single spaces and . + - _ only, beginning with a letter or a digit, 30 at most.")
        )


class TeamNameTaken(Refusal):
    """A person or another team has this name."""

    code = "name_taken"
    field = "name"
    status = 409

    def __init__(self, name: str) -> None:
        super().__init__(_("The name %(name)s is taken. Choose another name.") % {"name": name})


class TooManyTeams(Refusal):
    """The person has reached the limit of teams."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext(
            "You can be in %(most)d team at most. Leave one first.",
            "You can be in %(most)d teams at most. Leave one first.",
            most,
        )
        super().__init__(sentence % {"most": most})


class TeamFull(Refusal):
    """The team has reached the limit of members."""

    code = "full"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext("A team has %(most)d member at most.", "A team has %(most)d members at most.", most)
        super().__init__(sentence % {"most": most})


class NoWayIntoTeam(Refusal):
    """The link is invalid. The message does not say why, so that guessing reveals nothing."""

    code = "invitation"
    field = "link"
    status = 409

    def __init__(self) -> None:
        super().__init__(
            _("This link does not work. It is incomplete, expired, revoked or used up: ask for a new one.")
        )


class TooManyTeamLinks(Refusal):
    """The team has reached the limit of valid links."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext(
            "This team has %(most)d link that works, the most allowed. Revoke it first.",
            "This team has %(most)d links that work, the most allowed. Revoke one first.",
            most,
        )
        super().__init__(sentence % {"most": most})


class NotTheCaptain(Refusal):
    """The action is reserved for the captain."""

    code = "captain_only"
    status = 403

    def __init__(self) -> None:
        super().__init__(_("Only the captain of the team can do this."))
