"""Pages of series, below ``/series/``."""

from django.urls import path

from series import api
from series.views import certificates, organising, pages

app_name = "series"
urlpatterns = [
    path("", pages.series_list, name="list"),
    path("new/", organising.create, name="create"),
    path("<slug:slug>/", pages.detail, name="detail"),
    path("<slug:slug>/end/", organising.end, name="end"),
    path("<slug:slug>/certificates/", certificates.certificates, name="certificates"),
    path("<slug:slug>/certificates/<int:bot_id>/", certificates.certificate, name="certificate"),
    path("<slug:slug>/edit/", organising.edit, name="edit"),
    path("<slug:slug>/delete/", organising.delete, name="delete"),
    path("<slug:slug>/add/", organising.add, name="add"),
    path("<slug:slug>/remove/<slug:tournament>/", organising.remove, name="remove"),
]


api_urlpatterns = [
    path("", api.SeriesListView.as_view(), name="list"),
    path("<slug:slug>/", api.SeriesView.as_view(), name="detail"),
    path("<slug:slug>/end/", api.SeriesEndView.as_view(), name="end"),
    path("<slug:slug>/standings/", api.SeriesStandingsView.as_view(), name="standings"),
    path("<slug:slug>/events/", api.SeriesEventsView.as_view(), name="events"),
    path("<slug:slug>/events/<slug:tournament>/", api.SeriesEventView.as_view(), name="event"),
]
