"""Addresses of leagues, below ``/leagues/``."""

from django.urls import path, re_path

from leagues.actions import ACTIONS
from leagues.views import downloads, organising, pages, sharing

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
    path("<slug:slug>/seasons/<int:number>/pairs/", pages.pairs, name="pairs"),
    path("<slug:slug>/seasons/<int:number>/matches/<int:match_number>/", pages.match, name="match"),
    path("<slug:slug>/seasons/<int:number>/export/<str:name>", downloads.export, name="export"),
    path("<slug:slug>/seasons/<int:number>/dataset/", downloads.dataset, name="dataset"),
    path("<slug:slug>/seasons/<int:number>/dataset/<str:name>", downloads.download, name="dataset-file"),
    re_path(rf"^(?P<slug>[-\w]+)/(?P<action>{'|'.join(ACTIONS)})/$", organising.act, name="act"),
]
