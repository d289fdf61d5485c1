"""Why an announcement is not written or changed."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from web.errors import Refusal


class TooManyAnnouncements(Refusal):
    """As many were written in one day as may be."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext(
            "There can be %(most)d announcement a day. Edit the last one, or wait until tomorrow.",
            "There can be %(most)d announcements a day. Edit the last one, or wait until tomorrow.",
            most,
        )
        super().__init__(sentence % {"most": most})


class EditedMeanwhile(Refusal):
    """Somebody else was faster."""

    code = "edited"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("Somebody has edited this announcement meanwhile. Open it again to see their text."))


class AlreadyPublished(Refusal):
    """The time of what everybody has read is past."""

    code = "published"
    field = "publish_at"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This announcement is published: its time cannot be changed any more."))
