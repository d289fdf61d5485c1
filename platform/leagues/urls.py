"""URLs of the pages of leagues, below ``/leagues/``."""

from django.urls import path, re_path

from contests.actions import action_api_view, action_button_paths, action_operation
from contests.exports_api import exports_api_paths, prepared_exports_api_paths
from leagues import api, comparing_api, organising_api
from leagues.serializers import LeagueDetailSerializer, SeasonSerializer
from leagues.views import comparing, downloads, organising, pages, sharing
from leagues.views.downloads import season_dataset_file_view
from leagues.views.organising import ACTIONS, DATASET, HOUSE_BOTS
from matches.datasets.page import dataset_exports

app_name = "leagues"
urlpatterns = [
    path("", pages.league_list_view, name="list"),
    path("new/", organising.league_create_view, name="create"),
    path("<slug:slug>/", pages.league_detail_view, name="detail"),
    path("<slug:slug>/live/", pages.league_live_view, name="live"),
    path("<slug:slug>/embed/", sharing.league_embed_view, name="embed"),
    path("<slug:slug>/feed/", sharing.league_feed_view, name="feed"),
    path("<slug:slug>/preview.png", sharing.league_preview_picture_view, name="preview"),
    path("<slug:slug>/screen/", sharing.league_screen_view, name="screen"),
    path("<slug:slug>/edit/", organising.league_edit_view, name="edit"),
    path("<slug:slug>/join/", organising.league_join_view, name="join"),
    path("<slug:slug>/leave/<int:membership_id>/", organising.league_leave_view, name="leave"),
    path("<slug:slug>/bots/<slug:bot>/", pages.season_bot_view, name="bot"),
    path("<slug:slug>/bots/<slug:bot>/badge.svg", sharing.league_badge_view, name="badge"),
    path("<slug:slug>/seasons/<int:number>/", pages.season_detail_view, name="season"),
    path("<slug:slug>/seasons/<int:number>/head-to-head/", comparing.season_head_to_head_view, name="head-to-head"),
    path("<slug:slug>/seasons/<int:number>/compare/", comparing.season_compare_view, name="compare"),
    path("<slug:slug>/seasons/<int:number>/pairs/", pages.season_pairs_view, name="pairs"),
    path("<slug:slug>/seasons/<int:number>/matches/<int:match_number>/", pages.season_match_view, name="match"),
    path("<slug:slug>/seasons/<int:number>/export/<str:name>", downloads.season_export_view, name="export"),
    path("<slug:slug>/seasons/<int:number>/dataset/", downloads.season_dataset_view, name="dataset"),
    path(
        "<slug:slug>/seasons/<int:number>/dataset/<str:name>",
        downloads.season_dataset_download_view,
        name="dataset-file",
    ),
    re_path(rf"^(?P<slug>[-\w]+)/(?P<action>{'|'.join(ACTIONS)})/$", organising.league_act_view, name="act"),
]


api_urlpatterns = [
    path("", api.LeaguesView.as_view(), name="list"),
    path("<slug:slug>/", api.LeagueView.as_view(), name="detail"),
    path("<slug:slug>/settings/", organising_api.LeagueSettingsView.as_view(), name="settings"),
    *action_button_paths(
        {**ACTIONS, "house-bots": HOUSE_BOTS},
        *("leagues", LeagueDetailSerializer),
        shown=organising_api.league_organising_answer,
    ),
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
        action_api_view(
            put=action_operation(DATASET, SeasonSerializer, operation_id="leagues_seasons_dataset", status_code=200)
        ),
        name="dataset",
    ),
    *prepared_exports_api_paths(
        "<slug:slug>/seasons/<int:number>/export",
        *dataset_exports(season_dataset_file_view, "leagues_seasons_export_dataset", "a season"),
    ),
    *exports_api_paths(organising_api.FILES, "<slug:slug>/seasons/<int:number>/export", "leagues_seasons_export"),
]
