"""Read-only API of matches and games. It shows what the match page shows, to the same people."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from bots.serializers import NamedBotSerializer
from matches.analysis.selectors import analysis_seats_adjusted
from matches.bot_history.logs import bot_logs_notes
from matches.models import Fault, Game, Match, MatchState, Seat
from matches.referee import StopReason
from matches.referee.scoring import scoring_seats_by_position
from matches.replay.records import match_record_download
from matches.replay.seat_decisions import StepNote
from matches.selectors import matches_with_seats
from matches.visibility import match_games_visible, matches_visible, matches_visible_to_everyone
from web.api_examples import DIGEST, RULESET, SITE, api_example_shown
from web.api_view import API, READ_ERRORS, Cursors, Item, Listing, OneOf, Query
from web.page_cache import NOW_SECONDS
from web.serializers import GAME_CHOICES, VERDICTS, GameFilter, serializer_address


@api_example_shown(seat=0, version=3, score=2.5, points=31, wins=2, faulty_games=0, slowest_ms=3.2)
class SeatSerializer(serializers.ModelSerializer[Seat]):
    """A seat of a match. The result is null until the match is finished."""

    seat = serializers.IntegerField(source="index", help_text="From 0, in the table order of the first game.")
    bot = NamedBotSerializer(source="version.bot")
    version = serializers.IntegerField(source="version.number")
    score = serializers.FloatField(
        allow_null=True, help_text="Sum of the shares of opponents beaten, 0 to the number of games."
    )
    points = serializers.IntegerField(allow_null=True, help_text="The game's own points, summed over the games.")
    wins = serializers.IntegerField(allow_null=True, help_text="Number of undivided first places.")
    faulty_games = serializers.IntegerField(help_text="Number of games in which the bot was at fault.")
    has_forfeited = serializers.BooleanField(
        help_text="The bot had too many faults: it lost to all that have not forfeited."
    )
    slowest_ms = serializers.FloatField(
        source="slowest_action_ms", allow_null=True, help_text="Processor time of the slowest action, in milliseconds."
    )

    class Meta:
        model = Seat
        fields = ("seat", "bot", "version", "score", "points", "wins", "faulty_games", "has_forfeited", "slowest_ms")


@api_example_shown(ruleset=RULESET, state="finished", blocks=2, blocks_played=2, page=f"{SITE}/matches/1/")
class MatchSerializer(serializers.ModelSerializer[Match]):
    """A match: a series of games between bot versions, each seed played in every rotation of the seats."""

    game = serializers.SerializerMethodField()
    state = serializers.ChoiceField(choices=MatchState.choices)
    blocks = serializers.IntegerField(help_text="Maximum number of seeds to play.")
    blocks_played = serializers.IntegerField(allow_null=True, help_text="Number of played seeds.")
    seats = SeatSerializer(many=True)
    page = serializers.SerializerMethodField(help_text="The match's page, for people.")

    class Meta:
        model = Match
        fields: tuple[str, ...] = (
            *("id", "game", "ruleset", "state", "created_at", "started_at", "finished_at"),
            *("blocks", "blocks_played", "seats", "page"),
        )
        read_only_fields: tuple[str, ...] = fields

    @extend_schema_field(serializers.ChoiceField(choices=GAME_CHOICES))
    def get_game(self, match: Match) -> str:
        return match.ruleset.partition("/")[0]

    def get_page(self, match: Match) -> str:
        return serializer_address(self, "matches:detail", match.pk)


@api_example_shown(share=0.53, half=0.04, raw=0.55, raw_half=0.07, luck=0.02, blocks=100)
class AdjustedSerializer(serializers.Serializer[Any]):
    """A luck-adjusted share of opponents beaten.

    It has the same expectation as the raw share, and a narrower interval. Ranks do not use it.
    """

    share = serializers.FloatField(help_text="Luck-adjusted share, 0 to 1.")
    half = serializers.FloatField(help_text="Half the width of its 95 % interval.")
    raw = serializers.FloatField(help_text="Share without adjustment.")
    raw_half = serializers.FloatField(help_text="Half the width of its 95 % interval.")
    luck = serializers.FloatField(help_text="Mean luck of a game, in shares.")
    blocks = serializers.IntegerField()


@api_example_shown(
    options={"steal": "optional"},
    limits={"act_cpu": 0.1, "act_wall": 1.0},
    stopping={},
    ending="",
    llr=None,
    duration_ms=1840,
    adjusted=[],
)
class MatchDetailSerializer(MatchSerializer):
    """A match with its settings and how it ended."""

    options = serializers.DictField(help_text="Options of the game, including defaults.")
    limits = serializers.DictField(child=serializers.FloatField(), help_text="Limits for bots, in seconds and bytes.")
    stopping = serializers.DictField(
        help_text="The stopping rule of a sequential series, with its effect and error; gsprt/3 also has a value,"
        " threshold/1 a threshold. Empty: a fixed number of blocks."
    )
    ending = serializers.ChoiceField(
        choices=[("", ""), *((one.value, one.value) for one in StopReason)],
        help_text="How a sequential series ended; undecided: there was no answer after the last block.",
    )
    llr = serializers.FloatField(
        allow_null=True,
        help_text="Log-likelihood ratio of a sequential series. gsprt/2 and 3: the leading seat is better. gsprt/1:"
        " seat 0 is better. threshold/1: the share of seat 0 is on its side of the threshold.",
    )

    duration_ms = serializers.IntegerField(source="took_ms", allow_null=True)
    adjusted = serializers.SerializerMethodField(
        help_text="Luck-adjusted shares by seat; empty with fewer than 20 blocks, or if a game is not analysed."
    )

    class Meta(MatchSerializer.Meta):
        fields = (
            *MatchSerializer.Meta.fields,
            *("options", "limits", "stopping", "ending", "llr", "attempt", "duration_ms", "adjusted"),
        )
        read_only_fields = fields

    @extend_schema_field(AdjustedSerializer(many=True))
    def get_adjusted(self, match: Match) -> list[dict[str, Any]]:
        return list(AdjustedSerializer(analysis_seats_adjusted(match), many=True).data)


class MatchQuery(Query):
    game = GameFilter()
    state = OneOf(choices=MatchState.choices, required=False, help_text="Only matches in this state.")
    bot = serializers.SlugField(required=False, help_text="Only matches of the bot with this slug.")


class BlameSerializer(serializers.ModelSerializer[Fault]):
    """The public part of a fault: the seat and the code of the fault."""

    seat = serializers.IntegerField(source="seat.index")
    verdict = serializers.ChoiceField(choices=VERDICTS)

    class Meta:
        model = Fault
        fields = ("seat", "verdict")


@api_example_shown(
    index=0,
    order=[0, 1],
    points=[9, 6],
    places=[1, 2],
    reason="grill_empty",
    tie_break="",
    faults=[],
    record=f"{SITE}/api/matches/1/games/0/record.json",
)
class GameSerializer(serializers.ModelSerializer[Game]):
    """A finished game. Points and places are by seat of the match; 1 is the best place."""

    order = serializers.SerializerMethodField(help_text="The seats of the match in the order of this game's table.")
    points = serializers.ListField(child=serializers.IntegerField())
    places = serializers.ListField(child=serializers.IntegerField())
    reason = serializers.CharField(help_text="Why the game ended, as a code of the game.")
    tie_break = serializers.CharField(help_text="What decided between equal points, as a code of the game; or empty.")
    faults = BlameSerializer(many=True)
    record = serializers.SerializerMethodField(help_text="Address of the record.")

    class Meta:
        model = Game
        fields = ("index", "order", "points", "places", "reason", "tie_break", "faults", "record")
        read_only_fields = fields

    def get_order(self, game: Game) -> list[int]:
        return list(scoring_seats_by_position(game.index, len(game.places)))

    def get_record(self, game: Game) -> str:
        return serializer_address(self, "api-matches:record", game.match_id, game.index)


@api_example_shown(seat=0, step=12, note="without a worm the turn fails", marks=["die W"], value=0.62)
class NoteSerializer(serializers.Serializer[Any]):
    """What a bot said of a move."""

    seat = serializers.IntegerField(help_text="Seat of the match.")
    step = serializers.IntegerField(help_text="The step of the replay that the move led to.")
    note = serializers.CharField(source="explanation.note", allow_blank=True)
    marks = serializers.ListField(source="explanation.marks", child=serializers.CharField())
    value = serializers.FloatField(
        source="explanation.value", allow_null=True, help_text="The share that the bot expected to win, 0 to 1."
    )


@api_example_shown(name="Rooster", version=3)
class RecordedBotSerializer(serializers.Serializer[Any]):
    """A bot at the table."""

    name = serializers.CharField()
    version = serializers.IntegerField()


class InterventionSerializer(serializers.Serializer[Any]):
    """A bot was removed, and a house bot played on in its seat."""

    at = serializers.IntegerField(help_text="Index of the first action that the house bot played.")
    seat = serializers.IntegerField(help_text="Position at the table.")
    cause = serializers.ChoiceField(choices=VERDICTS)


@api_example_shown(
    game=0,
    ruleset=RULESET,
    code=f"pecking-order 0.2.0 {DIGEST}",
    players=2,
    options={"steal": "optional"},
    seed=DIGEST,
    actions=["take W", "roll", "take 4", "stop"],
    interventions=[],
    digest=DIGEST,
)
class RecordSerializer(serializers.Serializer[Any]):
    """Everything that is needed to replay the game."""

    match = serializers.IntegerField()
    game = serializers.IntegerField()
    bots = RecordedBotSerializer(many=True, help_text="The bots in table order.")
    ruleset = serializers.CharField()
    code = serializers.CharField(
        allow_blank=True,
        help_text="Distribution, version and SHA-256 of the game's modules; empty for matches before 0.3.",
    )
    players = serializers.IntegerField()
    options = serializers.DictField()
    seed = serializers.CharField(help_text="The seed in hexadecimal.")
    actions = serializers.ListField(child=serializers.CharField())
    interventions = InterventionSerializer(many=True)
    digest = serializers.CharField(help_text="Digest of the record and the last state, in hexadecimal.")


class MatchesView(Listing):
    """The matches that everyone may look at, newest first."""

    public_max_age = NOW_SECONDS
    serializer_class = MatchSerializer
    pagination_class = Cursors
    query = MatchQuery

    def matches(self) -> QuerySet[Match]:
        """Return the matches that the query selects. Rooms above override it with other parameters."""
        return matches_visible_to_everyone()

    def get_queryset(self) -> QuerySet[Match]:
        chosen = dict(self.parameters)
        if bot := chosen.pop("bot", ""):
            chosen["pk__in"] = Seat.objects.filter(version__bot__slug=bot).values("match")
        return matches_with_seats(self.matches().filter(**chosen)).order_by("-pk")


class MatchView(Item):
    """A match, for those who may see it."""

    serializer_class = MatchDetailSerializer

    def get_object(self) -> Match:
        return get_object_or_404(matches_with_seats(matches_visible(self.request.user)), pk=self.kwargs["pk"])


class MatchGamesView(Listing):
    """The finished games of a match, in order.

    Everyone sees who was at fault, and the code of the fault. The bot's author reads details under its failures.
    """

    serializer_class = GameSerializer

    def get_queryset(self) -> QuerySet[Game]:
        match = get_object_or_404(matches_visible(self.request.user), pk=self.kwargs["pk"])
        blames = Fault.objects.select_related("seat").only("game", "verdict", "seat__index").order_by("seat__index")
        return match_games_visible(match).defer("record").prefetch_related(Prefetch("faults", blames))


class GameNotesView(Listing):
    """What the bots said of their moves in a finished game, in the order of the moves.

    I may read the notes of my own bots, and of bots with public notes. Staff and people who run the match may read all.
    """

    serializer_class = NoteSerializer

    def get_queryset(self) -> list[StepNote]:  # type: ignore[override]  # any sequence
        match = get_object_or_404(matches_visible(self.request.user), pk=self.kwargs["pk"])
        game = get_object_or_404(match_games_visible(match), index=self.kwargs["index"])
        return bot_logs_notes(self.request.user, match, game)


class GameRecordView(API):
    """The record of a finished game: everything that is needed to replay it."""

    @extend_schema(operation_id="matches_games_record_retrieve", responses={200: RecordSerializer, **READ_ERRORS})
    def get(self, request: Request, pk: int, index: int) -> HttpResponseBase:
        return match_record_download(request.user, pk, index, "json")


class GameRecordBytesView(API):
    """The record of a finished game as bytes, for `peck verify`."""

    @extend_schema(
        operation_id="matches_games_record_bytes_retrieve",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **READ_ERRORS},
    )
    def get(self, request: Request, pk: int, index: int) -> HttpResponseBase:
        return match_record_download(request.user, pk, index, "bin")
