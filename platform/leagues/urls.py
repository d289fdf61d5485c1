"""URLs of leagues, below ``/leagues/``."""

from django.urls import path, re_path

from contests.actions import acting, button_paths, operation
from contests.exports_api import export_paths, prepared_paths
from leagues import api, comparing_api, organising_api
from leagues.serializers import LeagueDetailSerializer, SeasonSerializer
from leagues.views import comparing, downloads, organising, pages, sharing
from leagues.views.downloads import dataset_file
from leagues.views.organising import ACTIONS, DATASET
from matches.datasets.page import dataset_exports

app_name = "leagues"
urlpatterns = [
    path("", pages.league_list, name="list"),
    path("new/", organising.create, name="create"),
    path("<slug:slug>/", pages.league_detail, name="detail"),
    path("<slug:slug>/live/", pages.league_live, name="live"),
    path("<slug:slug>/embed/", sharing.embed, name="embed"),
    path("<slug:slug>/feed/", sharing.feed, name="feed"),
    path("<slug:slug>/preview.png", sharing.picture, name="preview"),
    path("<slug:slug>/screen/", sharing.screen, name="screen"),
    path("<slug:slug>/edit/", organising.edit, name="edit"),
    path("<slug:slug>/join/", organising.join, name="join"),
    path("<slug:slug>/leave/<int:membership_id>/", organising.leave, name="leave"),
    path("<slug:slug>/bots/<slug:bot>/", pages.bot, name="bot"),
    path("<slug:slug>/bots/<slug:bot>/badge.svg", sharing.badge, name="badge"),
    path("<slug:slug>/seasons/<int:number>/", pages.season, name="season"),
    path("<slug:slug>/seasons/<int:number>/head-to-head/", comparing.head_to_head, name="head-to-head"),
    path("<slug:slug>/seasons/<int:number>/compare/", comparing.compare, name="compare"),
    path("<slug:slug>/seasons/<int:number>/pairs/", pages.pairs, name="pairs"),
    path("<slug:slug>/seasons/<int:number>/matches/<int:match_number>/", pages.match, name="match"),
    path("<slug:slug>/seasons/<int:number>/export/<str:name>", downloads.export, name="export"),
    path("<slug:slug>/seasons/<int:number>/dataset/", downloads.dataset, name="dataset"),
    path("<slug:slug>/seasons/<int:number>/dataset/<str:name>", downloads.download, name="dataset-file"),
    re_path(rf"^(?P<slug>[-\w]+)/(?P<action>{'|'.join(ACTIONS)})/$", organising.act, name="act"),
]


api_urlpatterns = [
    path("", api.LeaguesView.as_view(), name="list"),
    path("<slug:slug>/", api.LeagueView.as_view(), name="detail"),
    path("<slug:slug>/settings/", organising_api.LeagueSettingsView.as_view(), name="settings"),
    *button_paths(ACTIONS, "leagues", LeagueDetailSerializer, shown=organising_api.detail_of),
    path("<slug:slug>/members/", api.MembersView.as_view(), name="members"),
    path("<slug:slug>/members/<slug:bot>/", api.MemberView.as_view(), name="member"),
    path("<slug:slug>/seasons/", api.SeasonsView.as_view(), name="seasons"),
    path("<slug:slug>/seasons/<int:number>/ladder/", api.SeasonLadderView.as_view(), name="ladder"),
    path("<slug:slug>/seasons/<int:number>/head-to-head/", comparing_api.HeadToHeadView.as_view(), name="head-to-head"),
    path(
        "<slug:slug>/seasons/<int:number>/compare/<slug:bot>/<slug:other>/",
        comparing_api.CompareView.as_view(),
        name="compare",
    ),
    path("<slug:slug>/seasons/<int:number>/pairs/", api.SeasonPairsView.as_view(), name="pairs"),
    path("<slug:slug>/seasons/<int:number>/near-copies/", api.NearCopiesView.as_view(), name="near-copies"),
    path("<slug:slug>/seasons/<int:number>/matches/", api.SeasonMatches.as_view(), name="matches"),
    path(
        "<slug:slug>/seasons/<int:number>/dataset/",
        acting(put=operation(DATASET, SeasonSerializer, operation_id="leagues_seasons_dataset", status_code=200)),
        name="dataset",
    ),
    *prepared_paths(
        "<slug:slug>/seasons/<int:number>/export",
        *dataset_exports(dataset_file, "leagues_seasons_export_dataset", "a season"),
    ),
    *export_paths(organising_api.FILES, "<slug:slug>/seasons/<int:number>/export", "leagues_seasons_export"),
]
