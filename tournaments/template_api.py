"""The API of templates for tournaments: save, rename and delete them, and create a tournament from one."""

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from contests.permissions import organiser_permission_require
from contests.terms_api import terms_form_require_valid
from tournaments.api import tournament_api_created
from tournaments.models import TournamentTemplate
from tournaments.selectors.entering.visible import tournament_templates_visible
from tournaments.serializers import TournamentDetailSerializer
from tournaments.services import tournament_create_from, tournament_template_delete, tournament_template_rename
from tournaments.settings_api import ERRORS, TournamentSettingsSerializer, settings_api_form
from tournaments.template_settings import TemplateForm, template_settings_save, template_settings_times_mover
from tournaments.views.lookups import own_tournament, tournament_template_or_404
from web.api_examples import GAME, api_example_shown, serializer_example
from web.api_view import API, Item, JSONBody, Listing
from web.requests import request_user


@api_example_shown(name="Friday cup", group="class-7b", game=GAME, questions=2, planned_rounds=1)
class TemplateSerializer(serializers.ModelSerializer[TournamentTemplate]):
    """A template for tournaments."""

    group = serializers.SlugField(
        source="group.slug",
        default=None,
        allow_null=True,
        help_text="The group whose organisers may use it; null: only me.",
    )
    game = serializers.CharField(source="fields.game")
    questions = serializers.SerializerMethodField(help_text="The number of questions to entrants.")
    planned_rounds = serializers.SerializerMethodField(
        help_text="The number of rounds with a time or premiere of their own."
    )

    class Meta:
        model = TournamentTemplate
        fields = ("id", "name", "group", "game", "questions", "planned_rounds", "created_at")
        read_only_fields = fields

    def get_questions(self, template: TournamentTemplate) -> int:
        return len(template.registration)

    def get_planned_rounds(self, template: TournamentTemplate) -> int:
        return len(template.plans)


@serializer_example(name="Friday cup")
class TemplateNameSerializer(serializers.Serializer[Any]):
    """The name of a template."""

    name = serializers.CharField(max_length=80)


@serializer_example(name="Friday cup", tournament="harvest-cup", group=None)
class NewTemplateSerializer(TemplateNameSerializer):
    """A tournament to save as a template. With ``group``, all organisers of the group may use it."""

    tournament = serializers.SlugField()
    group = serializers.SlugField(required=False, allow_null=True, default=None)


@serializer_example(name="Friday cup 8", first_round_at="2027-01-30T19:00:00Z")
class FromTemplateSerializer(TournamentSettingsSerializer):
    """The settings of a tournament from a template. Omitted fields are as in the template."""

    name = serializers.CharField(max_length=80)


class TemplatesView(Listing):
    """The templates that I may use, by name. For organisers."""

    permission_classes = (IsAuthenticated,)
    serializer_class: Any = TemplateSerializer
    parser_classes = (JSONBody,)

    def get_queryset(self) -> QuerySet[TournamentTemplate]:
        organiser_permission_require(self.request.user)
        return tournament_templates_visible(self.request.user)

    @extend_schema(
        summary="Save a tournament as a template",
        description="The template has its settings, questions, and times of single rounds. For its organiser.",
        request=NewTemplateSerializer,
        responses={201: TemplateSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        organiser = request_user(request)
        organiser_permission_require(organiser)
        sent = NewTemplateSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        data = sent.validated_data
        tournament = own_tournament(request, data["tournament"])
        form = TemplateForm({"name": data["name"], "group": data["group"] or ""}, organiser=organiser)
        terms_form_require_valid(form)
        made = template_settings_save(tournament=tournament, by=organiser, **form.cleaned_data)
        headers = {"Location": reverse("api-tournaments:template", args=[made.pk])}
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED, headers=headers)


class TemplateView(Item):
    """A template."""

    permission_classes = (IsAuthenticated,)
    serializer_class: Any = TemplateSerializer
    parser_classes = (JSONBody,)

    def get_object(self) -> TournamentTemplate:
        return tournament_template_or_404(self.request, self.kwargs["template_id"])

    @extend_schema(
        summary="Rename a template",
        request=TemplateNameSerializer,
        responses={200: TemplateSerializer, **ERRORS},
    )
    def patch(self, request: Request, template_id: int) -> Response:
        template = self.get_object()
        sent = TemplateNameSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        form = TemplateForm({"name": sent.validated_data["name"]}, organiser=request_user(request))
        terms_form_require_valid(form)
        return Response(
            self.get_serializer(tournament_template_rename(template=template, name=form.cleaned_data["name"])).data
        )

    @extend_schema(
        summary="Delete a template",
        description="Tournaments that were created from it stay.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, template_id: int) -> Response:
        tournament_template_delete(template=self.get_object())
        return Response(status=status.HTTP_204_NO_CONTENT)


class FromTemplateView(API):
    """A draft with the settings of a template."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Create a tournament from a template",
        description="Creates a draft with its settings, questions and times of single rounds. All times move so that"
        " the first round is at `first_round_at`. Without this field, they move by whole weeks into the future.",
        request=FromTemplateSerializer,
        responses={201: TournamentDetailSerializer, **ERRORS},
    )
    def post(self, request: Request, template_id: int) -> Response:
        template = tournament_template_or_404(request, template_id)
        settings = settings_api_form(request, FromTemplateSerializer, template).cleaned_data["settings"]
        moved = template_settings_times_mover(template, settings)
        made = tournament_create_from(organiser=request_user(request), template=template, moved=moved, **settings)
        return tournament_api_created(request, made.slug)
