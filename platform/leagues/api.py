"""Leagues in the API, shown to whom their pages are shown."""

from collections.abc import Sequence

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from contests.actions import ERRORS
from leagues.models import League, LeagueMatch, Season
from leagues.organising_api import NewLeagueSerializer, league_from_request
from leagues.selectors.ladder import LadderRow, ladder_paged
from leagues.selectors.pairs import NearCopy, PairRow, near_copies, pairs_of
from leagues.selectors.visible import leagues_listed
from leagues.serializers import (
    LadderQuery,
    LadderSerializer,
    LeagueDetailSerializer,
    LeagueQuery,
    LeagueSerializer,
    NearCopySerializer,
    PairSerializer,
    SeasonSerializer,
)
from leagues.views.lookups import league_or_404, own_league, season_or_404
from matches.models import Match
from matches.pages.api import MatchesView
from matches.visibility import matches_visible
from web.api_view import Item, Listing
from web.page_cache import NOW_SECONDS


class LeaguesView(Listing):
    """The leagues, newest first; drafts to their organiser alone."""

    strangers_share = NOW_SECONDS
    serializer_class = LeagueSerializer
    query = LeagueQuery

    def get_queryset(self) -> QuerySet[League]:
        return leagues_listed(self.request.user).filter(**self.asked)

    @extend_schema(
        summary="Create a league",
        description="A draft, which nobody else sees until it opens. For organisers.",
        request=NewLeagueSerializer,
        responses={201: LeagueDetailSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        return league_from_request(request)


class LeagueView(Item):
    """A league with its terms."""

    serializer_class = LeagueDetailSerializer

    def get_object(self) -> League:
        return league_or_404(self.request, self.kwargs["slug"])


class SeasonsView(Listing):
    """The seasons of a league, newest first."""

    serializer_class = SeasonSerializer

    def get_queryset(self) -> QuerySet[Season]:
        return league_or_404(self.request, self.kwargs["slug"]).seasons.order_by("-number")


class SeasonLadderView(Listing):
    """The ladder of a season as it stands or ended, division by division, the strongest first."""

    serializer_class = LadderSerializer
    query = LadderQuery

    def get_queryset(self) -> Sequence[LadderRow]:  # type: ignore[override]  # any sequence, see ``Listing``
        season = season_or_404(self.request, self.kwargs["slug"], self.kwargs["number"])
        return ladder_paged(season, **self.asked)


class SeasonPairsView(Listing):
    """Every two bots that met in a season, the farthest from what their ratings expect first; for the organiser."""

    serializer_class = PairSerializer

    def get_queryset(self) -> Sequence[PairRow]:  # type: ignore[override]  # any sequence, see ``Listing``
        own_league(self.request, self.kwargs["slug"])
        return pairs_of(season_or_404(self.request, self.kwargs["slug"], self.kwargs["number"])).rows


class NearCopiesView(Listing):
    """Bots of one author on a ladder whose programs hardly differ, the most alike first; for the organiser."""

    serializer_class = NearCopySerializer

    def get_queryset(self) -> Sequence[NearCopy]:  # type: ignore[override]  # any sequence, see ``Listing``
        own_league(self.request, self.kwargs["slug"])
        return near_copies(season_or_404(self.request, self.kwargs["slug"], self.kwargs["number"]))


class SeasonMatches(MatchesView):
    """The matches of a season that the reader may look at, newest first."""

    strangers_share = 0  # but for as long as other lists about it

    def matches(self) -> QuerySet[Match]:
        season = season_or_404(self.request, self.kwargs["slug"], self.kwargs["number"])
        chosen = LeagueMatch.objects.filter(season=season).values("match")  # a join would sort all of the season
        return matches_visible(self.request.user).filter(pk__in=chosen)
