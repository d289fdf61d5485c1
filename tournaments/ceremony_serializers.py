"""The ceremony of a tournament as JSON, and what its acts ask for."""

from typing import Any

from rest_framework import serializers

from bots.serializers import NamedBotSerializer
from tournaments.models.ceremony import PACE_MOST
from tournaments.services.ceremonies import PACE
from web.api_examples import TIME, example_shown
from web.serializers import example

BY_HAND = "Seconds from one rank to the next, at least 3; 0: by hand."


@example(planned_at="2027-01-30T19:00:00Z", pace=8)
class AnnouncedCeremonySerializer(serializers.Serializer[Any]):
    """When the ceremony begins by itself, and how fast it goes then."""

    planned_at = serializers.DateTimeField(allow_null=True, help_text="null: when the organiser starts it.")
    pace = serializers.IntegerField(min_value=0, max_value=PACE_MOST, default=PACE, help_text=BY_HAND)


@example(pace=0)
class StartSerializer(serializers.Serializer[Any]):
    """How fast the ceremony goes."""

    pace = serializers.IntegerField(
        min_value=0, max_value=PACE_MOST, required=False, help_text=f"{BY_HAND} Without it as announced, else by hand."
    )


@example(pace=8)
class PaceSerializer(serializers.Serializer[Any]):
    """How fast the ceremony goes on."""

    pace = serializers.IntegerField(min_value=0, max_value=PACE_MOST, help_text=BY_HAND)


@example(place=3)
class AdvanceSerializer(serializers.Serializer[Any]):
    """Which place is revealed."""

    place = serializers.IntegerField(min_value=1, help_text="As many as `left` says.")
    to = serializers.IntegerField(
        min_value=0, required=False, help_text="Also the places above it, down to this one, which stays sealed."
    )


@example_shown(points=4.5, won=4, drawn=1, lost=2, by_lot=False, is_out=False)
class RevealedBotSerializer(serializers.Serializer[Any]):
    """A bot whose rank was revealed."""

    bot = NamedBotSerializer(source="entry.bot")
    points = serializers.FloatField(allow_null=True, help_text="null in a knockout.")
    won = serializers.IntegerField(help_text="Opponents beaten, over all matches of its last stage.")
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    by_lot = serializers.BooleanField(help_text="Only the lot told it apart from another.")
    is_out = serializers.BooleanField(help_text="Disqualified.")


@example_shown(rank=5, is_shared=False)
class RevealedRankSerializer(serializers.Serializer[Any]):
    """A rank that was revealed."""

    rank = serializers.IntegerField()
    is_shared = serializers.BooleanField()
    bots = RevealedBotSerializer(many=True)


@example_shown(planned_at=None, pace=0, started_at=TIME, ended_at=None, left=4, below=0)
class CeremonySerializer(serializers.Serializer[Any]):
    """A ceremony as everyone is shown it."""

    planned_at = serializers.DateTimeField(source="ceremony.planned_at", allow_null=True)
    pace = serializers.IntegerField(source="ceremony.pace", help_text="Seconds from one rank to the next; 0: by hand.")
    started_at = serializers.DateTimeField(source="ceremony.started_at", allow_null=True)
    ended_at = serializers.DateTimeField(
        source="ceremony.ended_at", allow_null=True, help_text="From then on the results are for everyone."
    )
    left = serializers.IntegerField(
        source="ceremony.left", allow_null=True, help_text="How many bots are still to come; null before it starts."
    )
    ranks = RevealedRankSerializer(many=True, help_text="Those that were revealed last, the last one first.")
    below = serializers.IntegerField(help_text="How many bots stand below these.")
