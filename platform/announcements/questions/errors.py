"""Why a question is not asked, answered or deleted."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from web.errors import Refusal


class TooManyOpen(Refusal):
    """As many of this person's questions wait here as may."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext(
            "%(most)d question of yours is waiting for an answer here. Delete it, or wait for the answer.",
            "%(most)d questions of yours are waiting for an answer here. Delete one, or wait for an answer.",
            most,
        )
        super().__init__(sentence % {"most": most})


class TooManyQuestions(Refusal):
    """This person has asked as many within a day as may be."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext("You can ask %(most)d question a day.", "You can ask %(most)d questions a day.", most)
        super().__init__(sentence % {"most": most})


class AnsweredMeanwhile(Refusal):
    """Somebody else was faster."""

    code = "edited"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("Somebody else has answered meanwhile. Read their answer first; saving yours replaces it."))


class StaysPublished(Refusal):
    """Everybody has read it."""

    code = "published"
    field = "is_published"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This answer is published. Change it, or delete the question."))


class AnsweredAlready(Refusal):
    """The asker may delete what is still open."""

    code = "answered"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This question has an answer, so only the organisers can delete it."))
