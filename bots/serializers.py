"""Bots, versions, and what became of them, as JSON."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bots.models import Bot, BotVersion, VersionState
from games.protocol import Verdict
from web.api_view import Number, OneOf, Query
from web.serializers import GAMES, address

VERDICTS: Final = [(one.value, one.value) for one in Verdict]


class NamedBotSerializer(serializers.ModelSerializer[Bot]):
    """A bot as every list names it; ``slug`` is what addresses call it."""

    author = serializers.CharField(source="owner.username", read_only=True)

    class Meta:
        model = Bot
        fields = ("slug", "name", "author", "is_house")
        read_only_fields = fields


class BotSerializer(serializers.ModelSerializer[Bot]):
    """A bot; ``current`` is the number of the version that new matches use."""

    game = OneOf(source="ruleset", choices=GAMES)
    author = serializers.CharField(source="owner.username", read_only=True)
    current = serializers.IntegerField(source="current.number", read_only=True, allow_null=True, default=None)
    page = serializers.SerializerMethodField(help_text="The bot's page, for people.")

    class Meta:
        model = Bot
        fields = ("slug", "name", "author", "is_house", "game", "blurb", "current", "created", "page")
        read_only_fields = ("slug", "is_house", "created")

    def get_page(self, bot: Bot) -> str:
        return address(self, "bots:detail", bot.slug)


class VersionLineSerializer(serializers.ModelSerializer[BotVersion]):
    """A version in a list."""

    state = serializers.ChoiceField(choices=VersionState.choices, read_only=True)
    is_current = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField(help_text="Where to read the verdict.")
    page = serializers.SerializerMethodField(help_text="The same for people.")

    class Meta:
        model = BotVersion
        fields: tuple[str, ...] = (
            "number",
            "state",
            "is_current",
            "sha256",
            "size",
            "created",
            "checked",
            "url",
            "page",
        )
        read_only_fields = fields

    def get_is_current(self, version: BotVersion) -> bool:
        return version.bot.current_id == version.pk

    def get_url(self, version: BotVersion) -> str:
        return address(self, "api:version", version.bot.slug, version.number)

    def get_page(self, version: BotVersion) -> str:
        return address(self, "bots:version", version.bot.slug, version.number)


class VersionSerializer(VersionLineSerializer):
    """A version; its report and its file name are for the owner, and null for everyone else."""

    bot = NamedBotSerializer(read_only=True)
    filename = serializers.SerializerMethodField()
    report = serializers.SerializerMethodField()

    class Meta(VersionLineSerializer.Meta):
        fields = ("bot", *VersionLineSerializer.Meta.fields, "filename", "report")
        read_only_fields = fields

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_filename(self, version: BotVersion) -> str | None:
        return version.filename if self._is_owner(version) else None

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_report(self, version: BotVersion) -> dict[str, Any] | None:
        return version.report if self._is_owner(version) else None

    def _is_owner(self, version: BotVersion) -> bool:
        return bool(self.context["request"].user.pk == version.bot.owner_id)


class UploadSerializer(serializers.Serializer[Any]):
    """One ``.py`` file, or a ``.zip`` with ``bot.py`` at its root."""

    file = serializers.FileField()


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
    finished = serializers.DateTimeField()
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
    finished = serializers.DateTimeField()
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
