"""A bot's results in the API for everyone, its faults for its author."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.permissions import IsAuthenticated

from bots.selectors import bots_public
from matches.bot_history.selectors import (
    MatchFailure,
    MatchRow,
    failures,
    faults_of,
    matches_of,
    rows,
)
from matches.bot_history.serializers import FailureQuery, FailureSerializer, ResultQuery, ResultSerializer
from matches.models import Fault, Seat
from web.api_view import HeavyPages, Listing


class ResultsView(Listing):
    """The finished matches of a bot that everyone may look at, newest first."""

    serializer_class = ResultSerializer
    query = ResultQuery

    def get_queryset(self) -> QuerySet[Seat]:
        bot = get_object_or_404(bots_public(), slug=self.kwargs["slug"])
        return matches_of(bot, **self.asked)

    def lines(self, page: list[Any]) -> list[MatchRow]:
        return rows(page)


class FailuresView(Listing):
    """The faults of my bot in matches, newest first, with what was kept of them: for its author alone."""

    serializer_class = FailureSerializer
    pagination_class = HeavyPages
    permission_classes = (IsAuthenticated,)
    query = FailureQuery

    def get_queryset(self) -> QuerySet[Fault]:
        bot = get_object_or_404(bots_public(), slug=self.kwargs["slug"], owner=self.request.user.pk)
        return faults_of(bot, **self.asked)

    def lines(self, page: list[Any]) -> list[MatchFailure]:
        return failures(page)
