"""Why somebody may not follow something, or get notices on a device."""

from django.utils.translation import gettext as _

from web.errors import Refusal


class TooManyFollows(Refusal):
    """The person follows as much as one may."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        super().__init__(_("You already follow %(most)d, which is the limit. Unfollow one first.") % {"most": most})


class TooManyDevices(Refusal):
    """The person gets notices on as many devices as one may."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        super().__init__(
            _("You get notices on %(most)d devices, which is the limit. Remove one first.") % {"most": most}
        )


class BadKeys(Refusal):
    """Nothing can be encrypted for a browser by these keys."""

    code = "bad_keys"

    def __init__(self) -> None:
        super().__init__(_("The keys of this browser are not valid. Turn notifications on again."))
