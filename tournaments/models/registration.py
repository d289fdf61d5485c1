"""What entrants are asked, and what they answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

ASKED_MOST: Final = 10  # questions at a time
KEPT_MOST: Final = 30  # with those that are not asked any more; what remains of one that was deleted is its number
QUESTION_LENGTH: Final = 300  # characters
CHOICES_MOST: Final = 20
CHOICE_LENGTH: Final = 60  # characters
CATEGORIES_MOST: Final = 12
ANSWER_LENGTH: Final = 500  # characters


class RegistrationKind(models.TextChoices):
    """How a question is answered. The answer to ``CATEGORY`` is public: it is kept with the entry, not with the
    answers, and has a ranking."""

    TEXT = "text", _("Free text")
    CHOICE = "choice", _("Choice")
    CONSENT = "consent", _("Consent")
    CATEGORY = "category", _("Category")


@dataclass(frozen=True, slots=True)
class RegistrationQuestion:
    """A question to entrants. Answers name it by its ``number``, which is never given twice in a tournament.
    ``is_withdrawn``: it is not asked any more, and has answers."""

    number: int
    kind: RegistrationKind
    text: str
    choices: tuple[str, ...] = ()
    is_required: bool = True
    is_withdrawn: bool = False

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """Read what ``stored`` wrote."""
        fields = {"kind": RegistrationKind(stored["kind"]), "choices": tuple(stored["choices"])}
        return cls(**{**stored, **fields})

    @property
    def stored(self) -> dict[str, Any]:
        """The question as its tournament keeps it."""
        return {
            "number": self.number,
            "kind": self.kind.value,
            "text": self.text,
            "choices": list(self.choices),
            "is_required": self.is_required,
            "is_withdrawn": self.is_withdrawn,
        }


class EntryAnswers(models.Model):
    """What ``by`` answered for a bot: by the number of the question a text, or true for a consent. These are personal
    data: only ``by``, and who runs the tournament, read them."""

    entry = models.OneToOneField("tournaments.Entry", models.CASCADE, related_name="registration")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    answers: Any = models.JSONField(default=dict)
    answered_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"for {self.entry_id}"
