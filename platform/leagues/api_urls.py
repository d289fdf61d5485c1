"""Addresses of leagues in the API, below ``/api/leagues/``."""

from django.urls import path

from leagues import api, joining_api, organising_api

app_name = "api-leagues"
urlpatterns = [
    path("", api.LeaguesView.as_view(), name="list"),
    path("<slug:slug>/", api.LeagueView.as_view(), name="detail"),
    path("<slug:slug>/settings/", organising_api.LeagueSettingsView.as_view(), name="settings"),
    *organising_api.act_paths(),
    path("<slug:slug>/members/", joining_api.MembersView.as_view(), name="members"),
    path("<slug:slug>/members/<slug:bot>/", joining_api.MemberView.as_view(), name="member"),
    path("<slug:slug>/seasons/", api.SeasonsView.as_view(), name="seasons"),
    path("<slug:slug>/seasons/<int:number>/ladder/", api.SeasonLadderView.as_view(), name="ladder"),
    path("<slug:slug>/seasons/<int:number>/pairs/", api.SeasonPairsView.as_view(), name="pairs"),
    path("<slug:slug>/seasons/<int:number>/near-copies/", api.NearCopiesView.as_view(), name="near-copies"),
    path("<slug:slug>/seasons/<int:number>/matches/", api.SeasonMatches.as_view(), name="matches"),
    *organising_api.export_paths(),
]
