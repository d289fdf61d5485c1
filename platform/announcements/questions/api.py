"""API views of questions."""

from functools import cached_property
from typing import Any, Final, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from announcements.models import QUESTION_MOST, TEXT_MOST, Question
from announcements.questions import services
from announcements.questions.selectors import (
    answered_question,
    deletable_question,
    question_or_404,
    question_subject,
    questions_seen,
)
from announcements.subjects import Subject, announcement_subject_or_404
from web.api_errors import api_error_descriptions
from web.api_examples import TIME, api_example_shown, serializer_example
from web.api_view import Item, JSONBody, Listing


@serializer_example(text="May a bot write files?")
@api_example_shown(
    id=1,
    answer="No. See the **rules**.",
    asker=None,
    is_mine=False,
    created_at=TIME,
    answered_at=TIME,
    published_at=TIME,
    edits=1,
)
class QuestionSerializer(serializers.ModelSerializer[Question]):
    """A question to the organisers of a tournament, a league, a series or a group. `answer` is Markdown."""

    text = serializers.CharField(max_length=QUESTION_MOST)
    asker = serializers.SerializerMethodField(help_text="Shown to organisers; null for others.")
    is_mine = serializers.SerializerMethodField()
    published_at = serializers.DateTimeField(
        read_only=True, allow_null=True, help_text="Since when it is public; null: private."
    )

    class Meta:
        model = Question
        fields = ("id", "text", "answer", "asker", "is_mine", "created_at", "answered_at", "published_at", "edits")
        read_only_fields = ("answer", "answered_at", "edits")

    def get_asker(self, question: Question) -> str | None:
        shows = self.context["shows_askers"] and question.asker is not None
        return question.asker.username if shows and question.asker else None

    def get_is_mine(self, question: Question) -> bool:
        reader = self.context["request"].user.pk
        return reader is not None and question.asker_id == reader


@serializer_example(answer="No. See the **rules**.", is_published=True, edits=0)
class AnswerSerializer(serializers.Serializer[Any]):
    """An answer, and the number of answers that the question had when it was read."""

    answer = serializers.CharField(max_length=TEXT_MOST)
    is_published = serializers.BooleanField(
        default=False, help_text="Show question and answer, without the asker's name, to everybody who sees the event."
    )
    edits = serializers.IntegerField(min_value=0, max_value=2**31 - 1)


ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 409, 429, 503)


class QuestionsView(Listing):
    """The questions about a tournament, a league, a series or a group that I may see.

    Open ones are first, then the last answered. Organisers see all questions, others the published ones and their own.
    """

    serializer_class: Any = QuestionSerializer
    parser_classes = (JSONBody,)
    write_scope = "upload"

    @cached_property
    def subject(self) -> Subject:
        return announcement_subject_or_404(
            cast(HttpRequest, self.request), self.kwargs["subject"], slug=self.kwargs["slug"]
        )

    def get_queryset(self) -> QuerySet[Question]:
        return questions_seen(self.request.user, self.subject)

    def get_serializer_context(self) -> dict[str, Any]:
        shows = "subject" in self.kwargs and self.subject.shows_askers
        return {**super().get_serializer_context(), "shows_askers": shows}

    @extend_schema(
        summary="Ask the organisers",
        description="Ask privately. For everybody who sees the event except its organisers. 409 `limit`: you have too"
        " many open questions, or asked too many within a day.",
        request=QuestionSerializer,
        responses={201: QuestionSerializer, **ERRORS},
    )
    def post(self, request: Request, subject: str, slug: str) -> Response:
        found = question_subject(cast(HttpRequest, request), subject, slug=slug)
        sent = self.get_serializer(data=request.data)
        sent.is_valid(raise_exception=True)
        asked = services.question_ask(subject=found, by=cast(AbstractUser, request.user), **sent.validated_data)
        headers = {"Location": reverse("api-announcements:question", args=[asked.pk])}
        return Response(self.get_serializer(asked).data, status=status.HTTP_201_CREATED, headers=headers)


class QuestionView(Item):
    """One question that I may see."""

    serializer_class: Any = QuestionSerializer
    parser_classes = (JSONBody,)
    write_scope = "upload"

    @cached_property
    def _found(self) -> tuple[Question, Subject]:
        return question_or_404(cast(HttpRequest, self.request), self.kwargs["question_id"])

    def get_object(self) -> Question:
        return self._found[0]

    def get_serializer_context(self) -> dict[str, Any]:
        shows = "question_id" in self.kwargs and self._found[1].shows_askers
        return {**super().get_serializer_context(), "shows_askers": shows}

    @extend_schema(
        summary="Answer a question",
        description="For organisers (scope `organise`). `edits` is the value that was read. 409 `edited`: somebody else"
        " has answered meanwhile. 409 `published`: a published answer would become private.",
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
        description="For organisers, and for the asker while it is open (409 `answered`). Notices about it are deleted"
        " too.",
        request=None,
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, question_id: int) -> Response:
        one, subject = deletable_question(cast(HttpRequest, request), question_id)
        services.question_delete(question=one, subject=subject)
        return Response(status=status.HTTP_204_NO_CONTENT)
