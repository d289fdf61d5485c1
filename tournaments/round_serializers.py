"""Rounds, their tables and byes as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bots.serializers import NamedBotSerializer
from matches.models import MatchState
from tournaments.selectors.rounds.fixtures import FixturePairing
from web.api_examples import example_shown
from web.api_view import Number, Pages, Query


class RoundQuery(Query):
    stage = Number(help_text="Of this stage alone.")


class RoundPageQuery(Query):
    page = Number(help_text=Pages.page_query_description)
    page_size = Number(help_text=Pages().page_size_query_description)


@example_shown(tables=6, finished=6, starts_at=None, premieres_at=None)
class RoundLineSerializer(serializers.Serializer[Any]):
    """A round; rounds are numbered through all stages."""

    number = serializers.IntegerField(source="round.number")
    stage = serializers.IntegerField(source="stage.number")
    tables = serializers.IntegerField()
    finished = serializers.IntegerField(help_text="Tables whose matches are finished.")
    starts_at = serializers.DateTimeField(
        source="round.starts_at", allow_null=True, help_text="When it begins by itself, if so planned."
    )
    started_at = serializers.DateTimeField(source="round.started_at", allow_null=True)
    premieres_at = serializers.DateTimeField(
        source="round.premieres_at",
        allow_null=True,
        help_text="When its matches are shown to everyone, if so announced.",
    )


@example_shown(seat=0, version=3, score=2.5, game_points=31, first=True)
class SittingSerializer(serializers.Serializer[Any]):
    """An entry at a table, with the result that counts."""

    seat = serializers.IntegerField(source="index")
    entry = serializers.IntegerField(source="entry.pk")
    bot = NamedBotSerializer(source="entry.bot")
    version = serializers.IntegerField(source="entry.version.number")
    score = serializers.FloatField(allow_null=True)
    game_points = serializers.IntegerField(allow_null=True)
    first = serializers.BooleanField(help_text="It has the best score of those that have not forfeited.")
    forfeited = serializers.BooleanField()


@example_shown(state="finished", counts=True, reasons=None)
class PairingSerializer(serializers.Serializer[Any]):
    """A table of a round. ``match`` is null while its page is not for the reader."""

    table = serializers.IntegerField()
    match = serializers.SerializerMethodField()
    state = serializers.ChoiceField(choices=MatchState.choices)
    counts = serializers.BooleanField(source="decided", help_text="In the standings.")
    void = serializers.BooleanField(help_text="By a ruling.")
    replaced = serializers.BooleanField(help_text="Its scores are those of a ruling.")
    seats = SittingSerializer(source="sittings", many=True)
    reasons = serializers.SerializerMethodField(help_text="Why these bots, where standings or a bracket decided it.")

    def get_match(self, pairing: FixturePairing) -> int | None:
        return pairing.match_id if pairing.match_id in self.context["readable"] else None

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_reasons(self, pairing: FixturePairing) -> dict[str, Any] | None:
        return pairing.reasons


@example_shown(version=3)
class ByeSerializer(serializers.Serializer[Any]):
    """An entry that found no table."""

    entry = serializers.IntegerField(source="entry.pk")
    bot = NamedBotSerializer(source="entry.bot")
    version = serializers.IntegerField(source="entry.version.number")
    points = serializers.IntegerField()


@example_shown(next=None)
class RoundSerializer(RoundLineSerializer):
    """A round with a page of its tables, in order, and of its byes."""

    pairings = PairingSerializer(many=True)
    byes = ByeSerializer(many=True)
    next = serializers.URLField(
        allow_null=True, help_text="The address of the page with the tables and byes after these; null on the last."
    )
