"""Addresses of tournaments in the API, below ``/api/tournaments/``."""

from functools import partial

from django.urls import path

from contests.actions import action_api_view, action_button_paths, action_operation
from contests.exports_api import exports_api_paths
from tournaments import (
    api,
    entering_api,
    exports_api,
    forbidden_pairs_api,
    ladder_cup_api,
    rounds_api,
    ruling_api,
    schedule_api,
    settings_api,
    template_api,
)
from tournaments.actions import ACTIONS, BUTTONS, NonceSerializer
from tournaments.copying import CopyView
from tournaments.estimate_api import EstimateView
from tournaments.serializers import TournamentDetailSerializer
from tournaments.settings_api import ERRORS
from tournaments.views.ceremonies import ACTS as CEREMONY_ACTS

operation_of = partial(action_operation, errors=ERRORS)
PUBLISH = operation_of(ACTIONS["publish"], TournamentDetailSerializer, shown=api.tournament_api_detail, status_code=200)
DATASET = operation_of(ACTIONS["dataset"], TournamentDetailSerializer, shown=api.tournament_api_detail, status_code=200)
ADD_LUCK = operation_of(ACTIONS["add-luck"], NonceSerializer, status_code=201)

app_name = "api-tournaments"
urlpatterns = [
    path("", api.TournamentsView.as_view(), name="list"),
    path("new/estimate/", EstimateView.as_view(), name="estimate"),
    path("new/templates/", template_api.TemplatesView.as_view(), name="templates"),
    path("new/templates/<int:template_id>/", template_api.TemplateView.as_view(), name="template"),
    path("new/templates/<int:template_id>/tournaments/", template_api.FromTemplateView.as_view(), name="from-template"),
    path("<slug:slug>/", api.TournamentView.as_view(), name="detail"),
    path("<slug:slug>/settings/", settings_api.SettingsView.as_view(), name="settings"),
    *action_button_paths(
        BUTTONS, "tournaments", TournamentDetailSerializer, shown=api.tournament_api_detail, errors=ERRORS
    ),
    path("<slug:slug>/publication/", action_api_view(put=PUBLISH), name="publication"),
    path("<slug:slug>/ceremony/", schedule_api.CeremonyView.as_view(), name="ceremony"),
    *(
        path(
            f"<slug:slug>/ceremony/{act}/",
            action_api_view(post=schedule_api.schedule_api_ceremony_act(act)),
            name=f"ceremony-{act}",
        )
        for act in CEREMONY_ACTS
    ),
    path("<slug:slug>/luck/", action_api_view("upload", post=ADD_LUCK), name="luck"),
    path("<slug:slug>/entries/", api.EntriesView.as_view(), name="entries"),
    path("<slug:slug>/entries/<slug:bot>/", api.EntryView.as_view(), name="entry"),
    path("<slug:slug>/entries/<slug:bot>/answers/", entering_api.EntryAnswersView.as_view(), name="entry-answers"),
    path("<slug:slug>/entries/<slug:bot>/category/", entering_api.EntryCategoryView.as_view(), name="entry-category"),
    path("<slug:slug>/registration/", entering_api.RegistrationView.as_view(), name="registration"),
    path(
        "<slug:slug>/registration/<int:number>/",
        entering_api.RegistrationQuestionView.as_view(),
        name="registration-question",
    ),
    path("<slug:slug>/answers/", entering_api.AnswersView.as_view(), name="answers"),
    path("<slug:slug>/invitation/", entering_api.InvitationView.as_view(), name="invitation"),
    path("<slug:slug>/copy/", CopyView.as_view(), name="copy"),
    path("<slug:slug>/arbiters/", rounds_api.ArbitersView.as_view(), name="arbiters"),
    path("<slug:slug>/arbiters/<str:username>/", rounds_api.ArbiterView.as_view(), name="arbiter"),
    path("<slug:slug>/forbidden-pairs/", forbidden_pairs_api.ForbiddenPairsView.as_view(), name="forbidden-pairs"),
    path(
        "<slug:slug>/forbidden-pairs/<int:pk>/",
        action_api_view(delete=operation_of(ACTIONS["let-meet"])),
        name="forbidden-pair",
    ),
    path("<slug:slug>/kept-groups/", forbidden_pairs_api.KeptGroupsView.as_view(), name="kept-groups"),
    path(
        "<slug:slug>/kept-groups/<int:pk>/",
        action_api_view(delete=operation_of(ACTIONS["let-group-meet"])),
        name="kept-group",
    ),
    path("<slug:slug>/rounds/", rounds_api.RoundsView.as_view(), name="rounds"),
    path("<slug:slug>/rounds/<int:number>/", rounds_api.RoundView.as_view(), name="round"),
    path("<slug:slug>/rounds/<int:number>/start/", rounds_api.RoundStartView.as_view(), name="round-start"),
    path("<slug:slug>/rounds/<int:number>/swap/", rounds_api.SwapView.as_view(), name="swap"),
    path("<slug:slug>/rounds/<int:number>/premiere/", schedule_api.PremiereView.as_view(), name="premiere"),
    path("<slug:slug>/timeline/", schedule_api.TimelineView.as_view(), name="timeline"),
    path("<slug:slug>/plan/", schedule_api.PlanView.as_view(), name="plan"),
    path("<slug:slug>/plan/<int:stage_number>/<int:place>/", schedule_api.PlanRoundView.as_view(), name="plan-round"),
    path("<slug:slug>/dataset/", action_api_view(put=DATASET), name="dataset"),
    *exports_api.PREPARED_PATHS,
    path("<slug:slug>/sources/", exports_api.SourcesView.as_view(), name="sources"),
    path("<slug:slug>/sources/<slug:bot>/file/", exports_api.SourceFileView.as_view(), name="source-file"),
    path("<slug:slug>/standings/", api.StandingsView.as_view(), name="standings"),
    path("<slug:slug>/ratings/", api.RatingsView.as_view(), name="ratings"),
    path("<slug:slug>/rulings/", ruling_api.RulingsAndNewView.as_view(), name="rulings"),
    path("<slug:slug>/rulings/preview/", ruling_api.PreviewView.as_view(), name="ruling-preview"),
    path("<slug:slug>/matches/", api.TournamentMatchesView.as_view(), name="matches"),
    *exports_api_paths(exports_api.FILES, "<slug:slug>/export", "tournaments_export"),
    path("<slug:slug>/export/stage-<int:number>.trf", exports_api.ReportView.as_view(), name="report"),
]


cup_urlpatterns = [
    path("", ladder_cup_api.LadderCupsView.as_view(), name="list"),
    path("weekly/", ladder_cup_api.WeeklyCupView.as_view(), name="weekly"),
    path("field/", ladder_cup_api.LadderFieldView.as_view(), name="field"),
]
