"""Questions over the API."""

from functools import cached_property
from typing import Any, Final, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from announcements.models import Question
from announcements.questions import services
from announcements.questions.selectors import (
    answered_question,
    asked_subject,
    deletable_question,
    question_or_404,
    questions_seen,
)
from announcements.questions.serializers import AnswerSerializer, QuestionSerializer
from announcements.subjects import Subject, subject_or_404
from web.api_errors import problems
from web.api_view import Item, JSONBody, Listing

ERRORS: Final = problems(400, 401, 403, 404, 409, 429, 503)


class QuestionsView(Listing):
    """The questions about a tournament, a league or a group that I see.

    Open ones are first, then those answered last. Those who run it see all, others what is published and their own.
    """

    serializer_class: Any = QuestionSerializer
    parser_classes = (JSONBody,)
    write_scope = "upload"

    @cached_property
    def subject(self) -> Subject:
        return subject_or_404(cast(HttpRequest, self.request), self.kwargs["subject"], slug=self.kwargs["slug"])

    def get_queryset(self) -> QuerySet[Question]:
        return questions_seen(self.request.user, self.subject)

    def get_serializer_context(self) -> dict[str, Any]:
        shows = "subject" in self.kwargs and self.subject.may_write
        return {**super().get_serializer_context(), "shows_askers": shows}

    @extend_schema(
        summary="Ask the organisers",
        description="In private, by everybody who sees it but those who run it. 409 `limit`: too many are open, or were"
        " asked within a day.",
        request=QuestionSerializer,
        responses={201: QuestionSerializer, **ERRORS},
    )
    def post(self, request: Request, subject: str, slug: str) -> Response:
        found = asked_subject(cast(HttpRequest, request), subject, slug=slug)
        sent = self.get_serializer(data=request.data)
        sent.is_valid(raise_exception=True)
        asked = services.question_ask(subject=found, by=cast(AbstractUser, request.user), **sent.validated_data)
        headers = {"Location": reverse("api-announcements:question", args=[asked.pk])}
        return Response(self.get_serializer(asked).data, status=status.HTTP_201_CREATED, headers=headers)


class QuestionView(Item):
    """One question that I see."""

    serializer_class: Any = QuestionSerializer
    parser_classes = (JSONBody,)
    write_scope = "upload"

    @cached_property
    def _found(self) -> tuple[Question, Subject]:
        return question_or_404(cast(HttpRequest, self.request), self.kwargs["question_id"])

    def get_object(self) -> Question:
        return self._found[0]

    def get_serializer_context(self) -> dict[str, Any]:
        shows = "question_id" in self.kwargs and self._found[1].may_write
        return {**super().get_serializer_context(), "shows_askers": shows}

    @extend_schema(
        summary="Answer a question",
        description="By those who run it (scope `organise`). `edits` is as it was read; 409 `edited`: somebody else was"
        " faster. 409 `published`: a published answer would become private.",
        request=AnswerSerializer,
        responses={200: QuestionSerializer, **ERRORS},
    )
    def patch(self, request: Request, question_id: int) -> Response:
        self.scope_require("organise")
        one, subject = answered_question(cast(HttpRequest, request), question_id)
        sent = AnswerSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        by = cast(AbstractUser, request.user)
        answered = services.question_answer(question=one, subject=subject, by=by, **sent.validated_data)
        return Response(self.get_serializer(answered).data)

    @extend_schema(
        summary="Delete a question",
        description="By those who run it, and by who asked as long as it is open (409 `answered`). Notices about it are"
        " deleted too.",
        request=None,
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, question_id: int) -> Response:
        one, subject = deletable_question(cast(HttpRequest, request), question_id)
        services.question_delete(question=one, subject=subject)
        return Response(status=status.HTTP_204_NO_CONTENT)
