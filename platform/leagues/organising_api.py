"""API for organisers of leagues: create, edit and open leagues, end seasons, offer data sets."""

from typing import Any, Final

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from contests.actions import ERRORS
from contests.audience import ContestAudience
from contests.audience_form import AUDIENCE_HELP, GROUP_HELP, audience_form_for_api, audience_form_from_request
from contests.exports_api import CSV, JSON, JSON_LINES, ZIP, ExportFile
from contests.terms_api import TermsSerializer, terms_form_data, terms_form_require_valid, terms_request_values
from leagues.errors import LeagueFixed
from leagues.forms import OWN_FIELDS, EditLeagueForm, LeagueForm, league_form_initial
from leagues.models import League, LeagueState
from leagues.selectors.exports import LADDER_COLUMNS, MATCH_COLUMNS
from leagues.serializers import (
    DIVISION_MOVES_HELP,
    DIVISION_SIZE_HELP,
    DIVISIONS_HELP,
    TEAM_SIZE_HELP,
    LeagueDetailSerializer,
)
from leagues.services import league_create, league_edit, league_update
from leagues.views import downloads
from leagues.views.lookups import league_or_404, own_league
from matches.replay.records import RECORD_SHOWN
from web.api_examples import DIGEST, GAME, RULESET, TIME, api_example_shown, serializer_example
from web.api_view import API, READ_ERRORS, OneOf
from web.requests import request_user
from web.serializers import GAME_CHOICES

SEASON_SHOWN: Final = {
    "league": "Yard",
    "slug": "yard",
    "open": True,
    "season": 1,
    "state": "running",
    "starts": TIME,
    "finished": None,
    "ruleset": RULESET,
    "options": {"steal": "optional"},
    "limits": {"act_cpu": 0.1},
    "players_per_table": 2,
    "blocks": 2,
    "secret_sha256": DIGEST,
    "divisions": 3,
    "division_size": 10,
    "division_moves": 2,
    "luck_value": f"{RULESET}-v1",
    "less_luck_matches": 380,
    "secret": None,
    "refit": {"number": 7, "matches": 120},
    "ladder": [],
    "matches": [],
}
FILES: Final = (
    ExportFile("season.json", downloads.season_export_view, JSON, "A season as one JSON object.", SEASON_SHOWN),
    ExportFile(
        "ladder.csv", downloads.season_export_view, CSV, "The ladder of a season as a table.", ",".join(LADDER_COLUMNS)
    ),
    ExportFile(
        "matches.csv", downloads.season_export_view, CSV, "The matches of a season as a table.", ",".join(MATCH_COLUMNS)
    ),
    ExportFile(
        "records.jsonl",
        downloads.season_export_view,
        JSON_LINES,
        "Every game of a season with its record.",
        RECORD_SHOWN,
    ),
    ExportFile(
        "proof.zip", downloads.season_export_view, ZIP, "The proof of a season that has ended, for `peck verify`."
    ),
)


@api_example_shown(group="class-7b")
@serializer_example(description="All year round.", season_days=30)
class LeagueSettingsSerializer(TermsSerializer):
    """All settings of a league. Settings that are not sent keep their values, or get the defaults of the form."""

    min_action_ms = serializers.IntegerField(required=False, help_text="Least milliseconds between two actions.")
    bots_per_author = serializers.IntegerField(required=False)
    team_size = serializers.IntegerField(required=False, allow_null=True, help_text=TEAM_SIZE_HELP)
    season_days = serializers.IntegerField(required=False, help_text="Days per season; 0: until the organiser ends it.")
    divisions = serializers.IntegerField(required=False, help_text=DIVISIONS_HELP)
    division_size = serializers.IntegerField(required=False, help_text=DIVISION_SIZE_HELP)
    division_moves = serializers.IntegerField(required=False, help_text=DIVISION_MOVES_HELP)
    enters_cups = serializers.BooleanField(
        required=False, help_text="The organiser may enter members in the league's cups; joining agrees to this."
    )
    audience = serializers.ChoiceField(choices=ContestAudience.choices, required=False, help_text=AUDIENCE_HELP)
    group = serializers.SlugField(required=False, allow_null=True, help_text=GROUP_HELP)


@serializer_example(name="Yard", game=GAME, blocks=2)
class NewLeagueSerializer(LeagueSettingsSerializer):
    """A new league. Settings that are not sent get the defaults of the form."""

    name = serializers.CharField(max_length=80)
    game = OneOf(choices=GAME_CHOICES)


def league_create_from_request(request: Request) -> Response:
    """Create a draft from the request, and return it in the response.

    Raises:
        NotAnOrganiser, ValidationError: see ``league_create`` and the form.
    """
    values, organiser = (
        audience_form_from_request(terms_request_values(request, NewLeagueSerializer)),
        request_user(request),
    )
    form = LeagueForm(terms_form_data(LeagueForm(initial={"game": values["game"]}), values), organiser=organiser)
    terms_form_require_valid(form)
    league = league_create(organiser=organiser, **form.cleaned_data["settings"])
    location = reverse("api-leagues:detail", args=[league.slug])
    return Response(
        league_organising_answer(request, league.slug), status=status.HTTP_201_CREATED, headers={"Location": location}
    )


class LeagueSettingsView(API):
    """The settings of a league, for its organiser."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: LeagueSettingsSerializer, **READ_ERRORS})
    def get(self, request: Request, slug: str) -> Response:
        return Response(LeagueSettingsSerializer(_settings_of(own_league(request, slug))).data)

    @extend_schema(
        summary="Change what the organiser decided",
        description="All of a draft. Once it is open, `description`, `bots_per_author` and `team_size`, which hold"
        " for those who join from now on, `season_days` and what is said of divisions, which hold for the seasons to"
        " come, and `audience`, which may only become wider;"
        " 409 `fixed` names what does not change any more.",
        request=LeagueSettingsSerializer,
        responses={200: LeagueSettingsSerializer, **ERRORS},
    )
    def patch(self, request: Request, slug: str) -> Response:
        league = own_league(request, slug)
        asked = audience_form_from_request(terms_request_values(request, LeagueSettingsSerializer))
        if league.state != LeagueState.DRAFT:
            if fixed := sorted(asked.keys() - EditLeagueForm.base_fields.keys()):
                raise LeagueFixed(fixed[0])
            announced = EditLeagueForm(terms_form_data(EditLeagueForm(league=league), asked), league=league)
            terms_form_require_valid(announced)
            league = league_edit(league=league, **announced.cleaned_data["settings"])
            return Response(LeagueSettingsSerializer(_settings_of(league)).data)
        game = {name: asked[name] for name in ("game",) if name in asked}
        form = LeagueForm(
            terms_form_data(LeagueForm(initial=league_form_initial(league) | game), asked), organiser=league.organiser
        )
        terms_form_require_valid(form)
        league = league_update(league=league, **form.cleaned_data["settings"])
        return Response(LeagueSettingsSerializer(_settings_of(league)).data)


def _settings_of(league: League) -> dict[str, Any]:
    own = {name: getattr(league, name) for name in OWN_FIELDS}
    terms = {"game": league.game, "options": league.options, "limits": league.limits}
    return {**own, **terms, **audience_form_for_api(league)}


def league_organising_answer(request: Request, slug: str) -> Any:
    """Return the current data of the league with its settings."""
    return LeagueDetailSerializer(league_or_404(request, slug), context={"request": request}).data
