"""The API of tournaments, and of their entries, standings, matches, ratings and rulings.

It answers readers who may see the pages of the tournament. It also creates tournaments, and enters and withdraws bots.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import ngettext
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from contests.actions import ERRORS
from luck.adjusted_mean import Adjusted
from matches.models import Match
from matches.pages.api import MatchesView
from matches.visibility import matches_visible
from teams.selectors import acts_for_owner
from tournaments.entering_api import EnteringSerializer, SignedInToWrite, tournament_api_enter
from tournaments.models import RULING_CHOICES, Entry, Stage, Tournament
from tournaments.selectors.entering.version_history import entry_version_spans
from tournaments.selectors.entering.visible import may_own_tournament, may_see_tournament_results, tournaments_listed
from tournaments.selectors.pages.cards import tournaments_with_counts
from tournaments.selectors.pages.tournament_page import tournament_entries_of
from tournaments.selectors.rulings.corrections import ruling_corrections_of
from tournaments.selectors.rulings.ruling_log import LogLine, ruling_log_of
from tournaments.selectors.standings.adjusted import adjusted_standings_of
from tournaments.selectors.standings.ranking import (
    entry_places_by_category,
    standings_rows_of_category,
    standings_snapshot,
)
from tournaments.selectors.standings.ratings import Rated, tournament_ratings_of
from tournaments.serializers import (
    EntrySerializer,
    RatingSerializer,
    StageQuery,
    StandingSerializer,
    TournamentDetailSerializer,
    TournamentQuery,
    TournamentSerializer,
)
from tournaments.services import entry_withdraw
from tournaments.settings_api import NewTournamentSerializer, settings_api_draft_create
from tournaments.standings import CategoryPlace, Row
from tournaments.views.lookups import shown_tournament, tournament_or_404, tournament_with_counts_or_404
from web.api_errors import Refused
from web.api_examples import api_example_shown
from web.api_view import API, Cursors, Item, JSONBody, Listing
from web.boards import Paged
from web.page_cache import NOW_SECONDS


class GivenScoreSerializer(serializers.Serializer[Any]):
    """The score that a ruling gave an entry."""

    entry = serializers.IntegerField()
    score = serializers.FloatField()


@api_example_shown(
    sentence="The match does not count.",
    reason="The wrong bots met.",
    by="grace",
    table=2,
    entry=None,
    scores=[],
    replayed_as=None,
    superseded=[],
    takes_back=None,
    holds=True,
)
class RulingSerializer(serializers.Serializer[Any]):
    """A ruling of the organiser or an arbiter, about a match, an entry, or neither."""

    number = serializers.IntegerField(source="ruling.number")
    kind = serializers.ChoiceField(source="ruling.kind", choices=RULING_CHOICES)
    sentence = serializers.CharField(help_text="The ruling in a sentence.")
    reason = serializers.CharField(source="ruling.reason")
    by = serializers.CharField(source="ruling.by.username")
    created_at = serializers.DateTimeField(source="ruling.created_at")
    match = serializers.IntegerField(source="ruling.match_id", allow_null=True)
    round = serializers.IntegerField(source="ruling.data.round", default=None, read_only=True, allow_null=True)
    table = serializers.IntegerField(source="ruling.data.table", default=None, read_only=True, allow_null=True)
    entry = serializers.IntegerField(source="ruling.entry_id", allow_null=True)
    scores = serializers.SerializerMethodField(help_text="The scores that replace the result.")
    replayed_as = serializers.IntegerField(source="new", allow_null=True, help_text="The match that is played instead.")
    superseded = serializers.SerializerMethodField(help_text="The other matches that it supersedes.")
    takes_back = serializers.IntegerField(
        source="ruling.names.number", default=None, read_only=True, allow_null=True, help_text="The number of a ruling."
    )
    holds = serializers.SerializerMethodField(help_text="Whether it is in effect.")

    @extend_schema_field(GivenScoreSerializer(many=True))
    def get_scores(self, line: LogLine) -> list[dict[str, float]]:
        return [{"entry": entry.pk, "score": score} for entry, score in line.scores]

    def get_holds(self, line: LogLine) -> bool:
        return not line.taken_back

    def get_superseded(self, line: LogLine) -> list[int]:
        return [one.match_id for one in line.superseded]


class TournamentsView(Listing):
    """The tournaments, newest first. Drafts are shown only to their organiser."""

    public_max_age = NOW_SECONDS
    permission_classes = (SignedInToWrite,)
    serializer_class = TournamentSerializer
    pagination_class = Cursors
    query = TournamentQuery

    def get_queryset(self) -> QuerySet[Tournament]:
        return tournaments_with_counts(tournaments_listed(self.request.user)).filter(**self.parameters)

    @extend_schema(
        summary="Create a tournament",
        description="Creates a draft, which nobody else sees until entries open. For organisers.",
        request=NewTournamentSerializer,
        responses={201: TournamentDetailSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        return tournament_api_created(request, settings_api_draft_create(request).slug)


def tournament_api_created(request: Request, slug: str) -> Response:
    """Return the response to a request that has created the tournament with this slug."""
    location = reverse("api-tournaments:detail", args=[slug])
    return Response(
        tournament_api_detail(request, slug), status=status.HTTP_201_CREATED, headers={"Location": location}
    )


def tournament_api_detail(request: Request, slug: str) -> Any:
    """Return the current data of the tournament with this slug, in the form of ``TournamentDetailSerializer``."""
    return TournamentDetailSerializer(tournament_with_counts_or_404(request, slug), context={"request": request}).data


class TournamentView(Item):
    """A tournament with its announced settings."""

    serializer_class = TournamentDetailSerializer

    def get_object(self) -> Tournament:
        return tournament_with_counts_or_404(self.request, self.kwargs["slug"])


class _OfEntries(API):
    """Base of the views of entries. They show more to readers who may see the results."""

    permission_classes = (SignedInToWrite,)

    @cached_property
    def tournament(self) -> Tournament:
        return tournament_or_404(self.request, self.kwargs["slug"])

    def get_serializer_context(self) -> dict[str, Any]:
        shown = may_see_tournament_results(self.request.user, self.tournament)
        out = ruling_corrections_of(self.tournament).disqualified if shown else ()
        versions = entry_version_spans(self.tournament) if shown else {}
        context: dict[str, Any] = super().get_serializer_context()  # type: ignore[misc]
        return {**context, "results_shown": shown, "disqualified": out, "versions": versions}


class EntriesView(_OfEntries, Listing):
    """The bots of a tournament in the order in which they entered, including withdrawn ones."""

    write_scope = "upload"
    serializer_class = EntrySerializer
    parser_classes = (JSONBody, FormParser, MultiPartParser)

    def get_queryset(self) -> QuerySet[Entry]:
        return self.tournament.entries.select_related("bot__owner", "version")

    @extend_schema(
        summary="Enter a bot",
        description="Enters a bot of mine. The organiser may also enter house bots, and bots whose authors let"
        " organisers enter them; these authors are notified. If entry is by invitation, `invitation` is required.",
        request=EnteringSerializer,
        responses={201: EntrySerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        entry = tournament_api_enter(self, request, self.tournament)
        location = reverse("api-tournaments:entry", args=[slug, entry.bot.slug])
        data = self.get_serializer(entry).data
        return Response(data, status=status.HTTP_201_CREATED, headers={"Location": location})


class EntryView(_OfEntries, Item):
    """A bot in a tournament."""

    write_scope = "upload"
    serializer_class = EntrySerializer

    def get_object(self) -> Entry:
        entries = self.tournament.entries.select_related("bot__owner", "version").filter(bot__slug=self.kwargs["bot"])
        entry = entries.last()
        if entry is None:
            raise Http404
        return entry

    @extend_schema(
        summary="Withdraw a bot",
        description="For the author of the bot, the organiser and arbiters. Its results stay.",
        responses={200: EntrySerializer, **ERRORS},
    )
    def delete(self, request: Request, slug: str, bot: str) -> Response:
        entry = self.get_object()
        if not acts_for_owner(request.user, entry.bot.owner_id):
            self.scope_require("organise")
        entry = entry_withdraw(entry=entry, by=cast(AbstractUser, request.user))
        return Response(self.get_serializer(entry).data)


class Shown(API):
    """Base of the views of a tournament whose pairings and results the reader may see."""

    @cached_property
    def tournament(self) -> Tournament:
        return shown_tournament(self.request, self.kwargs["slug"])

    @cached_property
    def entries(self) -> Sequence[Entry]:
        return tournament_entries_of(self.tournament)

    def entries_by_id(self, entries: Iterable[int]) -> dict[int, Entry]:
        """Return the entries with these primary keys, with bot, author and version."""
        return self.tournament.entries.select_related("bot__owner", "version").in_bulk(list(entries))

    def luck(self) -> Mapping[int, Adjusted | None]:
        return adjusted_standings_of(self.tournament).by_entry if self.tournament.luck_value else {}

    @cached_property
    def drafts(self) -> bool:
        """Whether the reader sees rounds that wait for the organiser."""
        return may_own_tournament(self.request.user, self.tournament)

    def stage(self, number: int) -> Stage:
        stages = {stage.number: stage for stage in self.tournament.stages.all()}
        if number not in stages:
            sentence = ngettext(
                "This tournament has %(stages)d stage.", "This tournament has %(stages)d stages.", len(stages)
            )
            raise Refused("not_found", sentence % {"stages": len(stages)}, "stage", status.HTTP_404_NOT_FOUND)
        return stages[number]


@dataclass(frozen=True, slots=True)
class StandingLine:
    row: Row
    entry: Entry
    adjusted: Adjusted | None
    category: CategoryPlace | None


class StandingsView(Shown, Listing):
    """The standings of a stage, with the values that each tie-break has compared."""

    serializer_class = StandingSerializer
    query = StageQuery

    def get_queryset(self) -> Sequence[StandingLine]:  # type: ignore[override]
        stage = self.stage(self.parameters.get("stage", self.tournament.stage_to_show.number))
        rows = standings_snapshot(stage).value
        self.places = entry_places_by_category(self.tournament, rows)
        rows = standings_rows_of_category(self.parameters.get("category", ""), rows, self.places)
        return Paged(rows, self.standing_lines)

    def standing_lines(self, rows: Sequence[Row]) -> list[StandingLine]:
        by_id, luck = self.entries_by_id(row.entrant for row in rows), self.luck()
        return [
            StandingLine(row, by_id[row.entrant], luck.get(row.entrant), self.places.get(row.entrant)) for row in rows
        ]


class TournamentMatchesView(Shown, MatchesView):
    """The matches of a tournament that the reader may see, newest first."""

    public_max_age = 0  # ``shown_tournament`` sets the time for which the response may be cached

    def matches(self) -> QuerySet[Match]:
        return matches_visible(self.request.user).filter(fixture__round__tournament=self.tournament)


@dataclass(frozen=True, slots=True)
class RatedEntry:
    rated: Rated
    entry: Entry
    adjusted: Adjusted | None


class RatingsView(Shown, Listing):
    """The ratings of the bots by all games of the tournament, the highest first."""

    serializer_class = RatingSerializer

    def get_queryset(self) -> Sequence[RatedEntry]:  # type: ignore[override]
        return Paged(tournament_ratings_of(self.tournament).required().lines, self.rating_lines)

    def rating_lines(self, lines: Sequence[Rated]) -> list[RatedEntry]:
        by_id, luck = self.entries_by_id(line.entry for line in lines), self.luck()
        return [RatedEntry(line, by_id[line.entry], luck.get(line.entry)) for line in lines]


class RulingsView(Shown, Listing):
    """The rulings of a tournament, the last one first."""

    serializer_class = RulingSerializer

    def get_queryset(self) -> list[LogLine]:  # type: ignore[override]
        return ruling_log_of(self.tournament)
