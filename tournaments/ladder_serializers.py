"""Serializers of cups of a league's ladder."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bots.serializers import NamedBotSerializer
from tournaments.models import LadderCup, NoCup, PassedOver, TournamentState, WeeklyCup
from tournaments.presets import PRESETS
from tournaments.selectors.pages.ladder_cups import CupShown, ladder_cup_passed_over
from web.api_examples import SITE, TIME, api_example_shown
from web.serializers import serializer_address


@api_example_shown(place=2)
class PlacedSerializer(serializers.Serializer[Any]):
    """A bot at its place on a ladder."""

    place = serializers.IntegerField(help_text="From 1.")
    bot = NamedBotSerializer()


class PassedOverSerializer(PlacedSerializer):
    """A bot that was not entered although its place is good enough."""

    reason = serializers.ChoiceField(choices=PassedOver.choices, source="why")


class LadderFieldSerializer(serializers.Serializer[Any]):
    """The bots that a cup would enter and pass over now."""

    taken = PlacedSerializer(many=True)
    passed_over = PassedOverSerializer(many=True)


@api_example_shown(league="yard", best=8)
class LadderSourceSerializer(serializers.ModelSerializer[LadderCup]):
    """The ladder whose best bots were entered in a cup."""

    league = serializers.CharField(source="season.league.slug", help_text="The slug of the league.")
    season = serializers.IntegerField(source="season.number")
    best = serializers.IntegerField(help_text="The number of bots to enter.")
    passed_over = serializers.SerializerMethodField(help_text="The bots that were not entered, and why.")

    class Meta:
        model = LadderCup
        fields = ("league", "season", "best", "passed_over")
        read_only_fields = fields

    @extend_schema_field(PassedOverSerializer(many=True))
    def get_passed_over(self, cup: LadderCup) -> Any:
        return PassedOverSerializer(ladder_cup_passed_over(cup), many=True, context=self.context).data


@api_example_shown(name="Sunday Cup", best=8, time_zone="Europe/Zurich", missed_at=None, missed_because="")
class WeeklyCupSerializer(serializers.ModelSerializer[WeeklyCup]):
    """The plan of a weekly cup of a season's ladder."""

    season = serializers.IntegerField(source="season.number")
    preset = serializers.ChoiceField(choices=[(one.code, one.code) for one in PRESETS])
    opens_at = serializers.DateTimeField(help_text="When the next cup is created and its bots are entered.")
    starts_at = serializers.DateTimeField(source="next_at", help_text="When the next cup starts.")
    made = serializers.IntegerField(help_text="The number of cups so far.")
    missed_at = serializers.DateTimeField(allow_null=True, help_text="The last week without a cup.")
    missed_because = serializers.ChoiceField(
        choices=[("", ""), *NoCup.choices], help_text="Why that week had no cup, or empty."
    )

    class Meta:
        model = WeeklyCup
        fields = (
            *("season", "name", "preset", "best", "time_zone", "opens_at", "starts_at", "made", "missed_at"),
            "missed_because",
        )
        read_only_fields = fields


@api_example_shown(slug="yard-cup", name="Yard Cup", best=8, first_round_at=TIME, page=f"{SITE}/tournaments/yard-cup/")
class LadderCupSerializer(serializers.Serializer[CupShown]):
    """A cup of a league's ladder; `tournaments/SLUG/` has all its data."""

    slug = serializers.CharField(source="tournament.slug")
    name = serializers.CharField(source="tournament.name")
    state = serializers.ChoiceField(choices=TournamentState.choices, source="tournament.state")
    season = serializers.IntegerField(source="cup.season.number")
    best = serializers.IntegerField(source="cup.best", help_text="The number of bots to enter.")
    first_round_at = serializers.DateTimeField(source="tournament.first_round_at", allow_null=True)
    winners = NamedBotSerializer(many=True, help_text="Several if they share the first place; none before the end.")
    page = serializers.SerializerMethodField(help_text="The page on the site.")

    def get_page(self, one: CupShown) -> str:
        return serializer_address(self, "tournaments:detail", one.tournament.slug)
