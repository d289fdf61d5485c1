"""Challenges: an author asks for a private match with a bot of somebody else."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

CHALLENGES_A_DAY: Final = 3  # of one author, of one bot


class ChallengeState(models.TextChoices):
    """asked -> accepted | declined | withdrawn | lapsed; accepted -> declined, until the match begins. Where nobody is
    to be asked it begins as accepted. What became of an accepted one, the match says."""

    ASKED = "asked", _("waiting for an answer")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")
    LAPSED = "lapsed", _("not answered")


class Challenge(models.Model):
    """``bot`` challenges ``opponent``; ``author`` requested it, and pays for the match. Of one day, in UTC, an author's
    challenges of a bot have a ``turn`` from 0 each."""

    bot = models.ForeignKey("bots.Bot", models.CASCADE, related_name="+", db_index=False)
    opponent = models.ForeignKey("bots.Bot", models.CASCADE, related_name="+", db_index=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=ChallengeState.choices, default=ChallengeState.ASKED)
    match = models.OneToOneField("Match", models.CASCADE, null=True, related_name="challenge")
    day = models.DateField()
    turn = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(default=timezone.now)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ChallengeState.values), name="challenge_state_known"),
            models.CheckConstraint(condition=~Q(bot=F("opponent")), name="challenge_of_another_bot"),
            models.CheckConstraint(condition=Q(turn__lt=CHALLENGES_A_DAY), name="challenge_turns_of_a_day"),
            models.CheckConstraint(
                condition=Q(state="declined")
                | Q(state="accepted", match__isnull=False)
                | Q(state__in=["asked", "withdrawn", "lapsed"], match__isnull=True),
                name="challenge_accepted_has_a_match",
            ),
            models.UniqueConstraint("author", "opponent", "day", "turn", name="challenge_turn_unique_per_day"),
            models.UniqueConstraint(
                "bot", "opponent", condition=Q(state="asked"), name="challenge_asked_once_per_pair"
            ),
        ]
        indexes = [
            models.Index("bot", F("id").desc(), name="challenge_newest_of_bot"),
            models.Index("opponent", F("id").desc(), name="challenge_newest_of_opponent"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"
