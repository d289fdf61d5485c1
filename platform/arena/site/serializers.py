"""Games as JSON: what one needs to know to write a bot, or to set a tournament up."""

from collections.abc import Mapping
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.catalogue import GAMES
from games.ruleset import Ruleset
from web.api_examples import GAME, RULESET, SITE, example_shown
from web.serializers import GAME_CHOICES, address

INDEX: Final[Mapping[str, str]] = {  # what is at which address, below that of the index
    **{
        name: f"{name}/"
        for name in (
            *("games", "bots", "leagues", "tournaments", "matches", "sparring", "hooks", "groups", "teams"),
            *("puzzles", "assignments", "series", "honours", "me"),
        )
    },
    "export": "me/export/",
    "notices": "notices/",
    "notice_channels": "notices/channels/",
    "following": "notices/following/",
    "devices": "notices/devices/",
    "organiser_request": "organiser-request/",
    "docs": "docs/",
    "schema": "schema/",
}


@example_shown(**{name: f"{SITE}/api/{path}" for name, path in INDEX.items()})
class IndexSerializer(serializers.Serializer[Any]):
    """The addresses that need no name or number, by what is there. What is one's own needs a token."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {name: serializers.URLField() for name in INDEX}

    def to_representation(self, instance: Any) -> dict[str, str]:
        index = self.context["request"].build_absolute_uri(reverse("api-index"))
        return {name: f"{index}{path}" for name, path in INDEX.items()}


@example_shown(
    ruleset=RULESET,
    title=GAMES[GAME].title,
    gist="Eight dice and a grill full of worms.",
    seats_least=2,
    seats_most=7,
    page=f"{SITE}/docs/rules/{GAME}/",
)
class GameSummarySerializer(serializers.Serializer[Any]):
    """A game; ``ruleset`` names it with the version of its rules."""

    name = serializers.ChoiceField(choices=GAME_CHOICES)
    ruleset = serializers.CharField(source="id")
    title = serializers.SerializerMethodField()
    gist = serializers.SerializerMethodField(help_text="What it is about, in a line.")
    seats_least = serializers.IntegerField(source="seats.start")
    seats_most = serializers.SerializerMethodField(help_text="Some numbers of seats need an option: see seats_with.")
    page = serializers.SerializerMethodField(help_text="Its rules, for people.")

    def get_title(self, ruleset: Ruleset) -> str:
        return _(ruleset.title)

    def get_gist(self, ruleset: Ruleset) -> str:
        return _(GAMES[ruleset.name].tagline)

    def get_seats_most(self, ruleset: Ruleset) -> int:
        return ruleset.seats.stop - 1

    def get_page(self, ruleset: Ruleset) -> str:
        return address(self, "docs-rules", ruleset.name)


@example_shown(
    name="steal",
    title="Stealing",
    help="Whether it may be declined.",
    default="optional",
    schema={"enum": ["optional", "mandatory"]},
)
class OptionSerializer(serializers.Serializer[Any]):
    """A choice of rules."""

    name = serializers.CharField()
    title = serializers.CharField()
    help = serializers.CharField()
    default = serializers.JSONField()
    schema = serializers.DictField(help_text="JSON schema of its values.")


@example_shown(seats=6, option="max_players", value=6)
class SeatsWithSerializer(serializers.Serializer[Any]):
    """So many seats need this option."""

    seats = serializers.IntegerField()
    option = serializers.CharField()
    value = serializers.JSONField()


@example_shown(
    versions=[RULESET],
    seats_with=[],
    view_schema={"type": "object"},
    actions=["take 1", "take W", "roll", "stop"],
)
class GameDetailSerializer(GameSummarySerializer):
    """A game with its options, what bots are shown, and what they may answer."""

    versions = serializers.SerializerMethodField(help_text="Every version that was played here, oldest first.")
    options = serializers.SerializerMethodField()
    seats_with = serializers.SerializerMethodField()
    view_schema = serializers.DictField(help_text="JSON schema of every view.")
    actions = serializers.SerializerMethodField(help_text="All of them under the default options, in a fixed order.")

    def get_versions(self, ruleset: Ruleset) -> list[str]:
        return [version.id for version in GAMES[ruleset.name].versions]

    @extend_schema_field(OptionSerializer(many=True))
    def get_options(self, ruleset: Ruleset) -> list[Mapping[str, Any]]:
        return [
            {"name": name, "title": _(one.label), "help": _(one.help), "default": one.default, "schema": one.schema()}
            for name, one in ruleset.options.items()
        ]

    @extend_schema_field(SeatsWithSerializer(many=True))
    def get_seats_with(self, ruleset: Ruleset) -> list[Mapping[str, Any]]:
        needs = ruleset.seats_with.items()
        return [{"seats": seats, "option": option, "value": value} for seats, (option, value) in needs]

    def get_actions(self, ruleset: Ruleset) -> list[str]:
        return list(ruleset.vocabulary(ruleset.validate(ruleset.seats.start, {})))
