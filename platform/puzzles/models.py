"""Models of puzzles: puzzles, answers of people, and the ratings of both."""

from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from luck import UNIT

FIRST_RATING: Final = 1500.0  # rating of a person or a puzzle before the first answer


class Puzzle(models.Model):
    """A position at which a house bot missed the only best action.

    ``board`` is the spectator's view of the position. ``view`` is the view of the seat ``seat``, which decides.
    ``played`` is the action that the bot chose. ``bots`` are the titles of the house bots, by seat.

    ``options`` has a pair for each action, the best first: the action, and its worth. The worth is the share of
    opponents beaten that the value function ``value`` expects after the action, in units of 1e-9.
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
    digest = models.BinaryField(max_length=32, unique=True)  # SHA-256 of the view
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
        """The actions in the order of the rules, which does not reveal their worth."""
        actions: list[str] = self.view["actions"]
        return actions

    @property
    def best(self) -> str:
        """The only best action."""
        return str(self.options[0][0])

    def lost(self, action: str) -> int:
        """Return by how much ``action`` is worth less than the best action, in units of 1e-9 of a share.

        Raises:
            LookupError: ``action`` is not legal here.
        """
        values: dict[str, Any] = dict(self.options)
        return int(self.options[0][1] - values[action])


class PuzzleRating(models.Model):
    """The rating of a person for the puzzles of a game. Only this person sees it."""

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
    """The first answer of a person to a puzzle. Later answers do not count.

    ``change`` is by how much the answer has changed the person's rating.
    """

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
        """Whether the action is the best one."""
        return self.lost == 0
