"""Addresses of teams in the API, below ``/api/teams/``."""

from django.urls import path

from teams import api

app_name = "api-teams"
urlpatterns = [
    path("", api.TeamsView.as_view(), name="list"),
    path("join/", api.TeamJoinView.as_view(), name="join"),
    path("<slug:slug>/", api.TeamView.as_view(), name="team"),
    path("<slug:slug>/leave/", api.TeamLeaveView.as_view(), name="leave"),
    path("<slug:slug>/links/", api.TeamLinksView.as_view(), name="links"),
    path("<slug:slug>/links/<int:link_id>/", api.TeamLinkView.as_view(), name="link"),
    path("<slug:slug>/members/<str:username>/", api.TeamMemberView.as_view(), name="member"),
    path("<slug:slug>/members/<str:username>/captain/", api.TeamCaptainView.as_view(), name="captain"),
]
