"""Addresses of tournaments in the API, below ``/api/tournaments/``."""

from django.urls import path

from tournaments import api, entering_api

app_name = "api-tournaments"
urlpatterns = [
    path("", api.Tournaments.as_view(), name="list"),
    path("<slug:slug>/", api.OneTournament.as_view(), name="detail"),
    path("<slug:slug>/entries/", api.Entries.as_view(), name="entries"),
    path("<slug:slug>/invitation/", entering_api.InvitationLink.as_view(), name="invitation"),
    path("<slug:slug>/rounds/", api.Rounds.as_view(), name="rounds"),
    path("<slug:slug>/rounds/<int:number>/", api.OneRound.as_view(), name="round"),
    path("<slug:slug>/standings/", api.Standings.as_view(), name="standings"),
    path("<slug:slug>/ratings/", api.Ratings.as_view(), name="ratings"),
    path("<slug:slug>/rulings/", api.Rulings.as_view(), name="rulings"),
    path("<slug:slug>/matches/", api.TournamentMatches.as_view(), name="matches"),
]
