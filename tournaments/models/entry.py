"""The entries of a tournament, the questions to entrants, and their answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

OPEN_QUESTIONS_MOST: Final = 10  # questions that are asked at the same time
STORED_QUESTIONS_MOST: Final = 30  # questions, including withdrawn ones that have answers
QUESTION_LENGTH: Final = 300  # characters
CHOICES_MOST: Final = 20
CHOICE_LENGTH: Final = 60  # characters
CATEGORIES_MOST: Final = 12
ANSWER_LENGTH: Final = 500  # characters


class RegistrationKind(models.TextChoices):
    """How a question is answered.

    The answer to a ``CATEGORY`` question is public, and each category has its own ranking. So this answer is stored in
    ``Entry.category``, and not with the other answers.
    """

    TEXT = "text", _("Free text")
    CHOICE = "choice", _("Choice")
    CONSENT = "consent", _("Consent")
    CATEGORY = "category", _("Category")


@dataclass(frozen=True, slots=True)
class RegistrationQuestion:
    """A question to entrants.

    Answers refer to a question by its ``number``, which is never reused in a tournament. If a question has answers and
    is not asked any more, ``is_withdrawn`` is True.
    """

    number: int
    kind: RegistrationKind
    text: str
    choices: tuple[str, ...] = ()
    is_required: bool = True
    is_withdrawn: bool = False

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """Read a question from the value of ``stored``."""
        fields = {"kind": RegistrationKind(stored["kind"]), "choices": tuple(stored["choices"])}
        return cls(**{**stored, **fields})

    @property
    def stored(self) -> dict[str, Any]:
        """The question as stored in ``Tournament.registration``."""
        return {
            "number": self.number,
            "kind": self.kind.value,
            "text": self.text,
            "choices": list(self.choices),
            "is_required": self.is_required,
            "is_withdrawn": self.is_withdrawn,
        }


class EntryAnswers(models.Model):
    """The answers that the person ``by`` gave for a bot, by the number of the question.

    An answer is a text, or true for a consent. Answers are personal data: only ``by`` and the people who run the
    tournament may read them.
    """

    entry = models.OneToOneField("tournaments.Entry", models.CASCADE, related_name="registration")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    answers: Any = models.JSONField(default=dict)
    answered_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"for {self.entry_id}"


class Withdrawal(models.TextChoices):
    """Why the rules withdrew a bot."""

    FORFEITS = "forfeits", _("too many matches forfeited by its faults")
    DELETED = "deleted", _("deleted by its author")


class Entry(models.Model):
    """A bot in a tournament.

    ``version`` is frozen when entries close, so that the same code plays in every round. If the tournament takes new
    versions, ``version`` is updated when a round begins: see ``services.rounds.round_entry_versions_update``.

    An entry is out for one of three reasons: its author or the organiser withdrew it (``left_at``), the rules withdrew
    it (``struck_at``, ``withdrawn_because``), or a ruling in effect keeps it out. ``is_withdrawn`` stores whether there
    is such a reason, and ``withdrawn_at`` since when; ``withdrawn_at`` is None if the entry was out from the start.
    ``forfeits`` is the number of matches that the entry had forfeited when the rules withdrew it.

    If the bot was entered from a ladder, ``ladder_place`` is its place there, from 1, and determines its seed.
    ``category`` is a category of the tournament, or "". ``sources_agreed_at`` and ``sources_agreed_by`` tell when the
    bot was entered with consent to the release of sources, and by whom.
    """

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="entries")
    bot = models.ForeignKey("bots.Bot", models.PROTECT, related_name="entries")
    version = models.ForeignKey("bots.BotVersion", models.PROTECT, null=True, blank=True, related_name="entries")
    is_withdrawn = models.BooleanField(default=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)
    struck_at = models.DateTimeField(null=True, blank=True)
    withdrawn_because = models.CharField(max_length=20, blank=True, choices=Withdrawal.choices)
    forfeits = models.PositiveSmallIntegerField(default=0)
    ladder_place = models.PositiveIntegerField(null=True, blank=True)
    category = models.CharField(max_length=CHOICE_LENGTH, default="", db_default="", blank=True)
    sources_agreed_at = models.DateTimeField(null=True, blank=True)
    sources_agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at", "pk"]
        verbose_name_plural = "entries"
        constraints = [
            models.CheckConstraint(
                condition=Q(sources_agreed_at__isnull=False) | Q(sources_agreed_by__isnull=True),
                name="entry_agreement_has_a_time",
            ),
            models.UniqueConstraint("tournament", "bot", name="bot_enters_once"),
            models.CheckConstraint(
                condition=Q(withdrawn_because="") | Q(is_withdrawn=True, withdrawn_because__in=Withdrawal.values),
                name="entry_withdrawal_known",
            ),
            models.CheckConstraint(
                condition=Q(is_withdrawn=True) | Q(withdrawn_at__isnull=True), name="entry_that_is_in_has_not_left"
            ),
            models.CheckConstraint(condition=Q(ladder_place__gte=1), name="entry_ladder_place_counts_from_one"),
            models.CheckConstraint(
                condition=Q(is_withdrawn=True) | Q(left_at__isnull=True, struck_at__isnull=True),
                name="entry_out_for_any_reason_is_withdrawn",
            ),
        ]


class TeamPlayer(models.Model):
    """A person who was in a team when the tournament's entries were frozen. Nobody plays for two teams."""

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="team_players")
    team = models.ForeignKey("teams.Team", models.CASCADE, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint("tournament", "person", name="person_plays_for_one_team")]

    def __str__(self) -> str:
        return f"{self.person_id} for {self.team_id}"
