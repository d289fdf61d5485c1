"""Puzzles over the API."""

from typing import Any, cast

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from puzzles.errors import NoSuchAction
from puzzles.models import Puzzle, PuzzleAnswer
from puzzles.selectors import answer_of, puzzles_shown
from puzzles.serializers import (
    PuzzleAnswerRequestSerializer,
    PuzzleAnswerSerializer,
    PuzzleRowSerializer,
    PuzzleSerializer,
)
from puzzles.services import answer_submit
from web.api_errors import Refused, problems
from web.api_view import Item, JSONBody, Listing, Query
from web.page_cache import LIST_SECONDS
from web.requests import signed_in
from web.serializers import GameFilter


class PuzzleQuery(Query):
    """What may be asked of the list."""

    game = GameFilter()


class PuzzleListView(Listing):
    """The puzzles, hardest first."""

    strangers_share = LIST_SECONDS
    query = PuzzleQuery
    serializer_class = PuzzleRowSerializer

    def get_queryset(self) -> QuerySet[Puzzle]:
        return puzzles_shown().filter(**self.asked)


class PuzzleView(Item):
    """A puzzle: its position and its actions."""

    strangers_share = LIST_SECONDS
    serializer_class = PuzzleSerializer

    def get_object(self) -> Puzzle:
        return get_object_or_404(puzzles_shown(), pk=self.kwargs["pk"])


class PuzzleAnswerView(Item):
    """My answer to a puzzle, and what each action is worth.

    404 before I have answered.
    """

    write_scope = "upload"
    throttle_scope = "puzzles"
    serializer_class: Any = PuzzleAnswerSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    def get_object(self) -> PuzzleAnswer:
        puzzle = get_object_or_404(puzzles_shown(), pk=self.kwargs["pk"])
        if (answer := answer_of(puzzle, self.request.user)) is None:
            raise Http404
        return answer

    @extend_schema(
        summary="Answer a puzzle",
        description="The first answer counts and moves my rating. A later one changes nothing, and is answered with"
        " the first.",
        request=PuzzleAnswerRequestSerializer,
        responses={200: PuzzleAnswerSerializer, **problems(400, 401, 403, 404, 409, 429, 503)},
    )
    def post(self, request: Request, pk: int) -> Response:
        sent = PuzzleAnswerRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        puzzle = get_object_or_404(puzzles_shown(), pk=pk)
        try:
            person = signed_in(cast(HttpRequest, request))
            answer = answer_submit(person=person, puzzle=puzzle, action=sent.validated_data["action"])
        except NoSuchAction as error:
            raise Refused("illegal_action", str(error), "action") from error
        return Response(self.get_serializer(answer).data)
