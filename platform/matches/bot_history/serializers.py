"""Results and faults of a bot as JSON."""

from typing import Any

from rest_framework import serializers

from web.api_view import Number, Query
from web.serializers import VERDICTS


class ResultQuery(Query):
    version = Number(help_text="Of this version of the bot alone.")
    opponent = serializers.SlugField(required=False, help_text="Against this bot alone, by its slug.")


class OpponentSerializer(serializers.Serializer[Any]):
    """Another seat of the match."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    version = serializers.IntegerField()
    seat = serializers.IntegerField()


class ResultSerializer(serializers.Serializer[Any]):
    """A finished match as one of its seats saw it."""

    match = serializers.IntegerField()
    finished_at = serializers.DateTimeField()
    version = serializers.IntegerField()
    seat = serializers.IntegerField()
    games = serializers.IntegerField()
    share = serializers.FloatField(help_text="The part of opponents beaten, 0 to 1; a tie counts half.")
    mean_place = serializers.FloatField()
    faulty_games = serializers.IntegerField(source="faulty")
    opponents = OpponentSerializer(many=True)


class FailureQuery(Query):
    version = Number(help_text="Of this version of the bot alone.")
    match = Number(help_text="In this match alone.")


class SourceLineSerializer(serializers.Serializer[Any]):
    """A line of the bot's own source."""

    number = serializers.IntegerField()
    text = serializers.CharField()
    is_culprit = serializers.BooleanField()


class FailureSerializer(serializers.Serializer[Any]):
    """A fault in a match, with everything that was kept of it. Times are in seconds."""

    match = serializers.IntegerField()
    game = serializers.IntegerField(help_text="From 0.")
    action = serializers.IntegerField(help_text="How many actions of all players came before it.")
    version = serializers.IntegerField()
    finished_at = serializers.DateTimeField()
    verdict = serializers.ChoiceField(source="failure.verdict", choices=VERDICTS)
    title = serializers.CharField(source="failure.explanation.title", help_text="The verdict in a sentence.")
    advice = serializers.CharField(source="failure.explanation.advice", help_text="What to do about it.")
    exception = serializers.CharField(source="failure.exception")
    detail = serializers.CharField(source="failure.detail", help_text="The traceback, or what else there is to say.")
    line = serializers.IntegerField(source="failure.line", allow_null=True, help_text="Of bot.py.")
    excerpt = SourceLineSerializer(source="failure.excerpt", many=True, help_text="The lines around it.")
    view = serializers.JSONField(
        source="failure.view", allow_null=True, help_text="What the bot was given, for `peck replay`; null if nothing."
    )
    answer = serializers.CharField(source="failure.answer")
    output = serializers.CharField(source="failure.output", help_text="What the bot printed.")
    cpu = serializers.FloatField(source="failure.cpu", allow_null=True)
    wall = serializers.FloatField(source="failure.wall", allow_null=True)
    limit = serializers.FloatField(source="failure.limit", allow_null=True)
