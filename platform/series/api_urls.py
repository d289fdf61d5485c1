"""Addresses of series in the API, below ``/api/series/``."""

from django.urls import path

from series import api

app_name = "api-series"
urlpatterns = [
    path("", api.SeriesListView.as_view(), name="list"),
    path("<slug:slug>/", api.SeriesView.as_view(), name="detail"),
    path("<slug:slug>/end/", api.SeriesEndView.as_view(), name="end"),
    path("<slug:slug>/standings/", api.SeriesStandingsView.as_view(), name="standings"),
    path("<slug:slug>/events/", api.SeriesEventsView.as_view(), name="events"),
    path("<slug:slug>/events/<slug:tournament>/", api.SeriesEventView.as_view(), name="event"),
]
