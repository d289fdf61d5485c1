"""Why something is not done with an assignment."""

from django.utils.translation import gettext as _

from web.errors import Refusal


class AssignmentRefused(Refusal):
    """Nothing was changed. ``code`` and ``field`` say what is wrong."""

    status = 409

    def __init__(self, code: str, sentence: str, field: str = "") -> None:
        self.code = code
        self.field = field
        super().__init__(sentence)


class AlreadyMarked(AssignmentRefused):
    """What is marked is not changed by extensions or another bot."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__("marked", sentence or _("It has been marked already, so this can no longer be changed."))


class NotOpenNow(AssignmentRefused):
    """Before an assignment opens and after it is over nothing is handed in."""

    def __init__(self, sentence: str) -> None:
        super().__init__("closed", sentence)
