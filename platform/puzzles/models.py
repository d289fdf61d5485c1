"""Puzzles, who has answered them, and the ratings of both."""

from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from luck import UNIT

FIRST_RATING: Final = 1500.0  # of a person and of a puzzle, before the first answer


class Puzzle(models.Model):
    """A decision of a house bot that lost something, at a position where one action is the best.

    ``board``: what a spectator is shown there, ``view``: what the ``seat`` is. ``options``: pairs of an action and the
    share of opponents that the seat expects to beat after it, in 1e-9, by ``value``; the best one first. ``played``:
    what the bot chose. ``bots``: their titles, by seat.
    """

    game = models.CharField(max_length=40)
    ruleset = models.CharField(max_length=50)
    value = models.CharField(max_length=80)
    seat = models.PositiveSmallIntegerField()
    bots = models.JSONField()
    board = models.JSONField()
    view = models.JSONField()
    options = models.JSONField()
    played = models.CharField(max_length=200)
    digest = models.BinaryField(max_length=32, unique=True)  # of the view
    rating = models.FloatField(default=FIRST_RATING)
    answers = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["game", "rating"], name="puzzle_by_rating")]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(solved__lte=F("answers")), name="puzzle_solved_at_most_answered"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.pk}"

    @property
    def actions(self) -> list[str]:
        """The actions, in the order of the rules: it tells nothing of what they are worth."""
        actions: list[str] = self.view["actions"]
        return actions

    @property
    def best(self) -> str:
        """The only best action."""
        return str(self.options[0][0])

    def lost(self, action: str) -> int:
        """Return what ``action`` is worth less than the best one, in 1e-9 shares.

        Raises:
            LookupError: it is not legal here.
        """
        values: dict[str, Any] = dict(self.options)
        return int(self.options[0][1] - values[action])


class PuzzleRating(models.Model):
    """How well a person solves the puzzles of a game. Nobody else is shown it."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_ratings")
    game = models.CharField(max_length=40)
    rating = models.FloatField(default=FIRST_RATING)
    answers = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "game"], name="puzzle_rating_once"),
            models.CheckConstraint(condition=Q(solved__lte=F("answers")), name="puzzle_rating_solved_at_most_answered"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} {self.game}"


class PuzzleAnswer(models.Model):
    """The first answer of a person to a puzzle, the only one that counts; ``change``: of the person's rating."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_answers")
    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="given")
    action = models.CharField(max_length=200)
    lost = models.BigIntegerField()
    change = models.FloatField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "puzzle"], name="puzzle_answered_once"),
            models.CheckConstraint(condition=Q(lost__gte=0, lost__lte=UNIT), name="puzzle_answer_lost_is_a_share"),
        ]

    def __str__(self) -> str:
        return f"{self.puzzle_id} {self.action}"

    @property
    def is_best(self) -> bool:
        """Whether it was the best action."""
        return self.lost == 0
