"""Running a league over the API: created and edited as on the form, opened, its seasons ended, its data kept."""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from contests.terms_api import TermsSerializer, asked_of, require_valid, typed
from leagues.errors import LeagueFixed
from leagues.forms import OWN_FIELDS, EditLeagueForm, LeagueForm, initial_of
from leagues.models import League, LeagueState
from leagues.selectors.exports import LADDER_COLUMNS, MATCH_COLUMNS
from leagues.serializers import LeagueDetailSerializer
from leagues.services import league_create, league_edit, league_update
from leagues.views import exports
from leagues.views.lookups import league_or_404, own_league
from leagues.views.organising import ACTIONS
from web.api_errors import problems
from web.api_examples import DIGEST, TIME, file_shown
from web.api_view import API, READ_ERRORS, OneOf
from web.requests import signed_in
from web.serializers import GAME_CHOICES, example

ERRORS: Final = problems(400, 401, 403, 404, 409, 429, 503)
SUMMARIES: Final = {
    "open": "Open a league: its first season begins.",
    "end-season": "End the season that is running.",
    "next-season": "Begin the next season.",
    "close": "Close a league.",
}
SEASON_SHOWN: Final = {
    "league": "Yard",
    "slug": "yard",
    "open": True,
    "season": 1,
    "state": "running",
    "starts": TIME,
    "finished": None,
    "ruleset": "pickomino/1",
    "options": {"steal": "optional"},
    "limits": {"act_cpu": 0.1},
    "players_per_table": 2,
    "blocks": 2,
    "secret_sha256": DIGEST,
    "luck_value": "pickomino/1-v1",
    "less_luck_matches": 380,
    "secret": None,
    "refit": {"number": 7, "matches": 120},
    "ladder": [],
    "matches": [],
}
FILES: Final = {
    "season.json": ("application/json", OpenApiTypes.OBJECT, "A season as one JSON object.", SEASON_SHOWN),
    "ladder.csv": ("text/csv", OpenApiTypes.STR, "The ladder of a season as a table.", ",".join(LADDER_COLUMNS)),
    "matches.csv": ("text/csv", OpenApiTypes.STR, "The matches of a season as a table.", ",".join(MATCH_COLUMNS)),
    "proof.zip": (
        *("application/zip", OpenApiTypes.BINARY),
        *("The proof of a season that has ended, for `peck verify`.", None),
    ),
}


@example(description="All year round.", season_days=30)
class LeagueSettingsSerializer(TermsSerializer):
    """Everything that an organiser decides. Whatever is not sent is as it was, or as the form suggests."""

    min_action_ms = serializers.IntegerField(required=False, help_text="The least time between two actions.")
    bots_per_author = serializers.IntegerField(required=False)
    season_days = serializers.IntegerField(required=False, help_text="0: until the organiser ends it.")
    enters_cups = serializers.BooleanField(
        required=False, help_text="Bots may be entered in the league's cups: who joins agrees, until the bot leaves."
    )


@example(name="Yard", game="pickomino", blocks=2)
class NewLeagueSerializer(LeagueSettingsSerializer):
    """A league to be; whatever is not sent is as the form suggests."""

    name = serializers.CharField(max_length=80)
    game = OneOf(choices=GAME_CHOICES)


def settings_create(request: Request) -> Response:
    """Create a draft of what is asked for, and answer with it.

    Raises:
        NotAnOrganiser, ValidationError: see ``league_create`` and the form.
    """
    asked = asked_of(request, NewLeagueSerializer)
    form = LeagueForm(typed(LeagueForm(initial={"game": asked["game"]}), asked))
    require_valid(form)
    league = league_create(organiser=signed_in(request), **form.cleaned_data["settings"])
    location = reverse("api-leagues:detail", args=[league.slug])
    return _answer(request, league.slug, status=status.HTTP_201_CREATED, headers={"Location": location})


class LeagueSettingsView(API):
    """What the organiser decided of a league, for its organiser."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: LeagueSettingsSerializer, **READ_ERRORS})
    def get(self, request: Request, slug: str) -> Response:
        return Response(LeagueSettingsSerializer(_settings_of(own_league(request, slug))).data)

    @extend_schema(
        summary="Change what the organiser decided",
        description="All of a draft. Once it is open, `description`, `bots_per_author`, which holds for those who join"
        " from now on, and `season_days`, which holds for the seasons to come; 409 `fixed` names what does not change"
        " any more.",
        request=LeagueSettingsSerializer,
        responses={200: LeagueSettingsSerializer, **ERRORS},
    )
    def patch(self, request: Request, slug: str) -> Response:
        league = own_league(request, slug)
        asked = asked_of(request, LeagueSettingsSerializer)
        if league.state != LeagueState.DRAFT:
            if fixed := sorted(asked.keys() - EditLeagueForm.base_fields.keys()):
                raise LeagueFixed(fixed[0])
            announced = EditLeagueForm(typed(EditLeagueForm(initial=initial_of(league)), asked))
            require_valid(announced)
            league = league_edit(league=league, **announced.cleaned_data)
            return Response(LeagueSettingsSerializer(_settings_of(league)).data)
        game = {name: asked[name] for name in ("game",) if name in asked}
        form = LeagueForm(typed(LeagueForm(initial=initial_of(league) | game), asked))
        require_valid(form)
        league = league_update(league=league, **form.cleaned_data["settings"])
        return Response(LeagueSettingsSerializer(_settings_of(league)).data)


class LeagueActView(API):
    """For the organiser."""

    permission_classes = (IsAuthenticated,)
    act: ClassVar[Callable[..., Any]]

    def post(self, request: Request, slug: str) -> Response:
        type(self).act(league=own_league(request, slug))
        return _answer(request, slug)


class SeasonFileView(API):
    """A file of a season."""

    file: ClassVar[str]

    def get(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        return exports.export(request, slug, number, self.file)


def act_paths() -> list[URLPattern]:
    """Return the address of each act; the schema calls its operation ``leagues_end_season``."""
    return [path(f"<slug:slug>/{name}/", _act(name).as_view(), name=name) for name in ACTIONS]


def export_paths() -> list[URLPattern]:
    """Return the address of each file of a season."""
    below = "<slug:slug>/seasons/<int:number>/export"
    return [path(f"{below}/{name}", _file(name).as_view(), name=name) for name in FILES]


def _act(name: str) -> type[LeagueActView]:
    described = extend_schema(
        operation_id=f"leagues_{name.replace('-', '_')}",
        request=None,
        responses={200: LeagueDetailSerializer, **ERRORS},
    )
    doc = f"{SUMMARIES[name]}\n\n{LeagueActView.__doc__}"
    view = type(f"League{name.title()}View", (LeagueActView,), {"__doc__": doc, "act": staticmethod(ACTIONS[name])})
    made: type[LeagueActView] = extend_schema_view(post=described)(view)
    return made


def _file(name: str) -> type[SeasonFileView]:
    media_type, content, summary, sample = FILES[name]
    stem, _dot, ending = name.partition(".")
    described = extend_schema(
        operation_id=f"leagues_seasons_export_{stem}_{ending}",
        responses={(200, media_type): content, **READ_ERRORS},
        examples=file_shown(media_type, sample),
    )
    view = type(f"Season{stem.title()}View", (SeasonFileView,), {"__doc__": summary, "file": name})
    made: type[SeasonFileView] = extend_schema_view(get=described)(view)
    return made


def _settings_of(league: League) -> dict[str, Any]:
    own = {name: getattr(league, name) for name in OWN_FIELDS}
    return {**own, "game": league.game, "options": league.options, "limits": league.limits}


def _answer(request: Request, slug: str, **more: Any) -> Response:
    serializer = LeagueDetailSerializer(league_or_404(request, slug), context={"request": request})
    return Response(serializer.data, **more)
