"""The API of a tournament's settings. The organiser's form checks the settings that a request sends."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from contests.audience import ContestAudience
from contests.audience_form import AUDIENCE_HELP, GROUP_HELP, audience_form_for_api, audience_form_from_request
from contests.terms_api import TermsSerializer, terms_form_data, terms_form_require_valid, terms_request_values
from matches.models import Broadcast
from tournaments.errors import EditRefused
from tournaments.formats.registry import FIRST_OFFERED, FORMATS
from tournaments.forms import TIE_BREAK_FIELDS, AnnouncedForm, TournamentForm, tournament_form_initial
from tournaments.models import Admission, KeepApart, NewVersions, Publication, Tournament, TournamentTemplate
from tournaments.selectors.entering.editing import Editing, tournament_edit_basis, tournament_editing_of
from tournaments.services import tournament_create, tournament_draft_update, tournament_edit
from tournaments.standings import LOT, TIE_BREAKS
from tournaments.template_settings import template_settings_initial
from tournaments.views.lookups import own_tournament
from web.api_errors import Refused, api_error_descriptions
from web.api_examples import GAME, api_example_shown, serializer_example
from web.api_view import API, IF_MATCH, OneOf
from web.requests import request_user
from web.serializers import GAME_CHOICES
from web.zones import zone_of, zone_time_in

ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 409, 412, 428, 429, 503)
OFFERED: Final = [(one.code, one.code) for one in FORMATS.values() if one.is_offered]
FINALS: Final = [("", ""), *((one.code, one.code) for one in FORMATS.values() if one.is_final)]


def _one_of(field: str) -> serializers.ChoiceField:
    """Return a field with the choices of a field of the form."""
    choices = [(code, code) for code, _label in TournamentForm.base_fields[field].choices]  # type: ignore[attr-defined]
    return serializers.ChoiceField(choices=choices, required=False, allow_blank=("", "") in choices)


@api_example_shown(group="class-7b")
@serializer_example(rounds=7, entries_close_at="2027-01-30T19:00:00Z", time_zone="Europe/Zurich")
class TournamentSettingsSerializer(TermsSerializer):
    """The settings of a tournament. Omitted fields keep their value, or have the default of the form."""

    format = serializers.ChoiceField(choices=OFFERED, required=False)
    rounds = serializers.IntegerField(required=False, help_text="If the format takes a number of rounds.")
    stop_error = _one_of("stop_error")
    stop_effect = _one_of("stop_effect")
    stop_less_luck = serializers.BooleanField(required=False, help_text="Use luck-adjusted scores.")
    final = serializers.ChoiceField(
        choices=FINALS, required=False, allow_blank=True, help_text="The format of the playoff, or empty."
    )
    final_entrants = serializers.IntegerField(required=False, help_text="Bots in the playoff.")
    final_blocks = serializers.IntegerField(required=False)
    third_place = serializers.BooleanField(required=False)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(choices=[(code, code) for code in TIE_BREAKS]),
        max_length=len(TIE_BREAK_FIELDS),
        required=False,
        help_text="In the order in which they apply; the lot always comes last. An empty list: those of the format.",
    )
    tempo = serializers.ChoiceField(choices=Broadcast.choices, required=False, allow_blank=True)
    team_size = serializers.IntegerField(
        required=False, allow_null=True, help_text="The greatest number of people in a team; null: no limit."
    )
    keep_apart = serializers.ChoiceField(
        choices=KeepApart.choices,
        required=False,
        allow_blank=True,
        help_text="Which bots rounds drawn by standings and seeds keep apart, besides the chosen pairs and groups.",
    )
    new_versions = serializers.ChoiceField(
        choices=NewVersions.choices,
        required=False,
        help_text="When a newer version of a bot replaces the version that plays. It can't be changed once a bot has"
        " entered.",
    )
    releases_sources = serializers.BooleanField(
        required=False,
        help_text="Whether the sources of the versions that played are released at the end. Authors who enter a bot"
        " agree to this, so it can only be changed in a draft.",
    )
    entrants_most = serializers.IntegerField(required=False)
    entries_per_author = serializers.IntegerField(required=False)
    admission = serializers.ChoiceField(choices=Admission.choices, required=False)
    time_zone = serializers.CharField(
        required=False,
        max_length=40,
        help_text="The IANA name of the time zone for its times on pages and in emails.",
    )
    entries_open_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="When a draft is announced and takes entries automatically."
    )
    entries_close_at = serializers.DateTimeField(required=False, allow_null=True)
    first_round_at = serializers.DateTimeField(required=False, allow_null=True)
    round_minutes = serializers.IntegerField(required=False)
    has_round_review = serializers.BooleanField(
        required=False, help_text="The organiser approves each round before it starts."
    )
    publication = serializers.ChoiceField(choices=Publication.choices, required=False)
    audience = serializers.ChoiceField(choices=ContestAudience.choices, required=False, help_text=AUDIENCE_HELP)
    group = serializers.SlugField(required=False, allow_null=True, help_text=GROUP_HELP)


@serializer_example(name="Harvest Cup", game=GAME, format=FIRST_OFFERED, blocks=4, entrants_most=16, time_zone="UTC")
class NewTournamentSerializer(TournamentSettingsSerializer):
    """The settings of a new tournament. Omitted fields have the defaults of the form."""

    name = serializers.CharField(max_length=80)
    game = OneOf(choices=GAME_CHOICES)


def settings_api_draft_create(request: Request) -> Tournament:
    """Create a draft with the requested settings.

    Raises:
        NotAnOrganiser, TooMuchWork, ValidationError: see ``tournament_create`` and the form.
    """
    return tournament_create(organiser=request_user(request), **settings_api_form(request).cleaned_data["settings"])


def settings_api_form(
    request: Request,
    serializer: type[TournamentSettingsSerializer] = NewTournamentSerializer,
    template: TournamentTemplate | None = None,
) -> TournamentForm:
    """Return a valid form with the requested settings. Other settings are those of ``template``, or the defaults.

    Raises:
        ValidationError: the settings are not valid.
        TemplateRefused: see ``template_settings_initial``.
    """
    asked, organiser = audience_form_from_request(terms_request_values(request, serializer)), request_user(request)
    shown = _of_template(template, asked) if template is not None else {}
    shown |= {name: asked[name] for name in ("game",) if name in asked}
    form = TournamentForm(_form_data(TournamentForm(initial=shown), asked), organiser=organiser)
    terms_form_require_valid(form)
    return form


def _of_template(template: TournamentTemplate, data: Mapping[str, Any]) -> dict[str, Any]:
    zone, first = zone_of(data.get("time_zone") or template.fields.get("time_zone")), data.get("first_round_at")
    return template_settings_initial(template, first_round_at=first and zone_time_in(first, zone).replace(tzinfo=None))


class SettingsView(API):
    """The settings of a tournament, for its organiser.

    The ETag of the response identifies the settings; a change requires it.
    """

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        responses={200: TournamentSettingsSerializer, **api_error_descriptions(400, 401, 403, 404, 503)},
    )
    def get(self, request: Request, slug: str) -> Response:
        return _settings_response(own_tournament(request, slug))

    @extend_schema(
        summary="Change the settings of a tournament",
        description="Until a bot enters, all settings can be changed. Until entries close, only those that do not"
        " disadvantage the entrants. After that, only texts, times in the future, and audiences. 409 `fixed`: a setting"
        " cannot be changed any more. `If-Match` has the ETag of the settings that were read. 412: they have changed;"
        " 428: the header is missing.",
        parameters=[IF_MATCH],
        request=TournamentSettingsSerializer,
        responses={200: TournamentSettingsSerializer, **ERRORS},
    )
    def patch(self, request: Request, slug: str) -> Response:
        tournament = own_tournament(request, slug)
        basis = _edit_basis_of(request, tournament)
        _settings_change(tournament, basis, terms_request_values(request, TournamentSettingsSerializer))
        return _settings_response(own_tournament(request, slug))


def _settings_change(tournament: Tournament, basis: str, asked: dict[str, Any]) -> None:
    """Change the requested settings, if the tournament has not changed since ``basis`` was read.

    Raises:
        TournamentError, ValidationError: see ``tournament_draft_update``, ``tournament_edit`` and the forms.
    """
    editing, asked = tournament_editing_of(tournament), audience_form_from_request(asked)
    if editing is Editing.EVERYTHING:
        initial = tournament_form_initial(tournament)
        shown = TournamentForm(initial=initial | {name: asked[name] for name in ("game",) if name in asked})
        form = TournamentForm(_form_data(shown, asked), initial=initial, organiser=tournament.organiser)
        terms_form_require_valid(form)
        tournament_draft_update(tournament=tournament, basis=basis, **form.cleaned_data["settings"])
        return
    for name in asked:
        if name not in editing.fields:
            raise EditRefused(name, _("This cannot be edited any more."))
    announced = AnnouncedForm(terms_form_data(AnnouncedForm(tournament=tournament), asked), tournament=tournament)
    terms_form_require_valid(announced)
    tournament_edit(tournament=tournament, basis=basis, **announced.cleaned_data["settings"])


def _tournament_settings_of(tournament: Tournament) -> dict[str, Any]:
    """Return the current settings, as ``TournamentSettingsSerializer`` takes them."""
    shown = TournamentForm(initial=tournament_form_initial(tournament))
    data = {name: shown[name].value() for name in shown.fields if name in TournamentSettingsSerializer().fields}
    breaks = [code for code in tournament.tie_breaks if code != LOT]
    return {
        **{name: value for name, value in data.items() if value is not None or name.endswith("_at")},
        "options": tournament.options,
        "limits": tournament.limits,
        "tie_breaks": breaks or [LOT],
        **audience_form_for_api(tournament),
    }


def _form_data(shown: TournamentForm, asked: dict[str, Any]) -> dict[str, Any]:
    data = terms_form_data(shown, {name: value for name, value in asked.items() if name != "tie_breaks"})
    if "tie_breaks" in asked:
        data = {name: value for name, value in data.items() if name not in TIE_BREAK_FIELDS}
        data |= dict(zip(TIE_BREAK_FIELDS, asked["tie_breaks"], strict=False))
    return data


def _edit_basis_of(request: Request, tournament: Tournament) -> str:
    tags = parse_etags(request.headers.get("If-Match", ""))
    if not tags:
        detail = _("Send the ETag of the settings that you have read in the header “%(header)s”.")
        raise Refused("if_match", detail % {"header": "If-Match"}, status_code=status.HTTP_428_PRECONDITION_REQUIRED)
    current = tournament_edit_basis(tournament)
    return current if "*" in tags or f'"{current}"' in tags else tags[0].strip('"')


def _settings_response(tournament: Tournament) -> Response:
    data = TournamentSettingsSerializer(_tournament_settings_of(tournament)).data
    return Response(data, headers={"ETag": f'"{tournament_edit_basis(tournament)}"'})
