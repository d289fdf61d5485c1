"""Bots and versions as JSON."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bots.models import Bot, BotVersion, VersionState
from games.rulesets import RULESETS


class BotSerializer(serializers.ModelSerializer[Bot]):
    """A bot; ``current`` is the number of the version that new matches use."""

    game = serializers.ChoiceField(source="ruleset", choices=list(RULESETS))
    current = serializers.IntegerField(source="current.number", read_only=True, allow_null=True, default=None)

    class Meta:
        model = Bot
        fields = ("slug", "name", "game", "blurb", "current", "created")
        read_only_fields = ("slug", "created")


class VersionSerializer(serializers.ModelSerializer[BotVersion]):
    """A version; its report and its file name are for the owner, and null for everyone else."""

    bot = serializers.SlugField(source="bot.slug", read_only=True)
    state = serializers.ChoiceField(choices=VersionState.choices, read_only=True)
    url = serializers.SerializerMethodField(help_text="Where to read the verdict.")
    page = serializers.SerializerMethodField(help_text="The same for people.")
    is_current = serializers.SerializerMethodField()
    filename = serializers.SerializerMethodField()
    report = serializers.SerializerMethodField()

    class Meta:
        model = BotVersion
        fields = (
            "bot",
            "number",
            "state",
            "is_current",
            "sha256",
            "size",
            "created",
            "checked",
            "filename",
            "report",
            "url",
            "page",
        )
        read_only_fields = fields

    def get_url(self, version: BotVersion) -> str:
        return self._address("api:version", version)

    def get_page(self, version: BotVersion) -> str:
        return self._address("bots:version", version)

    def get_is_current(self, version: BotVersion) -> bool:
        return version.bot.current_id == version.pk

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_filename(self, version: BotVersion) -> str | None:
        return version.filename if self._is_owner(version) else None

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_report(self, version: BotVersion) -> dict[str, Any] | None:
        return version.report if self._is_owner(version) else None

    def _address(self, name: str, version: BotVersion) -> str:
        path = reverse(name, args=[version.bot.slug, version.number])
        return str(self.context["request"].build_absolute_uri(path))

    def _is_owner(self, version: BotVersion) -> bool:
        return bool(self.context["request"].user.pk == version.bot.owner_id)


class UploadSerializer(serializers.Serializer[Any]):
    """One ``.py`` file, or a ``.zip`` with ``bot.py`` at its root."""

    file = serializers.FileField()
