"""Copy a tournament to a later date: the form and the API operation."""

import re
from datetime import timedelta
from typing import Any, Final, cast

from django import forms
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from bots.bot_names import validate_bot_name
from contests.actions import ERRORS
from contests.terms_api import terms_form_require_valid
from tournaments.api import tournament_api_created
from tournaments.models import COPY_DAYS_MOST, Tournament
from tournaments.serializers import TournamentDetailSerializer
from tournaments.services import tournament_copy
from tournaments.template_settings import template_settings_weeks_until
from tournaments.views.lookups import own_tournament
from web.api_examples import serializer_example
from web.api_view import API, JSONBody

NUMBERED: Final = re.compile(r"(.*?)(\d{1,4})")


class CopyForm(forms.Form):
    """The form for the name of a copy, and for how many days later it takes place."""

    name = forms.CharField(
        label=_("Name"), max_length=80, validators=[validate_bot_name], widget=forms.TextInput({"autocomplete": "off"})
    )
    days = forms.IntegerField(
        label=_("Days later"),
        min_value=1,
        max_value=COPY_DAYS_MOST,
        help_text=_("All times move by this number of days and keep their hour, even when the clocks change."),
    )

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        super().__init__(data, initial={"name": _next_name(tournament.name), "days": _next_days(tournament)})


def _next_name(name: str) -> str:
    """Return ``name`` with the number at its end increased by one.

    If there is no such number, or if the result would be too long, return ``name``.

    >>> _next_name("Friday cup 9"), _next_name("Friday cup")
    ('Friday cup 10', 'Friday cup')
    """
    found = NUMBERED.fullmatch(name)
    counted = f"{found[1]}{int(found[2]) + 1}" if found else name
    return counted if len(counted) <= 80 else name


def _next_days(tournament: Tournament) -> int:
    """Return how many days later a copy takes place by default.

    This is the smallest number of whole weeks, at least one, after which the first time of the copy is in the future.
    """
    first = min(filter(None, (tournament.entries_close_at, tournament.first_round_at)), default=None)
    behind = timezone.now() - first if first is not None else timedelta(0)
    return min(template_settings_weeks_until(behind).days, COPY_DAYS_MOST)


@serializer_example(name="Harvest Cup 2", days=7)
class CopySerializer(serializers.Serializer[Any]):
    """The name of the copy, and how many days later it takes place."""

    name = serializers.CharField(max_length=80)
    days = serializers.IntegerField(min_value=1, max_value=COPY_DAYS_MOST)


class CopyView(API):
    """A draft with the settings of a tournament, some days later."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Hold a tournament again",
        description="Creates a draft with its settings, arbiters and series. All times are `days` later, at the same"
        " hours of its time zone. While the copy is a draft, the same request returns it. For its organiser.",
        request=CopySerializer,
        responses={201: TournamentDetailSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = own_tournament(cast(HttpRequest, request), slug)
        sent = CopySerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        form = CopyForm(sent.validated_data, tournament=tournament)
        terms_form_require_valid(form)
        return tournament_api_created(request, tournament_copy(tournament=tournament, **form.cleaned_data).slug)
