"""Leagues, seasons and ladders as JSON."""

from typing import Any, Final

from rest_framework import serializers

from bots.authorship import AUTHORSHIP_HELP, AUTHORSHIPS
from bots.models import Bot
from bots.serializers import NamedBotSerializer
from contests.audience import ContestAudience
from contests.audience_form import AUDIENCE_HELP, GROUP_HELP
from leagues.models import League, LeagueState, Season, SeasonState
from leagues.models.league import DIVISIONS_MOST
from leagues.selectors.permissions import may_run_league
from leagues.selectors.seasons import current_season
from matches.datasets.rows import DatasetLicence
from web.api_examples import DIGEST, RULESET, SITE, api_example_shown, serializer_example
from web.api_view import OneOf, Query
from web.serializers import GAME_CHOICES, GameFilter, serializer_address

PAUSED_HELP: Final = (
    "Why the site paused it because of the code of its game, for those who may resume it; empty for others, and"
    " otherwise."
)

TEAM_SIZE_HELP: Final = "How many people a team that joins has at most; null: any number."
DIVISIONS_HELP: Final = "At most so many, formed when a season begins; 1: no divisions."
DIVISION_SIZE_HELP: Final = "Bots of a division; the lowest takes all others."
DIVISION_MOVES_HELP: Final = "How many bots go up and down at the end of a season, half a division at most."


class LadderQuery(Query):
    division = serializers.IntegerField(
        required=False, min_value=1, max_value=DIVISIONS_MOST, help_text="Only this division."
    )


class LeagueQuery(Query):
    game = GameFilter()
    state = OneOf(choices=LeagueState.choices, required=False, help_text="Only leagues in this state.")


@api_example_shown(
    slug="yard",
    name="Yard",
    state="open",
    ruleset=RULESET,
    organiser="grace",
    bots=12,
    audience="public",
    group=None,
    players_per_table=2,
    blocks=2,
    page=f"{SITE}/leagues/yard/",
)
class LeagueSerializer(serializers.ModelSerializer[League]):
    """A league. `slug` identifies it in addresses."""

    state = serializers.ChoiceField(choices=LeagueState.choices)
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    organiser = serializers.CharField(source="organiser.username")
    bots = serializers.IntegerField(source="bot_count", help_text="Current number of bots.")
    blocks = serializers.IntegerField(help_text="Seeds for each match.")
    audience = serializers.ChoiceField(choices=ContestAudience.choices, help_text=AUDIENCE_HELP)
    group = serializers.SlugField(source="group.slug", default=None, allow_null=True, help_text=GROUP_HELP)
    page = serializers.SerializerMethodField(help_text="The league's page, for people.")

    class Meta:
        model = League
        fields: tuple[str, ...] = (
            *("slug", "name", "state", "game", "ruleset", "organiser", "bots", "players_per_table", "blocks"),
            *("audience", "group", "created_at", "page"),
        )
        read_only_fields: tuple[str, ...] = fields

    def get_page(self, league: League) -> str:
        return serializer_address(self, "leagues:detail", league.slug)


@api_example_shown(
    description="All year round.",
    options={"steal": "optional"},
    limits={"act_cpu": 0.1, "act_wall": 1.0},
    team_size=None,
    season_days=30,
    divisions=3,
    division_size=10,
    division_moves=2,
    paused_because="",
)
class LeagueDetailSerializer(LeagueSerializer):
    """A league with its settings."""

    season = serializers.SerializerMethodField(help_text="The number of the running season, or of the last one.")
    options = serializers.DictField(help_text="Options of the game, including defaults.")
    limits = serializers.DictField(child=serializers.FloatField(), help_text="Limits for bots, in seconds and bytes.")
    team_size = serializers.IntegerField(allow_null=True, help_text=TEAM_SIZE_HELP)
    season_days = serializers.IntegerField(help_text="Days per season; 0: until the organiser ends it.")
    divisions = serializers.IntegerField(help_text=DIVISIONS_HELP)
    division_size = serializers.IntegerField(help_text=DIVISION_SIZE_HELP)
    division_moves = serializers.IntegerField(help_text=DIVISION_MOVES_HELP)
    enters_cups = serializers.BooleanField(
        help_text="The organiser may enter members in the league's cups; joining agrees to this."
    )

    paused_because = serializers.SerializerMethodField(help_text=PAUSED_HELP)

    class Meta(LeagueSerializer.Meta):
        fields = (
            *LeagueSerializer.Meta.fields,
            *("season", "description", "options", "limits", "bots_per_author", "season_days", "enters_cups"),
            *("team_size", "divisions", "division_size", "division_moves"),
            "paused_because",
        )
        read_only_fields = fields

    def get_paused_because(self, league: League) -> str:
        runs = league.is_stuck and may_run_league(self.context["request"].user, league)
        return league.paused_because if runs else ""

    def get_season(self, league: League) -> int | None:
        season = current_season(league)
        return season.number if season else None


@api_example_shown(
    finished_at=None,
    commitment=DIGEST,
    secret=None,
    divisions=3,
    division_size=10,
    division_moves=2,
    luck_value=f"{RULESET}-v1",
    less_luck_matches=380,
    dataset_licence="",
)
class SeasonSerializer(serializers.ModelSerializer[Season]):
    """A season of a league."""

    state = serializers.ChoiceField(choices=SeasonState.choices)
    ends_at = serializers.DateTimeField(allow_null=True, help_text="Planned end.")
    commitment = serializers.CharField(help_text="SHA-256 of the secret from which all luck is derived, hexadecimal.")
    secret = serializers.SerializerMethodField(help_text="Hexadecimal; null until the season has finished.")
    divisions = serializers.IntegerField(help_text="Number of divisions; 1: no divisions.")
    division_size = serializers.IntegerField(help_text="Bots in a division.")
    division_moves = serializers.IntegerField(help_text="Bots promoted and relegated at each border at the end.")
    luck_value = serializers.CharField(help_text="The announced value function for luck-adjusted ratings; or empty.")
    less_luck_matches = serializers.IntegerField(help_text="Number of matches that it has analysed.")
    dataset_licence = serializers.ChoiceField(
        choices=[("", ""), *DatasetLicence.choices],
        help_text="SPDX identifier for the data set at `export/dataset.zip`; empty if none is offered.",
    )

    class Meta:
        model = Season
        fields = (
            *("number", "state", "starts_at", "ends_at", "finished_at", "commitment", "secret"),
            *("divisions", "division_size", "division_moves", "luck_value", "less_luck_matches", "dataset_licence"),
        )
        read_only_fields = fields

    def get_secret(self, season: Season) -> str | None:
        return season.revealed or None


@api_example_shown(rating=1548.1, rating_low=1502.6, rating_high=1593.6)
class RatingLessLuckSerializer(serializers.Serializer[Any]):
    """A luck-adjusted rating."""

    rating = serializers.FloatField(source="points")
    rating_low = serializers.FloatField(
        source="floor", allow_null=True, help_text="Lower end of the 95 % interval; null if open."
    )
    rating_high = serializers.FloatField(
        source="ceiling", allow_null=True, help_text="Upper end of the 95 % interval; null if open."
    )


@api_example_shown(
    number=1,
    rank_high=2,
    version=3,
    authorship="agent",
    model="",
    rating=1562.4,
    rating_low=1531.0,
    rating_high=1593.8,
    matches=120,
    games=480,
    score=291.5,
    forfeits=0,
    faulty_games=0,
    slowest_ms=3.2,
    division=1,
    division_before=2,
)
class LadderSerializer(serializers.Serializer[Any]):
    """A place on the ladder. Before a bot has played, its number and rank are null, and its rating is the prior."""

    number = serializers.IntegerField(allow_null=True, help_text="Its number on the page of the ladder.")
    rank = serializers.IntegerField(
        allow_null=True, help_text="Rank in the division; bots that cannot be distinguished share a rank."
    )
    rank_low = serializers.IntegerField(allow_null=True, help_text="Lower end of the 95 % interval of the rank.")
    rank_high = serializers.IntegerField(allow_null=True, help_text="Upper end of the 95 % interval of the rank.")
    bot = NamedBotSerializer(source="entry.version.bot")
    version = serializers.IntegerField(source="entry.version.number")
    authorship = serializers.ChoiceField(
        source="entry.version.authorship", choices=AUTHORSHIPS, help_text=AUTHORSHIP_HELP
    )
    model = serializers.CharField(
        source="entry.version.model", help_text="The model that its author declared; may be empty."
    )
    rating = serializers.FloatField(source="points")
    rating_low = serializers.FloatField(source="low", help_text="Lower end of the 95 % interval.")
    rating_high = serializers.FloatField(source="high", help_text="Upper end of the 95 % interval.")
    is_provisional = serializers.BooleanField()
    is_benched = serializers.BooleanField(help_text="It forfeited too many matches and gets no more.")
    matches = serializers.IntegerField(source="played.matches")
    games = serializers.IntegerField(source="played.games")
    score = serializers.FloatField(source="played.score", help_text="Sum of the shares of opponents beaten.")
    forfeits = serializers.IntegerField(source="played.forfeits", help_text="Number of forfeited matches.")
    faulty_games = serializers.IntegerField(source="played.faulty_games")
    slowest_ms = serializers.FloatField(
        source="played.slowest_ms", allow_null=True, help_text="95th percentile over its matches of the slowest action."
    )
    division = serializers.IntegerField(
        source="entry.division", help_text="1 is the strongest. Bots of different divisions never meet."
    )
    division_before = serializers.IntegerField(
        source="entry.division_before",
        allow_null=True,
        help_text="Division in the season before, limited to current divisions; larger if the bot was promoted.",
    )
    less_luck = RatingLessLuckSerializer(
        allow_null=True,
        help_text="Luck-adjusted rating from `less_luck_matches` matches; it does not affect the order.",
    )


@serializer_example(bots=["rooster", "wise-owl"])
class HouseBotsSerializer(serializers.Serializer[Any]):
    """The house bots that join."""

    bots = serializers.SlugRelatedField(
        slug_field="slug",
        many=True,
        allow_empty=False,
        queryset=Bot.objects.filter(is_house=True),
        help_text="The slugs of house bots.",
    )


@api_example_shown(share=0.93)
class NearCopySerializer(serializers.Serializer[Any]):
    """Two bots of one author whose programs are nearly equal, apart from names."""

    one = NamedBotSerializer()
    other = NamedBotSerializer()
    share = serializers.FloatField(help_text="Estimated share of the programs that is equal, 0 to 1.")


@api_example_shown(games=40, expected=21.3, observed=25.0, z=1.2, p=1.0)
class PairSerializer(serializers.Serializer[Any]):
    """Two bots, over all their versions. `one` won more than expected by the ratings."""

    one = NamedBotSerializer()
    other = NamedBotSerializer()
    games = serializers.IntegerField(help_text="Games of the two; each counts once.")
    expected = serializers.FloatField(help_text="Games that `one` was expected to win; ties count half.")
    observed = serializers.FloatField(help_text="Games that `one` won.")
    z = serializers.FloatField(help_text="The difference in standard deviations.")
    p = serializers.FloatField(help_text="Probability of such a difference in any of as many honest pairs (Holm).")
    stands_out = serializers.BooleanField(help_text="p is below 0.05: a reason to look, not a proof.")
