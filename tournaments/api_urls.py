"""Addresses of tournaments in the API, below ``/api/tournaments/``."""

from django.urls import path

from tournaments import api, entering_api, premiere_api

app_name = "api-tournaments"
urlpatterns = [
    path("", api.TournamentsView.as_view(), name="list"),
    path("<slug:slug>/", api.TournamentView.as_view(), name="detail"),
    path("<slug:slug>/entries/", api.EntriesView.as_view(), name="entries"),
    path("<slug:slug>/entries/<slug:bot>/", api.EntryView.as_view(), name="entry"),
    path("<slug:slug>/invitation/", entering_api.InvitationView.as_view(), name="invitation"),
    path("<slug:slug>/rounds/", api.RoundsView.as_view(), name="rounds"),
    path("<slug:slug>/rounds/<int:number>/", api.RoundView.as_view(), name="round"),
    path("<slug:slug>/rounds/<int:number>/premiere/", premiere_api.PremiereView.as_view(), name="premiere"),
    path("<slug:slug>/standings/", api.StandingsView.as_view(), name="standings"),
    path("<slug:slug>/ratings/", api.RatingsView.as_view(), name="ratings"),
    path("<slug:slug>/rulings/", api.RulingsView.as_view(), name="rulings"),
    path("<slug:slug>/matches/", api.TournamentMatchesView.as_view(), name="matches"),
]
