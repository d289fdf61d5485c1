"""The API of cups of a league's ladder, single or weekly."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from contests.actions import action_operation
from contests.terms_api import Strict, terms_form_data, terms_form_require_valid
from leagues.models import Season
from leagues.views.lookups import league_or_404
from tournaments.actions import ACTIONS
from tournaments.api import tournament_api_created
from tournaments.entering_api import SignedInToWrite
from tournaments.ladder_cup_form import USUAL_BEST, LadderCupForm
from tournaments.ladder_serializers import LadderCupSerializer, LadderFieldSerializer, WeeklyCupSerializer
from tournaments.models import WeeklyCup
from tournaments.presets import PRESETS
from tournaments.selectors.pages.ladder_cups import (
    CupShown,
    LadderField,
    ladder_cup_field,
    ladder_cups_of,
    ladder_cups_shown,
)
from tournaments.serializers import TournamentDetailSerializer
from tournaments.services import ladder_cup_create, weekly_cup_create
from tournaments.services.ladder_cups import BEST_MOST
from tournaments.settings_api import ERRORS
from tournaments.views.lookups import ladder_cup_season_or_404, weekly_cup_or_404
from web.api_examples import serializer_example
from web.api_view import Item, Listing, Query
from web.boards import Paged


@serializer_example(
    name="Yard Cup", preset=PRESETS[0].code, best=8, first_round_at="2027-01-30T19:00:00Z", time_zone="UTC"
)
class NewLadderCupSerializer(Strict):
    """The settings of a new cup. Omitted fields have the defaults of the form."""

    name = serializers.CharField(max_length=80, required=False)
    preset = serializers.ChoiceField(choices=[(one.code, one.code) for one in PRESETS], required=False)
    best = serializers.IntegerField(required=False, help_text=f"The number of bots, from 2 to {BEST_MOST}.")
    first_round_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="When it starts automatically; null: the organiser starts it."
    )
    time_zone = serializers.CharField(required=False, max_length=40, help_text="An IANA name.")


class LadderCupsView(Listing):
    """The cups of a league's ladders, the newest first."""

    serializer_class = LadderCupSerializer
    permission_classes = (SignedInToWrite,)

    def get_queryset(self) -> Sequence[CupShown]:  # type: ignore[override]  # any sequence, see ``Listing``
        found = ladder_cups_of(league_or_404(self.request, self.kwargs["slug"]), self.request.user)
        return Paged(
            list(found.values_list("pk", flat=True)), lambda cups: ladder_cups_shown(found.filter(pk__in=list(cups)))
        )

    @extend_schema(
        summary="Create a cup of the ladder",
        description="Opens a tournament with the best bots of the running or last season, which `field/` lists. A"
        " knockout is seeded in the order of the ladder. The authors are notified, and may withdraw their bots. For"
        " the organiser of the league. 409 `too_few`, `superseded` or `over_cap`: no cup can be created.",
        request=NewLadderCupSerializer,
        responses={201: TournamentDetailSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        season, settings = _ladder_cup_request(request, slug, is_weekly=False)
        return tournament_api_created(request, ladder_cup_create(season=season, **settings).slug)


class WeeklyCupView(Item):
    """The weekly cup of a league's ladder; 404 if there is none."""

    serializer_class = WeeklyCupSerializer
    permission_classes = (SignedInToWrite,)

    def get_object(self) -> WeeklyCup:
        return weekly_cup_or_404(league_or_404(self.request, self.kwargs["slug"]))

    @extend_schema(
        summary="Plan a weekly cup",
        description="The first cup starts at `first_round_at`, which is required. The others follow at the same hour"
        " every week in the `time_zone`. Each cup opens a day before it starts. For the organiser of the league. 409"
        " `already`: there is a weekly cup; `no_season`: no season is running.",
        request=NewLadderCupSerializer,
        responses={201: WeeklyCupSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        season, settings = _ladder_cup_request(request, slug, is_weekly=True)
        weekly = weekly_cup_create(season=season, **settings)
        return Response(WeeklyCupSerializer(weekly).data, status=status.HTTP_201_CREATED)

    delete = action_operation(ACTIONS["end-weekly"], errors=ERRORS)


def _ladder_cup_request(request: Request, slug: str, *, is_weekly: bool) -> tuple[Season, dict[str, Any]]:
    """Return the season and the settings of the requested cup.

    Raises:
        ValidationError, PermissionDenied, Http404: see the form and ``ladder_cup_season_or_404``.
    """
    season = ladder_cup_season_or_404(request, slug)
    new = NewLadderCupSerializer(data=request.data)
    new.is_valid(raise_exception=True)
    data = terms_form_data(LadderCupForm(league=season.league), {**new.validated_data, "is_weekly": is_weekly})
    form = LadderCupForm(data, league=season.league)
    terms_form_require_valid(form)
    return season, form.cleaned_data["settings"]


class LadderFieldQuery(Query):
    best = serializers.IntegerField(
        min_value=2, max_value=BEST_MOST, default=USUAL_BEST, help_text=f"Default: {USUAL_BEST}."
    )


class LadderFieldView(Item):
    """The bots that a cup of the ladder would enter and pass over now, for the organiser."""

    serializer_class = LadderFieldSerializer
    permission_classes = (IsAuthenticated,)
    query = LadderFieldQuery

    def get_object(self) -> LadderField:
        return ladder_cup_field(ladder_cup_season_or_404(self.request, self.kwargs["slug"]), self.parameters["best"])
