"""Questions as JSON."""

from typing import Any

from rest_framework import serializers

from announcements.models import QUESTION_MOST, TEXT_MOST, Question
from web.api_examples import TIME, shown
from web.serializers import example


@example(text="May a bot write files?")
@shown(
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
    """A question to those who run a tournament, a league or a group. `answer` is Markdown."""

    text = serializers.CharField(max_length=QUESTION_MOST)
    asker = serializers.SerializerMethodField(help_text="For those who run it; null for all others.")
    is_mine = serializers.SerializerMethodField()
    published_at = serializers.DateTimeField(
        read_only=True, allow_null=True, help_text="Since when everybody who sees the event sees it; null: private."
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


@example(answer="No. See the **rules**.", is_published=True, edits=0)
class AnswerSerializer(serializers.Serializer[Any]):
    """An answer, and how often the question had been answered when it was read."""

    answer = serializers.CharField(max_length=TEXT_MOST)
    is_published = serializers.BooleanField(
        default=False, help_text="Question and answer are shown to everybody who sees the event, without a name."
    )
    edits = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
