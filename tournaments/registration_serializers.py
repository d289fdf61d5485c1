"""Questions to entrants and their answers as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bots.serializers import NamedBotSerializer
from tournaments.models import CHOICE_LENGTH, CHOICES_MOST, KEPT_MOST, RegistrationKind
from web.api_examples import TIME, example_shown
from web.serializers import example


@extend_schema_field({"type": "object", "additionalProperties": {"oneOf": [{"type": "string"}, {"type": "boolean"}]}})
class AnswersField(serializers.DictField):
    """Answers by the numbers of the questions: a text, one of the choices, or true to agree."""

    child = serializers.JSONField()

    def to_internal_value(self, data: Any) -> Any:
        answers = super().to_internal_value(data)
        if len(answers) > KEPT_MOST:
            raise serializers.ValidationError(f"There are {KEPT_MOST} questions at most.")
        return answers


@example(kind="choice", text="Which school are you from?", choices=["Hill School", "Lake School"], is_required=True)
@example_shown(number=1)
class RegistrationQuestionSerializer(serializers.Serializer[Any]):
    """A question to the entrants of a tournament."""

    number = serializers.IntegerField(read_only=True, help_text="By which answers name it.")
    kind = serializers.ChoiceField(choices=RegistrationKind.choices)
    text = serializers.CharField(max_length=1000)
    choices = serializers.ListField(
        child=serializers.CharField(max_length=1000),
        max_length=CHOICES_MOST,
        required=False,
        help_text="Of a choice or a category.",
    )
    is_required = serializers.BooleanField(default=True, help_text="Always true of a consent or a category.")

    def validate_kind(self, chosen: str) -> RegistrationKind:
        return RegistrationKind(chosen)


@example(answers={"1": "Hill School", "2": True})
@example_shown(answered_at=TIME)
class EntryAnswersSerializer(serializers.Serializer[Any]):
    """What I have answered for a bot of mine; all answers are sent again."""

    answers = AnswersField()
    answered_at = serializers.DateTimeField(read_only=True, allow_null=True, help_text="Null: not yet.")


@example(category="Hill School")
class EntryCategorySerializer(serializers.Serializer[Any]):
    """The category that a bot is ranked in."""

    category = serializers.CharField(max_length=CHOICE_LENGTH, allow_blank=True, help_text="Empty: in none.")


@example_shown(entry=1, answers={"1": "Hill School", "2": True}, answered_at=TIME)
class AnswersLineSerializer(serializers.Serializer[Any]):
    """What was answered for a bot."""

    entry = serializers.IntegerField(source="entry.pk")
    bot = NamedBotSerializer(source="entry.bot")
    is_withdrawn = serializers.BooleanField(source="entry.is_withdrawn")
    answers = AnswersField(help_text="Also to questions that are not asked any more; empty: none were given.")
    answered_at = serializers.DateTimeField(allow_null=True)
