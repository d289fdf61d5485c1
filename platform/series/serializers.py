"""Series, their tournaments and their tables as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from contests.audience import ContestAudience
from contests.audience_form import AUDIENCE_HELP, GROUP_HELP
from series.models import EVENTS_MOST, SeriesScoring, TournamentSeries
from series.selectors.table import EntrantRow
from tournaments.models import Tournament, TournamentState
from web.api_examples import GAME, SITE, api_example_shown, serializer_example
from web.api_view import OneOf
from web.serializers import GAME_CHOICES, serializer_address

BEST_HELP = "How many results of each author count; 0: all."
POINTS_HELP = "For the places from 1 on; those after get none. Only where `scoring` is `places`."


@api_example_shown(
    slug="winter",
    name="Winter series",
    description="",
    game=GAME,
    organiser="grace",
    group=None,
    audience="public",
    place_points=[10, 6, 3, 1],
    ended_at=None,
    page=f"{SITE}/series/winter/",
)
class SeriesSerializer(serializers.ModelSerializer[TournamentSeries]):
    """A series. `slug` identifies it in addresses."""

    game = serializers.ChoiceField(choices=GAME_CHOICES)
    organiser = serializers.CharField(source="organiser.username")
    audience = serializers.ChoiceField(choices=ContestAudience.choices, help_text=AUDIENCE_HELP)
    group = serializers.SlugField(source="group.slug", default=None, allow_null=True, help_text=GROUP_HELP)
    scoring = serializers.ChoiceField(choices=SeriesScoring.choices)
    place_points = serializers.ListField(child=serializers.IntegerField(), help_text=POINTS_HELP)
    best = serializers.IntegerField(help_text=BEST_HELP)
    page = serializers.SerializerMethodField(help_text="The page of the series, for people.")

    class Meta:
        model = TournamentSeries
        fields = (
            *("slug", "name", "description", "game", "organiser", "audience", "group", "scoring", "place_points"),
            *("best", "created_at", "ended_at", "page"),
        )
        read_only_fields = fields

    def get_page(self, series: TournamentSeries) -> str:
        return serializer_address(self, "series:detail", series.slug)


@api_example_shown(group="class-7b")
@serializer_example(
    description="Every Friday.", scoring="places", place_points=[10, 6, 3, 1], best=8, audience="public"
)
class SeriesChangeSerializer(serializers.Serializer[Any]):
    """The fields of a series that can be changed. Fields that are not sent keep their values."""

    name = serializers.CharField(max_length=80, required=False)
    description = serializers.CharField(max_length=2000, required=False, allow_blank=True)
    scoring = serializers.ChoiceField(choices=SeriesScoring.choices, required=False)
    place_points = serializers.ListField(child=serializers.IntegerField(), required=False, help_text=POINTS_HELP)
    best = serializers.IntegerField(min_value=0, max_value=EVENTS_MOST, required=False, help_text=BEST_HELP)
    audience = serializers.ChoiceField(choices=ContestAudience.choices, required=False, help_text=AUDIENCE_HELP)
    group = serializers.SlugField(required=False, allow_null=True, help_text=GROUP_HELP)


@serializer_example(name="Winter series", game=GAME)
class NewSeriesSerializer(SeriesChangeSerializer):
    """A new series. Fields that are not sent get the defaults of the form."""

    name = serializers.CharField(max_length=80)
    game = OneOf(choices=GAME_CHOICES)


@api_example_shown(slug="harvest-cup", name="Harvest Cup", state="finished")
class SeriesEventSerializer(serializers.ModelSerializer[Tournament]):
    """A tournament of a series."""

    state = serializers.ChoiceField(choices=TournamentState.choices)
    counts = serializers.SerializerMethodField(help_text="It is over, its results are shown, and it is in the table.")

    class Meta:
        model = Tournament
        fields = ("slug", "name", "state", "first_round_at", "finished_at", "counts")
        read_only_fields = fields

    def get_counts(self, tournament: Tournament) -> bool:
        return tournament.pk in self.context.get("over", ())


@serializer_example(tournament="harvest-cup")
class EventAddSerializer(serializers.Serializer[Any]):
    """The tournament to add. It must have the same organiser."""

    tournament = serializers.SlugField()


@api_example_shown(tournament="harvest-cup", bot="fat-crow", place=1, points=10.0, counts=True, disqualified=False)
class SeriesResultSerializer(serializers.Serializer[Any]):
    """The result of an entrant in a tournament."""

    tournament = serializers.CharField()
    bot = serializers.CharField(help_text="The best of the entrant's bots there.")
    place = serializers.IntegerField()
    points = serializers.FloatField()
    counts = serializers.BooleanField(help_text="Its points are in the total.")
    disqualified = serializers.BooleanField()


@api_example_shown(place=1, author="ada", bot=None, total=26.0)
class SeriesRowSerializer(serializers.Serializer[EntrantRow]):
    """A row of the table."""

    place = serializers.IntegerField(source="row.rank")
    author = serializers.SerializerMethodField(help_text="An author or a team; null for a bot that stands for itself.")
    bot = serializers.SerializerMethodField(help_text="A house bot, or one without an author, else null.")
    total = serializers.FloatField()
    results = serializers.SerializerMethodField()

    def get_author(self, row: EntrantRow) -> str | None:
        return None if row.entrant.is_bot else row.entrant.name

    def get_bot(self, row: EntrantRow) -> str | None:
        return row.entrant.slug if row.entrant.is_bot else None

    @extend_schema_field(SeriesResultSerializer(many=True))
    def get_results(self, row: EntrantRow) -> Any:
        found = [
            {
                "tournament": event.slug,
                "bot": bot.slug,
                "place": cell.score.rank,
                "points": cell.points,
                "counts": cell.counts,
                "disqualified": cell.score.disqualified,
            }
            for event, cell, bot in row.cells
            if cell is not None and bot is not None
        ]
        return SeriesResultSerializer(found, many=True).data
