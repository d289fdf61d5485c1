"""Serializers of tournaments, stages, entries, standings and ratings."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bots.serializers import NamedBotSerializer
from contests.audience import ContestAudience
from contests.audience_form import AUDIENCE_HELP, GROUP_HELP
from leagues.serializers import PAUSED_HELP, RatingLessLuckSerializer
from matches.datasets.rows import DatasetLicence
from matches.pages.api import AdjustedSerializer
from tournaments.actions import LuckSerializer
from tournaments.format_pages import format_stage_ended_early
from tournaments.ladder_serializers import LadderSourceSerializer
from tournaments.models import (
    CHOICE_LENGTH,
    Admission,
    CancelledBy,
    Entry,
    NewVersions,
    Publication,
    Stage,
    Tournament,
    TournamentState,
    Withdrawal,
)
from tournaments.models.stage import format_choices
from tournaments.selectors.entering.entry_rules import entry_places_left
from tournaments.selectors.entering.visible import may_rule_tournament
from tournaments.selectors.pages.proof_and_luck import LuckShown, proof_head_shown, tournament_lucks_shown
from tournaments.workload import workload_now
from web.api_examples import DIGEST, RULESET, SITE, api_example_shown
from web.api_view import Number, OneOf, Query
from web.serializers import GAME_CHOICES, GameFilter, serializer_address

CUP: Final = f"{SITE}/tournaments/harvest-cup/"


class TournamentQuery(Query):
    game = GameFilter()
    state = OneOf(choices=TournamentState.choices, required=False, help_text="Only tournaments in this state.")


@api_example_shown(
    slug="harvest-cup",
    name="Harvest Cup",
    state="running",
    ruleset=RULESET,
    organiser="grace",
    audience="public",
    group=None,
    page=CUP,
)
class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    """A tournament. ``slug`` identifies it in addresses."""

    state = serializers.ChoiceField(choices=TournamentState.choices)
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    organiser = serializers.CharField(source="organiser.username")
    entries = serializers.IntegerField(source="entry_count", help_text="Bots that take part.")
    publication = serializers.ChoiceField(
        choices=Publication.choices, help_text="Who may read rounds, standings and matches."
    )
    audience = serializers.ChoiceField(choices=ContestAudience.choices, help_text=AUDIENCE_HELP)
    group = serializers.SlugField(source="group.slug", default=None, allow_null=True, help_text=GROUP_HELP)
    first_round_at = serializers.DateTimeField(
        allow_null=True,
        help_text="When it starts automatically, and the earliest time of the first round; null: its organiser starts"
        " it.",
    )
    is_overdue = serializers.BooleanField(help_text="That time has passed, and it has not started.")
    page = serializers.SerializerMethodField(help_text="The page on the site.")

    class Meta:
        model = Tournament
        fields: tuple[str, ...] = (
            *("slug", "name", "state", "game", "ruleset", "organiser", "entries", "publication"),
            *("audience", "group", "created_at", "first_round_at", "is_overdue", "started_at", "finished_at", "page"),
        )
        read_only_fields: tuple[str, ...] = fields

    def get_page(self, tournament: Tournament) -> str:
        return serializer_address(self, "tournaments:detail", tournament.slug)


@api_example_shown(rounds=5, drawn=2, entrants=0, blocks=4, stopping={}, finished_at=None, ended_early="")
class StageSerializer(serializers.ModelSerializer[Stage]):
    """A stage: the rounds of one format."""

    format = serializers.ChoiceField(choices=format_choices())
    rounds = serializers.IntegerField(help_text="As announced; 0 if it follows from the number of entries.")
    drawn = serializers.IntegerField(help_text="Rounds drawn so far.")
    entrants = serializers.IntegerField(help_text="The number of bots that go on to it from the stage before; 0: all.")
    blocks = serializers.IntegerField(help_text="Blocks per match, at most.")

    ended_early = serializers.SerializerMethodField(help_text="Why it had fewer rounds than announced, or empty.")

    class Meta:
        model = Stage
        fields = (
            *("number", "format", "rounds", "drawn", "entrants", "players_per_table", "smallest_table", "blocks"),
            *("stopping", "has_third_place", "started_at", "finished_at", "ended_early"),
        )
        read_only_fields = fields

    def get_ended_early(self, stage: Stage) -> str:
        return format_stage_ended_early(stage)


@api_example_shown(number=31, digest=DIGEST)
class HeadSerializer(serializers.Serializer[Any]):
    """The last link of a tournament's chain."""

    number = serializers.IntegerField(help_text="The number of links.")
    digest = serializers.CharField(help_text="SHA-256 of the link, hexadecimal. It depends on all links before.")


@api_example_shown(
    team_size=None, new_versions="between_rounds", releases_sources=False, sources_released_at=None, dataset_licence=""
)
@api_example_shown(
    description="", tie_breaks=["buchholz", "lot"], luck_value="", commitment=DIGEST, secret=None, paused_because=""
)
@api_example_shown(cancelled_at=None, cancelled_by="", cancelled_reason="")
class TournamentDetailSerializer(TournamentSerializer):
    """A tournament with its announced settings."""

    admission = serializers.ChoiceField(choices=Admission.choices, help_text="Whose bots may enter.")
    takes_entries = serializers.BooleanField(help_text="Whether entries are open. See also `places_left`.")
    places_left = serializers.SerializerMethodField(help_text="How many more bots can enter; 0: it is full.")
    is_postponed = serializers.BooleanField(
        help_text="Too few bots had entered at its start time, and it has a new one."
    )
    options = serializers.DictField(help_text="The options of the game, including defaults.")
    limits = serializers.DictField(
        child=serializers.FloatField(), help_text="The limits for bots, in seconds and bytes."
    )
    tie_breaks = serializers.ListField(
        child=serializers.CharField(), help_text="Codes, in the order in which they apply."
    )
    stages = StageSerializer(many=True)
    luck_value = serializers.CharField(help_text="The announced value function for analyses of luck, or empty.")
    commitment = serializers.SerializerMethodField(
        help_text="SHA-256 of the first secret, hexadecimal; null before entries open."
    )
    secret = serializers.SerializerMethodField(
        help_text="The first secret, hexadecimal; null while it is in use, or if you may not see the results."
    )
    luck = serializers.SerializerMethodField(
        help_text="The sources of luck: one for the start, and one for each re-opening."
    )

    head = serializers.SerializerMethodField(
        help_text="The last link of the chain; null if there is none, or if you may not see the results. If you note"
        " it, you can tell later that no link up to it was changed."
    )
    worker_hours = serializers.SerializerMethodField(
        help_text="The expected hours of one worker; before the start, for the greatest number of bots."
    )

    team_size = serializers.IntegerField(
        allow_null=True, help_text="The greatest number of people in a team; null: no limit."
    )
    new_versions = serializers.ChoiceField(
        choices=NewVersions.choices,
        help_text="When a newer version of a bot replaces the version that plays.",
    )
    releases_sources = serializers.BooleanField(
        help_text="Whether the sources of the versions that played are released at the end to everyone who can see the"
        " tournament. Authors who enter a bot agree to this."
    )
    sources_released_at = serializers.DateTimeField(
        allow_null=True, help_text="Since when `sources/` is available; null before."
    )
    dataset_licence = serializers.ChoiceField(
        choices=[("", ""), *DatasetLicence.choices],
        help_text="The SPDX licence of the data set at `export/dataset.zip`; empty if none is offered.",
    )
    paused_because = serializers.SerializerMethodField(help_text=PAUSED_HELP)
    cancelled_at = serializers.DateTimeField(
        allow_null=True, help_text="null if it was not cancelled, or by an earlier release."
    )
    cancelled_by = serializers.ChoiceField(
        choices=[("", ""), *CancelledBy.choices], help_text="Empty where `cancelled_at` is null."
    )
    cancelled_reason = serializers.CharField(help_text="Why it was cancelled, or empty.")
    ladder = serializers.SerializerMethodField(help_text="The ladder of which it is a cup; null if there is none.")

    class Meta(TournamentSerializer.Meta):
        fields = (
            *TournamentSerializer.Meta.fields,
            *("description", "options", "limits", "tie_breaks", "entries_per_author", "entrants_most"),
            *("admission", "takes_entries", "places_left", "entries_close_at", "is_postponed", "worker_hours"),
            *("stages", "luck_value"),
            *("commitment", "secret", "luck", "head", "ladder", "paused_because"),
            *("cancelled_at", "cancelled_by", "cancelled_reason"),
            *("team_size", "new_versions", "releases_sources", "sources_released_at", "dataset_licence"),
        )
        read_only_fields = fields

    def get_places_left(self, tournament: Tournament) -> int:
        return entry_places_left(tournament)

    def get_paused_because(self, tournament: Tournament) -> str:
        rules = tournament.is_stuck and may_rule_tournament(self.context["request"].user, tournament)
        return tournament.paused_because if rules else ""

    def get_worker_hours(self, tournament: Tournament) -> float:
        return round(workload_now(tournament).usual, 3)

    def to_representation(self, instance: Tournament) -> Any:
        self._lucks: list[LuckShown] = tournament_lucks_shown(
            self.context["request"].user, instance
        )  # used by three fields
        return super().to_representation(instance)

    def get_commitment(self, tournament: Tournament) -> str | None:
        return self._lucks[0].commitment if self._lucks else None

    def get_secret(self, tournament: Tournament) -> str | None:
        return (self._lucks[0].secret or None) if self._lucks else None

    @extend_schema_field(HeadSerializer(allow_null=True))
    def get_head(self, tournament: Tournament) -> dict[str, Any] | None:
        head = proof_head_shown(self.context["request"].user, tournament)
        return {"number": head.number, "digest": head.digest} if head else None

    @extend_schema_field(LadderSourceSerializer(allow_null=True))
    def get_ladder(self, tournament: Tournament) -> dict[str, Any] | None:
        if not tournament.is_of_ladder:
            return None
        return dict(LadderSourceSerializer(tournament.ladder_cup, context=self.context).data)

    @extend_schema_field(LuckSerializer(many=True))
    def get_luck(self, tournament: Tournament) -> list[dict[str, Any]]:
        return list(LuckSerializer(self._lucks, many=True).data)


@api_example_shown(version=2, first_round=1, last_round=3)
class VersionSpanSerializer(serializers.Serializer[Any]):
    """A version with which a bot has played, and in which rounds."""

    version = serializers.IntegerField()
    first_round = serializers.IntegerField(source="first")
    last_round = serializers.IntegerField(source="last", allow_null=True, help_text="null while it plays on.")


@api_example_shown(version=3, ladder_place=None, withdrawn_because="", category="Hill School")
class EntrySerializer(serializers.ModelSerializer[Entry]):
    """A bot in a tournament. Its version is null until entries are frozen."""

    entry = serializers.IntegerField(source="pk")
    bot = NamedBotSerializer()
    version = serializers.IntegerField(source="version.number", allow_null=True, default=None, read_only=True)
    is_withdrawn = serializers.SerializerMethodField(
        help_text="Whether it is out, except by a disqualification that you may see."
    )
    is_disqualified = serializers.SerializerMethodField(help_text="Also false if you may not see the results.")
    ladder_place = serializers.IntegerField(
        allow_null=True, help_text="The place on the ladder from which it was entered, which determines its seed."
    )
    withdrawn_because = serializers.SerializerMethodField(
        help_text="Why the rules withdrew it; empty if they did not, or if you may not see the results."
    )

    category = serializers.CharField(help_text="One of the choices of the category question, or empty.")
    versions = serializers.SerializerMethodField(
        help_text="The versions with which it has played, if there are several. `version` plays now."
    )

    class Meta:
        model = Entry
        fields = (
            *("entry", "bot", "version", "ladder_place", "is_withdrawn", "is_disqualified", "withdrawn_because"),
            *("category", "versions", "created_at"),
        )
        read_only_fields = fields

    @extend_schema_field(VersionSpanSerializer(many=True))
    def get_versions(self, entry: Entry) -> list[dict[str, Any]]:
        return list(VersionSpanSerializer(self.context["versions"].get(entry.pk, ()), many=True).data)

    def get_is_withdrawn(self, entry: Entry) -> bool:
        return entry.is_withdrawn and not self.get_is_disqualified(entry)

    def get_is_disqualified(self, entry: Entry) -> bool:
        return entry.pk in self.context["disqualified"]

    @extend_schema_field(serializers.ChoiceField(choices=[("", ""), *Withdrawal.choices]))
    def get_withdrawn_because(self, entry: Entry) -> str:
        return entry.withdrawn_because if self.context["results_shown"] else ""


class StageQuery(Query):
    stage = Number(
        help_text="The number of the stage. Default: the one that began last, but not a play-off once the event is"
        " over."
    )
    category = serializers.CharField(
        required=False, max_length=CHOICE_LENGTH, help_text="Only the bots in this category."
    )


@api_example_shown(category="Lake School", category_rank=1)
@api_example_shown(
    played=2, points=2.0, byes=0, won=9, lost=6, games=16, tie_breaks={"buchholz": 2.5}, above_next_by="points"
)
class StandingSerializer(serializers.Serializer[Any]):
    """A row of the standings."""

    rank = serializers.IntegerField(source="row.rank")
    entry = serializers.IntegerField(source="row.entrant")
    bot = NamedBotSerializer(source="entry.bot")
    version = serializers.IntegerField(source="entry.version.number")
    category = serializers.CharField(source="entry.category", help_text="Empty: no category.")
    category_rank = serializers.IntegerField(
        source="category.rank", default=None, allow_null=True, read_only=True, help_text="The rank in its category."
    )
    points = serializers.FloatField(source="row.points")
    played = serializers.IntegerField(source="row.played", help_text="Matches.")
    byes = serializers.IntegerField(source="row.byes")
    won = serializers.IntegerField(source="row.won", help_text="Opponents beaten, over all matches.")
    drawn = serializers.IntegerField(source="row.drawn")
    lost = serializers.IntegerField(source="row.lost")
    game_points = serializers.IntegerField(source="row.game_points", help_text="The game's own points.")
    games = serializers.IntegerField(source="row.games")
    forfeited = serializers.IntegerField(source="row.forfeited", help_text="Games in which it was at fault.")
    tie_breaks = serializers.SerializerMethodField(
        help_text="The compared values by code; only those that were needed."
    )
    above_next_by = serializers.CharField(
        source="row.above_next_by", help_text='"points", the code of a tie-break, "disqualified", or empty.'
    )
    is_disqualified = serializers.BooleanField(source="row.disqualified")
    adjusted = AdjustedSerializer(
        allow_null=True,
        help_text="By all games of the tournament and its `luck_value`; null if it has none. It does not affect ranks.",
    )

    @extend_schema_field(
        {"type": "object", "additionalProperties": {"oneOf": [{"type": "number"}, {"type": "string"}]}}
    )
    def get_tie_breaks(self, standing: Any) -> dict[str, float | str]:
        return dict(standing.row.values)


@api_example_shown(
    rank_high=3, rating=1562.4, rating_low=1488.0, rating_high=1636.8, games=16, slowest_ms=3.2, adjusted=None
)
class RatingSerializer(serializers.Serializer[Any]):
    """The rating of a bot by all games of the tournament. It does not affect the standings."""

    rank = serializers.IntegerField(source="rated.rank.shared", help_text="Bots that cannot be told apart share it.")
    rank_low = serializers.IntegerField(
        source="rated.rank.low", help_text="With 95 % certainty, the rank is between `rank_low` and `rank_high`."
    )
    rank_high = serializers.IntegerField(source="rated.rank.high", help_text="See `rank_low`.")
    entry = serializers.IntegerField(source="entry.pk")
    bot = NamedBotSerializer(source="entry.bot")
    version = serializers.IntegerField(source="entry.version.number")
    rating = serializers.FloatField(source="rated.rating.points")
    rating_low = serializers.FloatField(
        source="rated.rating.floor",
        allow_null=True,
        help_text="The lower end of the 95 % interval; null if it is open.",
    )
    rating_high = serializers.FloatField(
        source="rated.rating.ceiling",
        allow_null=True,
        help_text="The upper end of the 95 % interval; null if it is open.",
    )
    is_provisional = serializers.SerializerMethodField()
    group = serializers.IntegerField(
        source="rated.group",
        help_text="Ratings can be compared only within a group, whose bots are connected by games.",
    )
    blocks = serializers.IntegerField(source="rated.rating.blocks")
    games = serializers.IntegerField(source="rated.rating.games")
    faulty_games = serializers.IntegerField(source="rated.faulty_games")
    slowest_ms = serializers.FloatField(source="rated.slowest_ms", allow_null=True)
    adjusted = AdjustedSerializer(
        allow_null=True,
        help_text="By the tournament's `luck_value`; null with fewer than 20 blocks, or if a game is not analysed.",
    )

    less_luck = RatingLessLuckSerializer(
        source="rated.less_luck",
        allow_null=True,
        help_text="The rating by the same games, adjusted for luck; null if a game is not analysed. It does not affect"
        " ranks.",
    )

    def get_is_provisional(self, line: Any) -> bool:
        return not line.rated.rating.settled
