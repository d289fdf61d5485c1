"""API of series: list, create, change, end and delete series; their table and tournaments."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from contests.audience_form import audience_form_from_request
from contests.terms_api import terms_form_data, terms_form_require_valid
from series import services
from series.forms import SeriesForm
from series.models import TournamentSeries
from series.selectors.table import EntrantRow, series_table
from series.selectors.visible import is_series_result_visible, series_events_shown, series_listed
from series.serializers import (
    EventAddSerializer,
    NewSeriesSerializer,
    SeriesChangeSerializer,
    SeriesEventSerializer,
    SeriesRowSerializer,
    SeriesSerializer,
)
from series.views import own_series, series_or_404
from tournaments.models import Tournament
from tournaments.views.lookups import tournament_or_404
from web.api_errors import api_error_descriptions
from web.api_view import API, Item, JSONBody, Listing
from web.page_cache import NOW_SECONDS
from web.requests import request_user

ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 409, 429, 503)


def _in_form(sent: SeriesChangeSerializer) -> dict[str, Any]:
    """Return the sent values as data for ``SeriesForm``.

    Raises:
        ValidationError: a value has the wrong type.
    """
    sent.is_valid(raise_exception=True)
    query: Mapping[str, Any] = sent.validated_data
    points = query.get("place_points")
    in_form = {} if points is None else {"place_points": ", ".join(map(str, points))}
    return audience_form_from_request(query) | in_form


class SeriesListView(Listing):
    """The series, newest first."""

    public_max_age = NOW_SECONDS
    permission_classes = (IsAuthenticatedOrReadOnly,)
    serializer_class: Any = SeriesSerializer
    parser_classes = (JSONBody,)

    def get_queryset(self) -> QuerySet[TournamentSeries]:
        return series_listed(self.request.user)

    @extend_schema(
        summary="Create a series",
        description="Creates a series without tournaments. For organisers.",
        request=NewSeriesSerializer,
        responses={201: SeriesSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        organiser = request_user(cast(HttpRequest, request))
        asked = _in_form(NewSeriesSerializer(data=request.data))
        form = SeriesForm(terms_form_data(SeriesForm(organiser=organiser), asked), organiser=organiser)
        terms_form_require_valid(form)
        made = services.series_create(organiser=organiser, **form.cleaned_data["settings"])
        headers = {"Location": reverse("api-series:detail", args=[made.slug])}
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED, headers=headers)


class SeriesView(Item):
    """A series with its rules."""

    permission_classes = (IsAuthenticatedOrReadOnly,)
    serializer_class: Any = SeriesSerializer
    parser_classes = (JSONBody,)

    def get_object(self) -> TournamentSeries:
        return series_or_404(cast(HttpRequest, self.request), self.kwargs["slug"])

    @extend_schema(
        summary="Change a series",
        description="For its organiser. The audience can only be widened. 409 `audience`: somebody in the new audience"
        " may not see one of its tournaments.",
        request=SeriesChangeSerializer,
        responses={200: SeriesSerializer, **ERRORS},
    )
    def patch(self, request: Request, slug: str) -> Response:
        series = own_series(cast(HttpRequest, request), slug)
        asked = _in_form(SeriesChangeSerializer(data=request.data))
        form = SeriesForm(terms_form_data(SeriesForm(series=series), asked), series=series)
        terms_form_require_valid(form)
        services.series_update(series=series, **form.cleaned_data["settings"])
        return Response(self.get_serializer(self.get_object()).data)

    @extend_schema(
        summary="Delete a series",
        description="For its organiser. Its tournaments remain.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str) -> Response:
        services.series_delete(series=own_series(cast(HttpRequest, request), slug))
        return Response(status=status.HTTP_204_NO_CONTENT)


class SeriesEndView(API):
    """The end of a series."""

    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        summary="End a series",
        description="For its organiser. The table becomes final, and certificates are available. 409 `not_over`: a"
        " tournament is not over, or its results are hidden; `empty`: no tournament has a result.",
        request=None,
        responses={200: SeriesSerializer, **ERRORS},
    )
    def put(self, request: Request, slug: str) -> Response:
        series = services.series_end(series=own_series(cast(HttpRequest, request), slug))
        return Response(SeriesSerializer(series, context={"request": request}).data)

    @extend_schema(
        summary="Reopen a series",
        description="For its organiser. Tournaments can be added again.",
        request=None,
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str) -> Response:
        services.series_reopen(series=own_series(cast(HttpRequest, request), slug))
        return Response(status=status.HTTP_204_NO_CONTENT)


class SeriesStandingsView(Listing):
    """The table of a series, over its finished tournaments with public results."""

    serializer_class: Any = SeriesRowSerializer

    def get_queryset(self) -> Sequence[EntrantRow]:  # type: ignore[override]  # any sequence, see ``Listing``
        return series_table(series_or_404(cast(HttpRequest, self.request), self.kwargs["slug"])).rows


class SeriesEventsView(Listing):
    """The tournaments of a series that the reader may see, in order of time."""

    permission_classes = (IsAuthenticatedOrReadOnly,)
    serializer_class: Any = SeriesEventSerializer
    parser_classes = (JSONBody,)

    def get_queryset(self) -> Sequence[Tournament]:  # type: ignore[override]  # any sequence, see ``Listing``
        return series_events_shown(self._series, self.request.user)

    @property
    def _series(self) -> TournamentSeries:
        return series_or_404(cast(HttpRequest, self.request), self.kwargs["slug"])

    def get_serializer_context(self) -> dict[str, Any]:
        context = super().get_serializer_context()
        series = self._series
        events = [one.tournament for one in series.events.select_related("tournament")]
        return {**context, "over": {one.pk for one in events if is_series_result_visible(series, one)}}

    @extend_schema(
        summary="Add a tournament",
        description="For the organiser of both. 409 `in_a_series`: it is in another series; `ended`: the series is"
        " over; `audience`: not everyone who may see the series may see the tournament.",
        request=EventAddSerializer,
        responses={201: SeriesEventSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        series = own_series(cast(HttpRequest, request), slug)
        sent = EventAddSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        tournament = tournament_or_404(cast(HttpRequest, request), sent.validated_data["tournament"])
        services.series_add(series=series, tournament=tournament)
        return Response(self.get_serializer(tournament).data, status=status.HTTP_201_CREATED)


class SeriesEventView(API):
    """A tournament of a series."""

    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        summary="Remove a tournament",
        description="For the organiser of the series. 409 `ended`: the series is over.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str, tournament: str) -> Response:
        series = own_series(cast(HttpRequest, request), slug)
        found = Tournament.objects.filter(series_event__series=series, slug=tournament).first()
        if found is None:
            raise Http404
        services.series_remove(series=series, tournament=found)
        return Response(status=status.HTTP_204_NO_CONTENT)
