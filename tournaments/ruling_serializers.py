"""The log of rulings as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.models import RULING_CHOICES
from tournaments.selectors.rulings.ruling_log import LogLine
from web.api_examples import example_shown


class GivenScoreSerializer(serializers.Serializer[Any]):
    """What a ruling gave an entry."""

    entry = serializers.IntegerField()
    score = serializers.FloatField()


@example_shown(
    sentence="The match does not count.",
    reason="The wrong bots met.",
    by="grace",
    table=2,
    entry=None,
    scores=[],
    replayed_as=None,
    superseded=[],
    takes_back=None,
    holds=True,
)
class RulingSerializer(serializers.Serializer[Any]):
    """A decision of the organiser or an arbiter, about a match or about an entry."""

    number = serializers.IntegerField(source="ruling.number")
    kind = serializers.ChoiceField(source="ruling.kind", choices=RULING_CHOICES)
    sentence = serializers.CharField(help_text="What it says.")
    reason = serializers.CharField(source="ruling.reason")
    by = serializers.CharField(source="ruling.by.username")
    created_at = serializers.DateTimeField(source="ruling.created_at")
    match = serializers.IntegerField(source="ruling.match_id", allow_null=True)
    round = serializers.IntegerField(source="ruling.data.round", default=None, read_only=True, allow_null=True)
    table = serializers.IntegerField(source="ruling.data.table", default=None, read_only=True, allow_null=True)
    entry = serializers.IntegerField(source="ruling.entry_id", allow_null=True)
    scores = serializers.SerializerMethodField(help_text="Those that count instead of what was played.")
    replayed_as = serializers.IntegerField(source="new", allow_null=True, help_text="The match played in its place.")
    superseded = serializers.SerializerMethodField(help_text="Other matches that lost their place by it.")
    takes_back = serializers.IntegerField(
        source="ruling.names.number", default=None, read_only=True, allow_null=True, help_text="A ruling, by number."
    )
    holds = serializers.SerializerMethodField(help_text="No later ruling has taken it back.")

    @extend_schema_field(GivenScoreSerializer(many=True))
    def get_scores(self, line: LogLine) -> list[dict[str, float]]:
        return [{"entry": entry.pk, "score": score} for entry, score in line.scores]

    def get_holds(self, line: LogLine) -> bool:
        return not line.taken_back

    def get_superseded(self, line: LogLine) -> list[int]:
        return [one.match_id for one in line.superseded]
