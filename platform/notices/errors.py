"""Why somebody may not follow something."""

from django.utils.translation import gettext as _

from web.errors import Refusal


class TooManyFollows(Refusal):
    """The person follows as much as one may."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        super().__init__(_("You already follow %(most)d, which is the limit. Unfollow one first.") % {"most": most})
