"""Puzzles as JSON."""

from typing import Any, Final

from rest_framework import serializers

from games.catalogue import GAMES
from luck import UNIT
from puzzles.models import Puzzle, PuzzleAnswer
from web.api_examples import GAME, RULESET, SITE, example_shown
from web.api_view import OneOf
from web.serializers import GAME_CHOICES, address, example

ACTION: Final = next(iter(GAMES[GAME].actions)).replace("*", "1")


class _PuzzleOutcomeSerializer(serializers.Serializer[Any]):
    action = serializers.CharField()
    worth = serializers.FloatField(help_text="Share of opponents that the seat beats on average after it, 0 to 1.")
    lost = serializers.FloatField(help_text="What the best action is worth more.")


@example(action=ACTION)
class PuzzleAnswerRequestSerializer(serializers.Serializer[Any]):
    """An answer to a puzzle."""

    action = serializers.CharField(max_length=200, help_text="One of its `actions`.")


@example_shown(game=GAME, ruleset=RULESET, page=f"{SITE}/puzzles/1/")
class PuzzleRowSerializer(serializers.Serializer[Puzzle]):
    """A puzzle in a list."""

    id = serializers.IntegerField(source="pk")
    game = OneOf(choices=GAME_CHOICES)
    ruleset = serializers.CharField()
    rating = serializers.FloatField(help_text="Elo: 1500 at first, and higher the more often it is missed.")
    answers = serializers.IntegerField(help_text="People who have answered it.")
    solved = serializers.IntegerField(help_text="Of those, who found the best action.")
    page = serializers.SerializerMethodField()

    def get_page(self, puzzle: Puzzle) -> str:
        return address(self, "puzzles:detail", puzzle.pk)


@example_shown(actions=[ACTION])
class PuzzleSerializer(PuzzleRowSerializer):
    """The position, and the actions in the order of the rules."""

    seat = serializers.IntegerField(help_text="Whose turn it is.")
    view = serializers.DictField(help_text="What that seat is shown, as bots are.")
    actions = serializers.ListField(child=serializers.CharField())


@example_shown(action=ACTION, best=ACTION, played=ACTION)
class PuzzleAnswerSerializer(serializers.Serializer[PuzzleAnswer]):
    """The first answer, which is the one that counts, and what each action is worth."""

    action = serializers.CharField()
    best = serializers.CharField(source="puzzle.best")
    played = serializers.CharField(source="puzzle.played", help_text="By the house bot whose turn it was.")
    change = serializers.FloatField(help_text="Of my rating by it.")
    rating = serializers.SerializerMethodField(help_text="Mine for this game now.")
    options = serializers.SerializerMethodField()

    def get_rating(self, answer: PuzzleAnswer) -> float:
        return answer.person.puzzle_ratings.values_list("rating", flat=True).get(game=answer.puzzle.game)

    def get_options(self, answer: PuzzleAnswer) -> list[dict[str, Any]]:
        best = answer.puzzle.options[0][1]
        return [
            {"action": action, "worth": value / UNIT, "lost": (best - value) / UNIT}
            for action, value in answer.puzzle.options
        ]
