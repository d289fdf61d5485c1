"""Pages of series, below ``/series/``."""

from django.urls import path

from series import api, views

app_name = "series"
urlpatterns = [
    path("", views.series_list_view, name="list"),
    path("new/", views.series_create_view, name="create"),
    path("<slug:slug>/", views.series_detail_view, name="detail"),
    path("<slug:slug>/feed/", views.series_feed_view, name="feed"),
    path("<slug:slug>/end/", views.series_end_view, name="end"),
    path("<slug:slug>/certificates/", views.series_certificates_view, name="certificates"),
    path("<slug:slug>/certificates/<int:bot_id>/", views.series_certificate_view, name="certificate"),
    path("<slug:slug>/edit/", views.series_edit_view, name="edit"),
    path("<slug:slug>/delete/", views.series_delete_view, name="delete"),
    path("<slug:slug>/add/", views.series_event_add_view, name="add"),
    path("<slug:slug>/remove/<slug:tournament>/", views.series_event_remove_view, name="remove"),
]


api_urlpatterns = [
    path("", api.SeriesListView.as_view(), name="list"),
    path("<slug:slug>/", api.SeriesView.as_view(), name="detail"),
    path("<slug:slug>/end/", api.SeriesEndView.as_view(), name="end"),
    path("<slug:slug>/standings/", api.SeriesStandingsView.as_view(), name="standings"),
    path("<slug:slug>/events/", api.SeriesEventsView.as_view(), name="events"),
    path("<slug:slug>/events/<slug:tournament>/", api.SeriesEventView.as_view(), name="event"),
]
