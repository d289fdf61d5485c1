"""API of a bot's matches: results and records for everyone, faults, output and timings for its author."""

from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from bots.selectors import bots_public
from contests.exports_api import JSON_LINES, PreparedExport
from matches.bot_history.costliest import DRILL_NAME, bot_costliest_drill_prepared
from matches.bot_history.decision_bundles import decision_bundle_of_failure_response
from matches.bot_history.logs import (
    GameOutput,
    GameRef,
    VersionTimings,
    bot_logs_games_found,
    bot_logs_outputs,
    bot_logs_readable_by,
    bot_logs_timings,
)
from matches.bot_history.selectors import (
    MatchFailure,
    MatchRow,
    Ruled,
    bot_failures,
    bot_history_faults,
    bot_history_reader,
    bot_match_rows,
    bot_matches_of,
)
from matches.check_games import check_game_failure_attached
from matches.models import Fault, Match, Seat
from matches.replay.records import RECORD_SHOWN, match_record_rows
from teams.selectors import team_owners_of
from web.api_errors import api_error_descriptions
from web.api_examples import RULESET, api_example_of_file, api_example_shown
from web.api_view import API, Cursors, HeavyCursors, HeavyPages, Listing, Number, Query
from web.downloads import download_limited, lines_response
from web.page_cache import NOW_SECONDS
from web.serializers import VERDICTS


class ResultQuery(Query):
    version = Number(help_text="Only this version of the bot.")
    opponent = serializers.SlugField(required=False, help_text="Only matches against the bot with this slug.")
    lost = serializers.BooleanField(
        required=False, help_text="Only matches in which the bot beat less than half of its opponents."
    )


@api_example_shown(slug="hen", name="Hen", version=2, seat=1)
class OpponentSerializer(serializers.Serializer[Any]):
    """Another seat of the match."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    version = serializers.IntegerField()
    seat = serializers.IntegerField()


@api_example_shown(version=3, seat=0, games=4, share=0.625, mean_place=1.38, faulty_games=0, ruling="", counts=True)
class ResultSerializer(serializers.Serializer[Any]):
    """A finished match from the point of view of one seat."""

    match = serializers.IntegerField()
    finished_at = serializers.DateTimeField()
    version = serializers.IntegerField()
    seat = serializers.IntegerField()
    games = serializers.IntegerField()
    share = serializers.FloatField(help_text="Share of opponents beaten, 0 to 1; ties count half.")
    mean_place = serializers.FloatField()
    faulty_games = serializers.IntegerField(source="faulty")
    ruling = serializers.ChoiceField(
        choices=["", *Ruled],
        help_text="The ruling of an arbiter on the match. If it gives other scores, share and mean_place follow from"
        " these.",
    )
    counts = serializers.BooleanField(help_text="False: by a ruling, the match counts for no bot.")
    opponents = OpponentSerializer(many=True)


class FailureQuery(Query):
    version = Number(help_text="Only this version of the bot.")
    match = Number(help_text="Only this match.")


@api_example_shown(number=7, text="    return best", is_culprit=True)
class SourceLineSerializer(serializers.Serializer[Any]):
    """A line of the bot's own source."""

    number = serializers.IntegerField()
    text = serializers.CharField()
    is_culprit = serializers.BooleanField()


@api_example_shown(
    game=0,
    action=12,
    version=3,
    verdict="crashed",
    title="The bot raised an exception.",
    advice="Play the action again with peck replay.",
    exception="NameError: name 'best' is not defined",
    detail="Traceback (most recent call last): …",
    line=7,
    view={"seat": 0, "actions": ["roll", "stop"]},
    answer="",
    output="",
    cpu=None,
    wall=None,
    limit=None,
)
class FailureSerializer(serializers.Serializer[Any]):
    """A fault of the bot in a match, with all details that are stored. Times are in seconds."""

    match = serializers.IntegerField()
    game = serializers.IntegerField(help_text="Index of the game in the match, from 0.")
    action = serializers.IntegerField(help_text="Number of earlier actions of all players.")
    version = serializers.IntegerField()
    finished_at = serializers.DateTimeField()
    verdict = serializers.ChoiceField(source="failure.verdict", choices=VERDICTS)
    title = serializers.CharField(source="failure.explanation.title", help_text="The verdict in a sentence.")
    advice = serializers.CharField(source="failure.explanation.advice", help_text="What to do about it.")
    exception = serializers.CharField(source="failure.exception")
    detail = serializers.CharField(source="failure.detail", help_text="The traceback or another description.")
    line = serializers.IntegerField(source="failure.line", allow_null=True, help_text="Line in bot.py.")
    excerpt = SourceLineSerializer(source="failure.excerpt", many=True, help_text="The lines around the faulty line.")
    view = serializers.JSONField(
        source="failure.view", allow_null=True, help_text="The view of the bot, for `peck replay`; null if it had none."
    )
    answer = serializers.CharField(source="failure.answer")
    output = serializers.CharField(source="failure.output", help_text="What the bot printed.")
    cpu = serializers.FloatField(source="failure.cpu", allow_null=True)
    wall = serializers.FloatField(source="failure.wall", allow_null=True)
    limit = serializers.FloatField(source="failure.limit", allow_null=True)


class OutputQuery(Query):
    version = Number(help_text="Only this version of the bot.")
    match = Number(help_text="Only this match.")
    text = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=100,
        trim_whitespace=False,
        help_text="Only output that contains this text, ignoring case.",
    )


@api_example_shown(action=12, step=13, text="stop at 24")
class PrintSerializer(serializers.Serializer[Any]):
    """What the bot printed during one action, or after the last one."""

    action = serializers.IntegerField(help_text="Number of earlier actions of all players.")
    step = serializers.IntegerField(allow_null=True, help_text="Step of the replay, as in addresses of the match.")
    text = serializers.CharField()


@api_example_shown(game=0, version=3, seat=0, actions=21, slowest_ms=3.2, slowest_at=12, limit_ms=100.0, cut=0)
class OutputSerializer(serializers.Serializer[Any]):
    """A game of the bot and what the bot printed in it."""

    match = serializers.IntegerField()
    game = serializers.IntegerField(help_text="Index of the game in the match, from 0.")
    version = serializers.IntegerField()
    seat = serializers.IntegerField()
    finished_at = serializers.DateTimeField()
    actions = serializers.IntegerField(help_text="Number of the bot's actions.")
    slowest_ms = serializers.FloatField(help_text="Processor time of its slowest action, in milliseconds.")
    slowest_at = serializers.IntegerField(help_text="Number of actions of all players before the slowest one.")
    limit_ms = serializers.FloatField(help_text="Limit for one action.")
    cut = serializers.IntegerField(help_text="Number of earlier characters that were dropped.")
    prints = PrintSerializer(many=True)


class TimingsQuery(Query):
    version = Number(help_text="Only this version of the bot.")


@api_example_shown(up_to_ms=4.0, actions=18)
class TimeBarSerializer(serializers.Serializer[Any]):
    """The number of actions that took at most `up_to_ms`, but longer than the previous bar.

    Each bar spans twice as many milliseconds as the previous one.
    """

    up_to_ms = serializers.FloatField()
    actions = serializers.IntegerField()
    holds_limit = serializers.BooleanField(help_text="Whether the time limit is in this bar.")


@api_example_shown(version=3, limit_ms=100.0, matches=2, actions=18, p50_ms=2.6, p99_ms=3.2, max_ms=3.2)
class TimingsSerializer(serializers.Serializer[Any]):
    """Processor time of a version's actions under one time limit, in milliseconds."""

    version = serializers.IntegerField()
    limit_ms = serializers.FloatField(help_text="Limit for one action.")
    matches = serializers.IntegerField()
    actions = serializers.IntegerField()
    p50_ms = serializers.FloatField(help_text="Median, exact within 5 %.")
    p99_ms = serializers.FloatField(help_text="99th percentile, exact within 5 %.")
    max_ms = serializers.FloatField()
    bars = TimeBarSerializer(many=True)


class CursorsByMatch(Cursors):
    """Newest match first. The second key is needed because a bot may have two seats in a match."""

    ordering = ("-match_id", "-pk")


class ResultsView(Listing):
    """The finished matches of a bot, newest first.

    Everyone sees public matches. The author also sees the matches that only authors may see.
    """

    public_max_age = NOW_SECONDS
    serializer_class = ResultSerializer
    pagination_class = CursorsByMatch
    query = ResultQuery

    def get_queryset(self) -> QuerySet[Seat]:
        bot = get_object_or_404(bots_public(), slug=self.kwargs["slug"])
        return bot_matches_of(bot, bot_history_reader(self.request.user, bot), **self.parameters)

    def lines(self, page: list[Any]) -> list[MatchRow]:
        return bot_match_rows(page)


class RecordsView(API):
    """The games of the bot's finished matches as JSON lines: each record in base 64, its seats and its result."""

    @extend_schema(
        responses={(200, JSON_LINES): OpenApiTypes.STR, **api_error_descriptions(401, 404, 429)},
        examples=api_example_of_file(JSON_LINES, RECORD_SHOWN),
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        return _records(request, slug)


@download_limited
def _records(request: Request, slug: str) -> HttpResponseBase:
    bot = get_object_or_404(bots_public(), slug=slug)
    played = Seat.objects.filter(bot_history_reader(request.user, bot).finished(), version__bot=bot)
    return lines_response(
        f"{slug}-records.jsonl", match_record_rows(Match.objects.filter(pk__in=played.values("match")))
    )


class FailuresView(Listing):
    """The faults of my bot in matches, newest first. Only the author may read them."""

    serializer_class = FailureSerializer
    pagination_class = HeavyCursors
    permission_classes = (IsAuthenticated,)
    query = FailureQuery

    def get_queryset(self) -> QuerySet[Fault]:
        bot = get_object_or_404(bots_public(), slug=self.kwargs["slug"], owner__in=team_owners_of(self.request.user))
        return bot_history_faults(bot, **self.parameters)

    def lines(self, page: list[Any]) -> list[MatchFailure]:
        return bot_failures(page)


class FailureFileView(API):
    """A failure of my bot as a file for `peck replay`: every view up to the failure, and the bot's answers.

    `index` is the number of the game, from 0. The response is 404 once the file is no longer stored.
    """

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY, **api_error_descriptions(401, 403, 404)})
    def get(self, request: Request, slug: str, pk: int, index: int) -> HttpResponse:
        bot = get_object_or_404(bots_public(), slug=slug, owner__in=team_owners_of(request.user))
        return decision_bundle_of_failure_response(bot, pk, index)


def _drill(request: HttpRequest, slug: str) -> HttpResponseBase:
    return bot_costliest_drill_prepared(request, get_object_or_404(bot_logs_readable_by(request.user), slug=slug))


DRILL_SHOWN: Final = (  # the first line of the file
    f'{{"format":1,"ruleset":"{RULESET}","value":"{RULESET}-v1","bot":"hen","games":40,"decisions":980,"lost":4100000000}}'
)
DRILL_FILE: Final = PreparedExport(
    DRILL_NAME,
    _drill,
    "bots_drill",
    "The positions of my bot's analysed games at which its decisions cost most, for `peck drill`",
    JSON_LINES,
    DRILL_SHOWN,
)


class CheckFailureFileView(API):
    """The failure of my bot in a check, as a file for `peck replay`: every view up to the failure, and the answers.

    The response is 404 once the file is no longer stored, or if the version did not fail in a game.
    """

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY, **api_error_descriptions(401, 403, 404)})
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        bot = get_object_or_404(bots_public(), slug=slug, owner__in=team_owners_of(request.user))
        return check_game_failure_attached(
            get_object_or_404(bot.versions.select_related("bot"), number=number), request.user
        )


class OutputPages(HeavyPages):
    """Small pages: each game is replayed to find the step of each print."""

    page_size = 5


class OutputView(Listing):
    """What my bot printed in its games, newest matches first. Only the author and staff may read it.

    Games in which the bot printed nothing are left out, unless a match is requested. Output appears when the match is
    finished. Long output is truncated, and all output is deleted after a while.
    """

    serializer_class = OutputSerializer
    pagination_class = OutputPages
    permission_classes = (IsAuthenticated,)
    query = OutputQuery

    def get_queryset(self) -> list[GameRef]:  # type: ignore[override]  # any sequence
        bot = get_object_or_404(bot_logs_readable_by(self.request.user), slug=self.kwargs["slug"])
        return bot_logs_games_found(bot, **self.parameters)

    def lines(self, page: list[Any]) -> list[GameOutput]:
        return bot_logs_outputs(page, self.parameters.get("text", ""))


class TimingsView(Listing):
    """Processor times of my bot's actions in its last matches, by version and limit.

    Only the author and staff may read them.
    """

    serializer_class = TimingsSerializer
    permission_classes = (IsAuthenticated,)
    query = TimingsQuery

    def get_queryset(self) -> list[VersionTimings]:  # type: ignore[override]  # any sequence
        bot = get_object_or_404(bot_logs_readable_by(self.request.user), slug=self.kwargs["slug"])
        return bot_logs_timings(bot, **self.parameters)
