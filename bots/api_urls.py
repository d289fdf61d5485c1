"""Addresses of bots in the API, below ``/api/``."""

from django.urls import path

from bots import api

app_name = "api"
urlpatterns = [
    path("bots/", api.BotsView.as_view(), name="bots"),
    path("bots/<slug:slug>/", api.BotView.as_view(), name="bot"),
    path("bots/<slug:slug>/versions/", api.VersionsView.as_view(), name="versions"),
    path("bots/<slug:slug>/versions/<int:number>/", api.VersionView.as_view(), name="version"),
    path("bots/<slug:slug>/versions/<int:number>/source/", api.SourceView.as_view(), name="source"),
    path("bots/<slug:slug>/versions/<int:number>/make-current/", api.MakeCurrentView.as_view(), name="make-current"),
]
