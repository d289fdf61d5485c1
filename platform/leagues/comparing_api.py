"""API to compare the bots of a season: shares of games won by each pair, and two bots side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from rest_framework import serializers

from bots.serializers import NamedBotSerializer
from leagues.models.league import DIVISIONS_MOST
from leagues.selectors.comparing import (
    ComparedBot,
    MatrixRow,
    SeasonComparison,
    season_compared_bot,
    season_comparison_matrix_of,
    season_comparison_of,
)
from leagues.serializers import LadderSerializer
from leagues.views.lookups import season_or_404
from web.api_examples import api_example_shown
from web.api_view import Item, Listing, Query
from web.boards import Paged


class HeadToHeadQuery(Query):
    division = serializers.IntegerField(
        required=False, min_value=1, max_value=DIVISIONS_MOST, help_text="The division; by default the first."
    )


@api_example_shown(games=40, won=24.5, share=0.6125, low=0.49, high=0.72)
class PairShareSerializer(serializers.Serializer[Any]):
    """The share of games that a bot won of one or more others."""

    games = serializers.IntegerField(help_text="A game at a table of more than two counts once for each opponent.")
    won = serializers.FloatField(help_text="Ties half.")
    share = serializers.FloatField()
    low = serializers.FloatField(help_text="Lower end of the 95 % interval.")
    high = serializers.FloatField(help_text="Upper end of the 95 % interval.")


@api_example_shown(number=2)
class MatrixCellSerializer(serializers.Serializer[Any]):
    """One of the first bots of the ladder, and the share that the bot of the row won of it."""

    number = serializers.IntegerField(help_text="Its number on the page of the ladder.")
    bot = NamedBotSerializer()
    share = PairShareSerializer(allow_null=True, help_text="Null if they have not met, and for the bot itself.")


@api_example_shown(number=1)
class MatrixRowSerializer(serializers.Serializer[Any]):
    """A bot of a division, and the shares that it won of the division's first ten bots by rating."""

    number = serializers.IntegerField(help_text="Its number on the page of the ladder.")
    bot = NamedBotSerializer()
    total = PairShareSerializer(allow_null=True, help_text="Against all of these together; null if it has met none.")
    cells = MatrixCellSerializer(many=True)


@api_example_shown(lead=0.08)
class CommonOpponentSerializer(serializers.Serializer[Any]):
    """A bot that both compared bots have met."""

    bot = NamedBotSerializer()
    one = PairShareSerializer(help_text="The share that the first of the two won of it.")
    other = PairShareSerializer(help_text="The share that the second won of it.")
    lead = serializers.FloatField(help_text="The difference of the two shares.")


@api_example_shown(expected=0.54)
class ComparisonSerializer(serializers.Serializer[Any]):
    """Two bots of a season, compared by their newest 5000 matches. `one` or `other` is null if the bot left the
    ladder."""

    one = LadderSerializer(source="first.row", allow_null=True)
    other = LadderSerializer(source="second.row", allow_null=True)
    met = PairShareSerializer(
        source="found.met", allow_null=True, help_text="The share that `one` won of `other`; null if they have not met."
    )
    expected = serializers.FloatField(
        source="found.expected", allow_null=True, help_text="The share that `one` is expected to win, by their ratings."
    )
    common = CommonOpponentSerializer(source="found.common", many=True, help_text="Common opponents, most games first.")
    one_common = PairShareSerializer(
        source="found.one", allow_null=True, help_text="The share of `one` against all of these."
    )
    other_common = PairShareSerializer(
        source="found.other", allow_null=True, help_text="The share of `other` against all of these."
    )


class HeadToHeadView(Listing):
    """The share that each bot of a division won of its first ten bots by rating, in the season's newest 5000 matches.

    The shares are computed after a refit, so they may be some minutes old.
    """

    serializer_class = MatrixRowSerializer
    query = HeadToHeadQuery

    def get_queryset(self) -> Sequence[MatrixRow]:  # type: ignore[override]  # any sequence, see ``Listing``
        season = season_or_404(self.request, self.kwargs["slug"], self.kwargs["number"])
        matrix = season_comparison_matrix_of(season, **self.parameters)
        return Paged(matrix.order, matrix.rows)


@dataclass(frozen=True, slots=True)
class ComparedPair:
    first: ComparedBot
    second: ComparedBot
    found: SeasonComparison


class CompareView(Item):
    """Two bots of a season side by side: ratings, the share that one won of the other, and common opponents.

    Both are given by slug, and must be or have been on the ladder."""

    serializer_class = ComparisonSerializer

    def get_object(self) -> ComparedPair:
        season = season_or_404(self.request, self.kwargs["slug"], self.kwargs["number"])
        one, other = (season_compared_bot(season, self.kwargs[name]) for name in ("bot", "other"))
        if one.bot == other.bot:
            raise Http404
        return ComparedPair(one, other, season_comparison_of(season, one, other))
