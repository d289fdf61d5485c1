"""A bot's results in the API for everyone, its faults for its author."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from bots.selectors import bots_public
from matches.bot_history.bundles import bundle_response
from matches.bot_history.logs import GameOutput, GameRef, VersionTimings, bots_read_by, games_found, outputs, timings_of
from matches.bot_history.selectors import (
    MatchFailure,
    MatchRow,
    bot_faults,
    bot_match_rows,
    bot_matches_of,
    failures,
    match_reader_of,
)
from matches.bot_history.serializers import (
    FailureQuery,
    FailureSerializer,
    OutputQuery,
    OutputSerializer,
    ResultQuery,
    ResultSerializer,
    TimingsQuery,
    TimingsSerializer,
)
from matches.check_games.views import check_failure_response
from matches.models import Fault, Seat
from teams.selectors import owners_of
from web.api_errors import problems
from web.api_view import API, Cursors, HeavyCursors, HeavyPages, Listing
from web.page_cache import NOW_SECONDS


class CursorsByMatch(Cursors):
    """The newest match first; a bot may have two seats in one."""

    ordering = ("-match_id", "-pk")


class ResultsView(Listing):
    """The finished matches of a bot that everyone may look at, newest first; for its author also those that only the
    authors may.
    """

    strangers_share = NOW_SECONDS
    serializer_class = ResultSerializer
    pagination_class = CursorsByMatch
    query = ResultQuery

    def get_queryset(self) -> QuerySet[Seat]:
        bot = get_object_or_404(bots_public(), slug=self.kwargs["slug"])
        return bot_matches_of(bot, match_reader_of(self.request.user, bot), **self.asked)

    def lines(self, page: list[Any]) -> list[MatchRow]:
        return bot_match_rows(page)


class FailuresView(Listing):
    """The faults of my bot in matches, newest first, with what was kept of them: for its author alone."""

    serializer_class = FailureSerializer
    pagination_class = HeavyCursors
    permission_classes = (IsAuthenticated,)
    query = FailureQuery

    def get_queryset(self) -> QuerySet[Fault]:
        bot = get_object_or_404(bots_public(), slug=self.kwargs["slug"], owner__in=owners_of(self.request.user))
        return bot_faults(bot, **self.asked)

    def lines(self, page: list[Any]) -> list[MatchFailure]:
        return failures(page)


class FailureFileView(API):
    """A failure of my bot as the file that `peck replay` plays again up to there: every view, and the answers.

    The game counts from 0. 404 once it is no longer kept.
    """

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY, **problems(401, 403, 404)})
    def get(self, request: Request, slug: str, pk: int, index: int) -> HttpResponse:
        bot = get_object_or_404(bots_public(), slug=slug, owner__in=owners_of(request.user))
        return bundle_response(bot, pk, index)


class CheckFailureFileView(API):
    """The failure of a check of my bot as the file that `peck replay` plays again up to there: every view, and the
    answers. 404 once it is no longer kept, and where the version failed in no game."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY, **problems(401, 403, 404)})
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        bot = get_object_or_404(bots_public(), slug=slug, owner__in=owners_of(request.user))
        return check_failure_response(
            get_object_or_404(bot.versions.select_related("bot"), number=number), request.user
        )


class OutputPages(HeavyPages):
    """Each game is played again, to know which step each print belongs to."""

    page_size = 5


class OutputView(Listing):
    """What my bot printed in its games, newest matches first: for its author and staff alone.

    Games in which it printed nothing are left out, unless one match is requested. It is kept for a while and within
    bounds, and shown when the match is finished.
    """

    serializer_class = OutputSerializer
    pagination_class = OutputPages
    permission_classes = (IsAuthenticated,)
    query = OutputQuery

    def get_queryset(self) -> list[GameRef]:  # type: ignore[override]  # any sequence
        bot = get_object_or_404(bots_read_by(self.request.user), slug=self.kwargs["slug"])
        return games_found(bot, **self.asked)

    def lines(self, page: list[Any]) -> list[GameOutput]:
        return outputs(page, self.asked.get("text", ""))


class TimingsView(Listing):
    """How long my bot's actions took in its last matches, by version and limit: for its author and staff alone."""

    serializer_class = TimingsSerializer
    permission_classes = (IsAuthenticated,)
    query = TimingsQuery

    def get_queryset(self) -> list[VersionTimings]:  # type: ignore[override]  # any sequence
        bot = get_object_or_404(bots_read_by(self.request.user), slug=self.kwargs["slug"])
        return timings_of(bot, **self.asked)
