"""Serializers of bots, versions and the results of their checks."""

from typing import Any, cast

from django.core.exceptions import ValidationError
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bots.authorship import AUTHORSHIP_HELP, AUTHORSHIPS, MODEL_MOST, authorship_check
from bots.models import MESSAGE_MOST, Bot, BotVersion, VersionState, validate_printable
from teams.selectors import acts_for_owner
from web.api_examples import DIGEST, GAME, SITE, api_example_shown, serializer_example
from web.api_view import OneOf
from web.serializers import GAME_CHOICES, serializer_address


@api_example_shown(slug="rooster", name="Rooster", author="ada")
class NamedBotSerializer(serializers.ModelSerializer[Bot]):
    """A bot in a list. Addresses contain its ``slug``."""

    author = serializers.CharField(source="author_name", read_only=True)

    class Meta:
        model = Bot
        fields = ("slug", "name", "author", "is_house")
        read_only_fields = fields


@serializer_example(name="Rooster", game=GAME, blurb="Stops early, steals often.")
@api_example_shown(
    slug="rooster",
    author="ada",
    organisers_may_enter=False,
    challenged_by="ask",
    notes_shown=False,
    current=3,
    page=f"{SITE}/bots/rooster/",
)
class BotSerializer(serializers.ModelSerializer[Bot]):
    """A bot; ``current`` is the number of the version that new matches use."""

    game = OneOf(choices=GAME_CHOICES)
    author = serializers.CharField(source="author_name", read_only=True)
    current = serializers.IntegerField(source="current.number", read_only=True, allow_null=True, default=None)
    page = serializers.SerializerMethodField(help_text="The bot's page, for people.")

    class Meta:
        model = Bot
        fields: tuple[str, ...] = (
            *("slug", "name", "author", "is_house", "game", "blurb", "organisers_may_enter", "challenged_by"),
            *("notes_shown", "current", "created_at", "page"),
        )
        read_only_fields = ("slug", "is_house", "organisers_may_enter", "challenged_by", "notes_shown", "created_at")

    def get_page(self, bot: Bot) -> str:
        return serializer_address(self, "bots:detail", bot.slug)


@serializer_example(name="Rooster", blurb="Stops early, steals often.", organisers_may_enter=True)
@serializer_example(name="Rooster", game=GAME, blurb="Stops early, steals often.", team="the-hens", group="class-10b")
class NewBotSerializer(BotSerializer):
    """A bot to be created, for oneself or a team, under one's name or an alias."""

    team = serializers.SlugField(
        max_length=40, required=False, write_only=True, help_text="The slug of a team of yours, whose bot it becomes."
    )

    group = serializers.SlugField(
        max_length=90,
        required=False,
        write_only=True,
        help_text="The slug of a group that uses aliases: `author` is yours there, for good, and the bot takes part in"
        " events of this group only.",
    )

    class Meta(BotSerializer.Meta):
        fields = (*BotSerializer.Meta.fields, "team", "group")


class BotChangeSerializer(serializers.ModelSerializer[Bot]):
    """The fields of a bot that its author may change."""

    class Meta:
        model = Bot
        fields = ("name", "blurb", "organisers_may_enter", "challenged_by", "notes_shown")


@api_example_shown(
    number=3,
    state="accepted",
    is_held=False,
    is_current=True,
    sha256=DIGEST,
    size=1840,
    message="stops at 24",
    authorship="agent",
    model="gpt-oss-120b",
    url=f"{SITE}/api/bots/rooster/versions/3/",
    page=f"{SITE}/bots/rooster/versions/3/",
)
class VersionLineSerializer(serializers.ModelSerializer[BotVersion]):
    """A version in a list."""

    state = serializers.ChoiceField(choices=VersionState.choices, read_only=True)
    is_held = serializers.BooleanField(
        read_only=True, help_text="Its checks failed through the platform again and again; staff look at it."
    )
    is_current = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField(help_text="Where to read the verdict.")
    page = serializers.SerializerMethodField(help_text="The same for people.")
    message = serializers.SerializerMethodField(help_text="What its author says changed; null for others.")
    authorship = serializers.ChoiceField(choices=AUTHORSHIPS, read_only=True, help_text=AUTHORSHIP_HELP)
    model = serializers.CharField(read_only=True, help_text="The model that its author names; may be empty.")

    class Meta:
        model = BotVersion
        fields: tuple[str, ...] = (
            "number",
            "state",
            "is_held",
            "is_current",
            "sha256",
            "size",
            "message",
            "authorship",
            "model",
            "created_at",
            "checked_at",
            "url",
            "page",
        )
        read_only_fields = fields

    def get_is_current(self, version: BotVersion) -> bool:
        return version.bot.current_id == version.pk

    def get_url(self, version: BotVersion) -> str:
        return serializer_address(self, "api:version", version.bot.slug, version.number)

    def get_page(self, version: BotVersion) -> str:
        return serializer_address(self, "bots:version", version.bot.slug, version.number)

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_message(self, version: BotVersion) -> str | None:
        return version.message if self._is_owner(version) else None

    def _is_owner(self, version: BotVersion) -> bool:
        # All versions of a list have the same bot
        known = cast(dict[str, dict[int, bool]], self.context).setdefault("is_owner", {})
        owner = version.bot.owner_id
        if owner not in known:
            known[owner] = acts_for_owner(self.context["request"].user, owner)
        return known[owner]


@api_example_shown(filename="bot.py")
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


class UploadSerializer(serializers.Serializer[Any]):
    """One ``.py`` file, or a ``.zip`` with ``bot.py`` at its root, what changed, and how it was written."""

    file = serializers.FileField()
    message = serializers.CharField(
        default="", allow_blank=True, max_length=MESSAGE_MOST, validators=[validate_printable]
    )
    authorship = OneOf(choices=AUTHORSHIPS, default="", allow_blank=True, help_text=AUTHORSHIP_HELP)
    model = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=MODEL_MOST,
        validators=[validate_printable],
        help_text="The model that wrote it or helped.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            authorship_check(attrs["authorship"], attrs["model"])
        except ValidationError as error:
            raise serializers.ValidationError(serializers.as_serializer_error(error)) from error
        return attrs
