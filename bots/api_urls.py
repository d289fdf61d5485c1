"""Addresses of bots in the API, below ``/api/``."""

from django.urls import path

from bots import api

app_name = "api"
urlpatterns = [
    path("bots/", api.Bots.as_view(), name="bots"),
    path("bots/<slug:slug>/", api.OneBot.as_view(), name="bot"),
    path("bots/<slug:slug>/results/", api.Results.as_view(), name="results"),
    path("bots/<slug:slug>/failures/", api.Failures.as_view(), name="failures"),
    path("bots/<slug:slug>/versions/", api.Versions.as_view(), name="versions"),
    path("bots/<slug:slug>/versions/<int:number>/", api.Version.as_view(), name="version"),
    path("bots/<slug:slug>/versions/<int:number>/make-current/", api.MakeCurrent.as_view(), name="make-current"),
]
