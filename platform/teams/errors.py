"""Why a team is not founded, joined or changed."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from web.errors import Refusal


class BadTeamName(Refusal):
    """A name that a team cannot have."""

    code = "bad_name"
    field = "name"

    def __init__(self) -> None:
        super().__init__(
            _("Use letters, digits, single spaces and . + - _ only, beginning with a letter or a digit, 30 at most.")
        )


class TeamNameTaken(Refusal):
    """A person or another team is called so."""

    code = "name_taken"
    field = "name"
    status = 409

    def __init__(self, name: str) -> None:
        super().__init__(_("The name %(name)s is taken. Choose another name.") % {"name": name})


class TooManyTeams(Refusal):
    """So many teams of one person."""

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
    """No further member."""

    code = "full"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext("A team has %(most)d member at most.", "A team has %(most)d members at most.", most)
        super().__init__(sentence % {"most": most})


class NoWayIntoTeam(Refusal):
    """A link that does not hold: why, is not said to strangers who guess."""

    code = "invitation"
    field = "link"
    status = 409

    def __init__(self) -> None:
        super().__init__(
            _("This link does not work. It is incomplete, expired, revoked or used up: ask for a new one.")
        )


class TooManyTeamLinks(Refusal):
    """So many links into one team."""

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
    """What only the captain does."""

    code = "captain_only"
    status = 403

    def __init__(self) -> None:
        super().__init__(_("Only the captain of the team can do this."))
