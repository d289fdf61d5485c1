"""Errors of changing assignments, handing in and marking."""

from django.utils.translation import gettext as _

from web.errors import Refusal


class AssignmentRefused(Refusal):
    """The request was rejected, and nothing was changed. ``code`` and ``field`` say what is wrong."""

    status = 409

    def __init__(self, code: str, sentence: str, field: str = "") -> None:
        self.code = code
        self.field = field
        super().__init__(sentence)


class AlreadyMarked(AssignmentRefused):
    """The student, or somebody in the assignment, has been marked, so this can no longer change."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__("marked", sentence or _("It has been marked already, so this can no longer be changed."))


class NotOpenNow(AssignmentRefused):
    """The assignment has not opened yet, or is over."""

    def __init__(self, sentence: str) -> None:
        super().__init__("closed", sentence)
