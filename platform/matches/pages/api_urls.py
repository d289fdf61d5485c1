"""Addresses of matches in the API, below ``/api/matches/``."""

from django.urls import URLPattern, path

from matches.pages import api

app_name = "api-matches"
urlpatterns: list[URLPattern] = [
    path("", api.Matches.as_view(), name="list"),
    path("<int:pk>/", api.OneMatch.as_view(), name="detail"),
    path("<int:pk>/games/", api.Games.as_view(), name="games"),
    path("<int:pk>/games/<int:index>/record.<slug:form>", api.GameRecord.as_view(), name="record"),
]
