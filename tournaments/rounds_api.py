"""The API of rounds, of the organiser's actions on waiting rounds, and of arbiters."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from bots.serializers import NamedBotSerializer
from matches.models import MatchState
from tournaments.api import Shown
from tournaments.models import Entry, Round, Stage
from tournaments.selectors.entering.visible import tournament_matches_visible
from tournaments.selectors.rounds.fixtures import (
    FixturePairing,
    fixture_entries_of_round,
    fixture_pairings_of,
    fixture_rounds_of,
    fixture_tables_of_round,
)
from tournaments.selectors.rounds.stages import stage_byes_of
from tournaments.services import waiting_round_places_swap, waiting_round_start
from tournaments.services.editing import arbiter_dismiss, tournament_arbiter_add
from tournaments.services.waiting_rounds import RoundStarted, SwapBreaksRules
from tournaments.settings_api import ERRORS
from tournaments.views.lookups import own_tournament
from tournaments.views.rounds import MOST_BREACHES
from web.api_errors import Refused
from web.api_examples import api_example_shown, serializer_example
from web.api_view import API, Item, Listing, Number, Pages, Query
from web.requests import request_user


class RoundQuery(Query):
    stage = Number(help_text="Only the rounds of this stage.")


class RoundPageQuery(Query):
    page = Number(help_text=Pages.page_query_description)
    page_size = Number(help_text=Pages().page_size_query_description)


@api_example_shown(tables=6, finished=6, starts_at=None, premieres_at=None)
class RoundLineSerializer(serializers.Serializer[Any]):
    """A round. Rounds are numbered through all stages."""

    number = serializers.IntegerField(source="round.number")
    stage = serializers.IntegerField(source="stage.number")
    tables = serializers.IntegerField()
    finished = serializers.IntegerField(help_text="Tables whose matches are finished.")
    starts_at = serializers.DateTimeField(
        source="round.starts_at", allow_null=True, help_text="When it begins automatically, if that is planned."
    )
    started_at = serializers.DateTimeField(source="round.started_at", allow_null=True)
    premieres_at = serializers.DateTimeField(
        source="round.premieres_at",
        allow_null=True,
        help_text="When its matches are shown to everyone, if that was announced.",
    )


@api_example_shown(seat=0, version=3, score=2.5, game_points=31, first=True)
class SittingSerializer(serializers.Serializer[Any]):
    """An entry at a table, with the result that counts."""

    seat = serializers.IntegerField(source="index")
    entry = serializers.IntegerField(source="entry.pk")
    bot = NamedBotSerializer(source="entry.bot")
    version = serializers.IntegerField(source="entry.version.number")
    score = serializers.FloatField(allow_null=True)
    game_points = serializers.IntegerField(allow_null=True)
    first = serializers.BooleanField(help_text="It has the best score of those that have not forfeited.")
    forfeited = serializers.BooleanField()


@api_example_shown(state="finished", counts=True, reasons=None)
class PairingSerializer(serializers.Serializer[Any]):
    """A table of a round. ``match`` is null if the reader may not see its page."""

    table = serializers.IntegerField()
    match = serializers.SerializerMethodField()
    state = serializers.ChoiceField(choices=MatchState.choices)
    counts = serializers.BooleanField(source="decided", help_text="Whether it counts in the standings.")
    void = serializers.BooleanField(help_text="Whether a ruling has declared it void.")
    replaced = serializers.BooleanField(help_text="Whether its scores come from a ruling.")
    seats = SittingSerializer(source="sittings", many=True)
    reasons = serializers.SerializerMethodField(help_text="Why these bots meet, if standings or a bracket decided it.")

    def get_match(self, pairing: FixturePairing) -> int | None:
        return pairing.match_id if pairing.match_id in self.context["readable"] else None

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_reasons(self, pairing: FixturePairing) -> dict[str, Any] | None:
        return pairing.reasons


@api_example_shown(version=3)
class ByeSerializer(serializers.Serializer[Any]):
    """An entry without a table in a round."""

    entry = serializers.IntegerField(source="entry.pk")
    bot = NamedBotSerializer(source="entry.bot")
    version = serializers.IntegerField(source="entry.version.number")
    points = serializers.IntegerField()


@api_example_shown(next=None)
class RoundSerializer(RoundLineSerializer):
    """A round with a page of its tables, in order, and of its byes."""

    pairings = PairingSerializer(many=True)
    byes = ByeSerializer(many=True)
    next = serializers.URLField(
        allow_null=True, help_text="The address of the page with the tables and byes after these; null on the last."
    )


@dataclass(frozen=True, slots=True)
class ByeShown:
    entry: Entry
    points: int


@dataclass(frozen=True, slots=True)
class RoundDetail:
    """A round.

    Only a round that is shown alone has a page of ``pairings`` and ``byes``. ``next`` is the address of the next page.
    """

    round: Round
    stage: Stage
    tables: int
    finished: int
    pairings: Sequence[FixturePairing] = ()
    byes: Sequence[ByeShown] = ()
    next: str | None = None


class _RoundsView(Shown):
    def rounds(self, stages: Iterable[Stage]) -> list[RoundDetail]:
        played = {one.number: one for one in Round.objects.filter(tournament=self.tournament)}
        return [
            RoundDetail(played[number], stage, tables, finished)
            for stage in stages
            for number, tables, finished in fixture_rounds_of(stage, drafts=self.drafts)
        ]


class RoundsView(_RoundsView, Listing):
    """The drawn rounds of a tournament, in order."""

    serializer_class = RoundLineSerializer
    query = RoundQuery

    def get_queryset(self) -> list[RoundDetail]:  # type: ignore[override]
        return self.rounds(
            [self.stage(self.parameters["stage"])] if "stage" in self.parameters else self.tournament.stages.all()
        )


class RoundView(_RoundsView, Item):
    """A round: its pairings with reasons and results, and its byes, page by page."""

    serializer_class = RoundSerializer
    query = RoundPageQuery

    def get_object(self) -> RoundDetail:
        drawn = self.rounds(self.tournament.stages.all())
        found = next((one for one in drawn if one.round.number == self.kwargs["number"]), None)
        if found is None:
            raise Http404
        stage, number, pages = found.stage, found.round.number, Pages()
        tables = fixture_tables_of_round(stage, number, drafts=self.drafts)
        byes = sorted((bye.entrant, bye.points) for bye in stage_byes_of(stage) if bye.round == number)
        places = pages.paginate_queryset(range(max(len(tables), len(byes))), self.request) or [0]
        shown = slice(places[0], places[-1] + 1)
        idle = Entry.objects.select_related("bot__owner", "version").in_bulk([entry for entry, _ in byes[shown]])
        return replace(
            found,
            pairings=fixture_pairings_of(stage, rounds=[number], drafts=self.drafts, tables=tables[shown]),
            byes=[ByeShown(idle[entry], points) for entry, points in byes[shown]],
            next=pages.get_next_link(),
        )

    def get_serializer_context(self) -> dict[str, Any]:
        # There is no request while the OpenAPI schema is generated.
        readable = tournament_matches_visible(self.request.user, self.tournament) if self.request else ()
        return {**super().get_serializer_context(), "readable": readable}


@serializer_example(one="rooster", other="hen")
class TwoBotsSerializer(serializers.Serializer[Any]):
    """Two bots of a tournament, by their slugs."""

    one = serializers.SlugField(max_length=90)
    other = serializers.SlugField(max_length=90)


@serializer_example(one="rooster", other="hen", despite=[])
class SwapSerializer(TwoBotsSerializer):
    """Two bots that swap places."""

    despite = serializers.ListField(
        child=serializers.CharField(max_length=1000),
        max_length=MOST_BREACHES,
        required=False,
        help_text="The `breaches` of an earlier refusal, word for word, to accept them.",
    )


class _WaitingView(RoundView):
    """Base of the organiser's actions on a waiting round."""

    permission_classes = (IsAuthenticated,)
    http_method_names = ["post", "options"]

    def round(self) -> Round:
        tournament = own_tournament(self.request, self.kwargs["slug"])
        rounds = Round.objects.select_related("stage", "tournament")
        return get_object_or_404(rounds, tournament=tournament, number=self.kwargs["number"])

    def answer(self) -> Response:
        return Response(self.get_serializer(self.get_object()).data)


class RoundStartView(_WaitingView):
    """Start a waiting round."""

    @extend_schema(
        operation_id="tournaments_rounds_start",
        summary="Start a waiting round",
        description="For the organiser. If the round has begun already, the response is the same.",
        request=None,
        responses={200: RoundSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        with suppress(RoundStarted):  # the round has begun already, as requested
            waiting_round_start(played=self.round())
        return self.answer()


class SwapView(_WaitingView):
    """Swap two bots in a waiting round."""

    @extend_schema(
        operation_id="tournaments_rounds_swap",
        summary="Swap two bots in a waiting round",
        description="Swaps two seats, or a seat and a bye; the log of rulings records it. 409 `breaks_rules`:"
        " `breaches` lists the rules of the draw that the swap would break.",
        request=SwapSerializer,
        responses={200: RoundSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        played = self.round()
        swap = SwapSerializer(data=request.data)
        swap.is_valid(raise_exception=True)
        two = round_api_entries(fixture_entries_of_round(played).select_related("bot"), swap.validated_data)
        despite = swap.validated_data.get("despite", [])
        try:
            waiting_round_places_swap(played=played, by=request_user(request), despite=despite, **two)
        except SwapBreaksRules as error:
            raise Refused(error.code, str(error), status_code=error.status, breaches=list(error.breaches)) from error
        return self.answer()


def round_api_entries(entries: Iterable[Entry], named: dict[str, Any]) -> dict[str, Entry]:
    """Return the entries of the bots in ``named``, by the keys "one" and "other".

    Raises:
        Refused: one of them is not among ``entries``.
    """
    by_slug = {entry.bot.slug: entry for entry in entries}
    for field in ("one", "other"):
        if named[field] not in by_slug:
            raise Refused("unknown_bot", _("There is no bot with this slug."), field)
    return {field: by_slug[named[field]] for field in ("one", "other")}


@serializer_example(username="ada")
class ArbiterSerializer(serializers.Serializer[Any]):
    """A user who may make rulings, like the organiser."""

    username = serializers.CharField(max_length=150)


class ArbitersView(Listing):
    """The arbiters of a tournament, for its organiser."""

    serializer_class = ArbiterSerializer
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> QuerySet[Any]:
        return own_tournament(self.request, self.kwargs["slug"]).arbiters.order_by("username")

    @extend_schema(
        summary="Make somebody an arbiter",
        description="An arbiter can make rulings, pause the tournament and withdraw bots.",
        request=ArbiterSerializer,
        responses={201: ArbiterSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = own_tournament(request, slug)
        asked = ArbiterSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        tournament_arbiter_add(tournament=tournament, username=asked.validated_data["username"])
        location = reverse("api-tournaments:arbiter", args=[slug, asked.validated_data["username"]])
        return Response(asked.validated_data, status=status.HTTP_201_CREATED, headers={"Location": location})


class ArbiterView(API):
    """An arbiter of a tournament."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Dismiss an arbiter", description="Their rulings stay in effect.", responses={204: None, **ERRORS}
    )
    def delete(self, request: Request, slug: str, username: str) -> Response:
        tournament = own_tournament(request, slug)
        user = tournament.arbiters.filter(username=username).first()
        if user is None:
            raise Http404
        arbiter_dismiss(tournament=tournament, user_id=user.pk)
        return Response(status=status.HTTP_204_NO_CONTENT)
