"""Addresses of matches in the API, below ``/api/matches/``."""

from django.urls import URLPattern, path

from matches.airing.api import BroadcastView
from matches.pages import api

app_name = "api-matches"
urlpatterns: list[URLPattern] = [
    path("", api.MatchesView.as_view(), name="list"),
    path("<int:pk>/", api.MatchView.as_view(), name="detail"),
    path("<int:pk>/broadcast/", BroadcastView.as_view(), name="broadcast"),
    path("<int:pk>/games/", api.MatchGamesView.as_view(), name="games"),
    path("<int:pk>/games/<int:index>/notes/", api.GameNotesView.as_view(), name="notes"),
    path("<int:pk>/games/<int:index>/record.json", api.GameRecordView.as_view(), name="record"),
    path("<int:pk>/games/<int:index>/record.bin", api.GameRecordBytesView.as_view(), name="record-bytes"),
]
