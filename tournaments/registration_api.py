"""Questions to entrants over the API: who enters reads them, the organiser asks them and reads the answers."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from contests.actions import ERRORS
from tournaments.entering_api import (
    AnswersLineSerializer,
    EntryAnswersSerializer,
    EntryCategorySerializer,
    RegistrationQuestionSerializer,
    SignedInToWrite,
)
from tournaments.models import Entry, EntryAnswers, RegistrationQuestion
from tournaments.selectors.entering.registration import (
    answers_line,
    entries_to_answer,
    own_answers,
    questions_asked,
    questions_of,
)
from tournaments.services import (
    entry_category_set,
    registration_answers_set,
    registration_question_add,
    registration_question_remove,
)
from tournaments.views.lookups import own_tournament, ruled_tournament, tournament_or_404
from tournaments.views.registration import own_entry_or_404
from web.api_view import API, Item, JSONBody, Listing


class RegistrationView(Listing):
    """The questions that entrants of this tournament answer."""

    serializer_class = RegistrationQuestionSerializer
    permission_classes = (SignedInToWrite,)
    parser_classes = (JSONBody,)

    def get_queryset(self) -> Sequence[RegistrationQuestion]:  # type: ignore[override]
        return questions_asked(tournament_or_404(self.request, self.kwargs["slug"]))

    @extend_schema(
        summary="Ask entrants a question",
        description="Before the start; ten at most. For the organiser.",
        request=RegistrationQuestionSerializer,
        responses={201: RegistrationQuestionSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = own_tournament(request, slug)
        sent = RegistrationQuestionSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        made = registration_question_add(tournament=tournament, **sent.validated_data)
        return Response(RegistrationQuestionSerializer(made).data, status=status.HTTP_201_CREATED)


class RegistrationQuestionView(API):
    """A question to entrants."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Ask entrants a question no more",
        description="Answers to it are kept, and its wording with them. For the organiser.",
        request=None,
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        registration_question_remove(tournament=own_tournament(request, slug), number=number)
        return Response(status=status.HTTP_204_NO_CONTENT)


class AnswersView(Listing):
    """What entrants have answered, for the organiser and arbiters."""

    serializer_class = AnswersLineSerializer
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> QuerySet[Entry]:
        self.tournament = ruled_tournament(self.request, self.kwargs["slug"])
        return entries_to_answer(self.tournament)

    def lines(self, page: list[Any]) -> list[Any]:
        questions = questions_of(self.tournament)
        return [answers_line(entry, questions) for entry in page]


class EntryAnswersView(Item):
    """What I have answered for a bot of mine."""

    serializer_class = EntryAnswersSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    write_scope = "upload"

    @cached_property
    def entry(self) -> Entry:
        return own_entry_or_404(self.request, self.kwargs["slug"], bot__slug=self.kwargs["bot"])

    def get_object(self) -> EntryAnswers:
        return own_answers(self.entry, self.request.user.pk) or EntryAnswers(entry=self.entry)

    @extend_schema(
        summary="Correct my answers",
        description="As long as entries are open. 400 `answers`: a required answer is missing, or one is not valid.",
        request=EntryAnswersSerializer,
        responses={200: EntryAnswersSerializer, **ERRORS},
    )
    def put(self, request: Request, slug: str, bot: str) -> Response:
        entry = self.entry
        sent = EntryAnswersSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        by = cast(AbstractUser, request.user)
        registration_answers_set(entry=entry, answers=sent.validated_data["answers"], by=by)
        return Response(EntryAnswersSerializer(own_answers(entry, by.pk)).data)


class EntryCategoryView(API):
    """The category of a bot in a tournament."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Put a bot into a category",
        description="Until the tournament is over; empty: into none. For the organiser.",
        request=EntryCategorySerializer,
        responses={200: EntryCategorySerializer, **ERRORS},
    )
    def put(self, request: Request, slug: str, bot: str) -> Response:
        entry = get_object_or_404(own_tournament(request, slug).entries, bot__slug=bot)
        sent = EntryCategorySerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        entry_category_set(entry=entry, **sent.validated_data)
        return Response(sent.data)
