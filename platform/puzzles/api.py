"""API of puzzles: list, read and answer them."""

from typing import Any, Final, cast

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.catalogue import GAMES
from luck import UNIT
from puzzles.models import Puzzle, PuzzleAnswer
from puzzles.selectors import puzzle_answer_of, puzzles_shown
from puzzles.services import NoSuchAction, puzzle_answer_submit
from web.api_errors import Refused, api_error_descriptions
from web.api_examples import GAME, RULESET, SITE, api_example_shown, serializer_example
from web.api_view import Item, JSONBody, Listing, OneOf, Query
from web.page_cache import LIST_SECONDS
from web.requests import request_user
from web.serializers import GAME_CHOICES, GameFilter, serializer_address

ACTION: Final = next(iter(GAMES[GAME].actions)).replace("*", "1")


class _PuzzleOutcomeSerializer(serializers.Serializer[Any]):
    action = serializers.CharField()
    worth = serializers.FloatField(help_text="Expected share of opponents beaten after the action, 0 to 1.")
    lost = serializers.FloatField(help_text="Difference from the worth of the best action.")


@serializer_example(action=ACTION)
class PuzzleAnswerRequestSerializer(serializers.Serializer[Any]):
    """An answer to a puzzle."""

    action = serializers.CharField(max_length=200, help_text="One of the puzzle's `actions`.")


@api_example_shown(game=GAME, ruleset=RULESET, page=f"{SITE}/puzzles/1/")
class PuzzleRowSerializer(serializers.Serializer[Puzzle]):
    """A puzzle in a list."""

    id = serializers.IntegerField(source="pk")
    game = OneOf(choices=GAME_CHOICES)
    ruleset = serializers.CharField()
    rating = serializers.FloatField(help_text="Elo rating: 1500 at first. It rises when people miss the best action.")
    answers = serializers.IntegerField(help_text="Number of people who have answered it.")
    solved = serializers.IntegerField(help_text="Number of people who found the best action.")
    page = serializers.SerializerMethodField()

    def get_page(self, puzzle: Puzzle) -> str:
        return serializer_address(self, "puzzles:detail", puzzle.pk)


@api_example_shown(actions=[ACTION])
class PuzzleSerializer(PuzzleRowSerializer):
    """The position of a puzzle and its actions, in the order of the rules."""

    seat = serializers.IntegerField(help_text="The seat to move.")
    view = serializers.DictField(help_text="The view of this seat, as bots get it.")
    actions = serializers.ListField(child=serializers.CharField())


@api_example_shown(action=ACTION, best=ACTION, played=ACTION)
class PuzzleAnswerSerializer(serializers.Serializer[PuzzleAnswer]):
    """My first answer, which counts, and the worth of each action."""

    action = serializers.CharField()
    best = serializers.CharField(source="puzzle.best")
    played = serializers.CharField(source="puzzle.played", help_text="The action of the house bot.")
    change = serializers.FloatField(help_text="Change of my rating.")
    rating = serializers.SerializerMethodField(help_text="My current rating for this game.")
    options = serializers.SerializerMethodField()

    def get_rating(self, answer: PuzzleAnswer) -> float:
        return answer.person.puzzle_ratings.values_list("rating", flat=True).get(game=answer.puzzle.game)

    def get_options(self, answer: PuzzleAnswer) -> list[dict[str, Any]]:
        best = answer.puzzle.options[0][1]
        return [
            {"action": action, "worth": value / UNIT, "lost": (best - value) / UNIT}
            for action, value in answer.puzzle.options
        ]


class PuzzleQuery(Query):
    """Query parameters of the list."""

    game = GameFilter()


class PuzzleListView(Listing):
    """The puzzles, hardest first."""

    public_max_age = LIST_SECONDS
    query = PuzzleQuery
    serializer_class = PuzzleRowSerializer

    def get_queryset(self) -> QuerySet[Puzzle]:
        return puzzles_shown().filter(**self.parameters)


class PuzzleView(Item):
    """A puzzle: its position and its actions."""

    public_max_age = LIST_SECONDS
    serializer_class = PuzzleSerializer

    def get_object(self) -> Puzzle:
        return get_object_or_404(puzzles_shown(), pk=self.kwargs["pk"])


class PuzzleAnswerView(Item):
    """My answer to a puzzle, and the worth of each action.

    404 before I have answered.
    """

    write_scope = "upload"
    throttle_scope = "puzzles"
    serializer_class: Any = PuzzleAnswerSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    def get_object(self) -> PuzzleAnswer:
        puzzle = get_object_or_404(puzzles_shown(), pk=self.kwargs["pk"])
        if (answer := puzzle_answer_of(puzzle, self.request.user)) is None:
            raise Http404
        return answer

    @extend_schema(
        summary="Answer a puzzle",
        description="The first answer counts and changes my rating. Later answers change nothing; the response has the"
        " first.",
        request=PuzzleAnswerRequestSerializer,
        responses={200: PuzzleAnswerSerializer, **api_error_descriptions(400, 401, 403, 404, 409, 429, 503)},
    )
    def post(self, request: Request, pk: int) -> Response:
        sent = PuzzleAnswerRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        puzzle = get_object_or_404(puzzles_shown(), pk=pk)
        try:
            person = request_user(cast(HttpRequest, request))
            answer = puzzle_answer_submit(person=person, puzzle=puzzle, action=sent.validated_data["action"])
        except NoSuchAction as error:
            raise Refused("illegal_action", str(error), "action") from error
        return Response(self.get_serializer(answer).data)
