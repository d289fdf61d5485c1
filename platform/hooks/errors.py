"""Why a hook is not made, changed or tried."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from web.errors import Refusal


class TooManyHooks(Refusal):
    """The person has as many as one may."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext(
            "You have %(most)d webhook already. Delete it if you no longer use it.",
            "You have %(most)d webhooks already. Delete one that you no longer use.",
            most,
        )
        super().__init__(sentence % {"most": most})


class NotPaused(Refusal):
    """Nothing is to be resumed."""

    code = "not_paused"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This webhook is not paused."))


class HookPaused(Refusal):
    """Nothing is sent to a hook that is paused."""

    code = "paused"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This webhook is paused: resume it first."))


class NotAgain(Refusal):
    """A delivery that waits, or was sent too often."""

    code = "not_again"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This delivery still waits, or was sent too often already."))


class TooManyToday(Refusal):
    """As much was sent for the person as may be in a day."""

    code = "too_many"
    status = 429

    def __init__(self, most: int) -> None:
        sentence = ngettext(
            "You have had %(most)d delivery in the last 24 hours, the most allowed. Try again later.",
            "You have had %(most)d deliveries in the last 24 hours, the most allowed. Try again later.",
            most,
        )
        super().__init__(sentence % {"most": most})
        self.wait = 3600
