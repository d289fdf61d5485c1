"""The API of honours: the winners of tournaments and league seasons."""

from collections.abc import Sequence
from typing import Any

from django.urls import path
from rest_framework import serializers

from bots.serializers import NamedBotSerializer
from tournaments.selectors.pages.honours import OF_SEASON, OF_TOURNAMENT, HonouredEvent, honours
from web.api_examples import SITE, TIME, api_example_shown
from web.api_view import Listing, Query
from web.page_cache import LIST_SECONDS
from web.serializers import GAME_CHOICES, GameFilter


class HonoursQuery(Query):
    game = GameFilter()


@api_example_shown(rank=1)
class HonourSerializer(serializers.Serializer[Any]):
    """A bot at one of the first three ranks."""

    rank = serializers.IntegerField(help_text="From 1 to 3. Tied bots share it.")
    bot = NamedBotSerializer()


@api_example_shown(
    kind="tournament", name="Harvest Cup", season=0, ended_at=TIME, page=f"{SITE}/tournaments/harvest-cup/"
)
class HonouredEventSerializer(serializers.Serializer[HonouredEvent]):
    """A tournament or a season of a league that is over, with its winners."""

    kind = serializers.ChoiceField(choices=[OF_TOURNAMENT, OF_SEASON])
    name = serializers.CharField()
    season = serializers.IntegerField(help_text="The number of the season; 0 for a tournament.")
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    ended_at = serializers.DateTimeField()
    podium = HonourSerializer(many=True)
    page = serializers.SerializerMethodField(help_text="The page on the site.")

    def get_page(self, event: HonouredEvent) -> str:
        return str(self.context["request"].build_absolute_uri(event.address))


class HonoursView(Listing):
    """The winners of tournaments and league seasons that are listed for everyone, the latest event first."""

    public_max_age = LIST_SECONDS
    serializer_class = HonouredEventSerializer
    query = HonoursQuery

    def get_queryset(self) -> Sequence[HonouredEvent]:  # type: ignore[override]
        return honours(self.parameters.get("ruleset__startswith", "").rstrip("/"))


app_name = "api-honours"
urlpatterns = [path("", HonoursView.as_view(), name="list")]
