"""Pages of teams, below ``/teams/``."""

from django.urls import path

from teams import api
from teams.views import joining, leading, pages

app_name = "teams"
urlpatterns = [
    path("", pages.mine, name="list"),
    path("new/", pages.create, name="create"),
    path("join/", joining.join, name="join"),
    path("join/accept/", joining.accept, name="accept"),
    path("join/<str:token>/", joining.follow, name="follow"),
    path("<slug:slug>/", pages.detail, name="detail"),
    path("<slug:slug>/leave/", pages.leave, name="leave"),
    path("<slug:slug>/links/", leading.links, name="links"),
    path("<slug:slug>/links/<int:link_id>/revoke/", leading.revoke, name="revoke"),
    path("<slug:slug>/members/<int:user_id>/remove/", leading.remove, name="remove"),
    path("<slug:slug>/members/<int:user_id>/captain/", leading.captain, name="captain"),
]


api_urlpatterns = [
    path("", api.TeamsView.as_view(), name="list"),
    path("join/", api.TeamJoinView.as_view(), name="join"),
    path("<slug:slug>/", api.TeamView.as_view(), name="team"),
    path("<slug:slug>/leave/", api.TeamLeaveView.as_view(), name="leave"),
    path("<slug:slug>/links/", api.TeamLinksView.as_view(), name="links"),
    path("<slug:slug>/links/<int:link_id>/", api.TeamLinkView.as_view(), name="link"),
    path("<slug:slug>/members/<str:username>/", api.TeamMemberView.as_view(), name="member"),
    path("<slug:slug>/members/<str:username>/captain/", api.TeamCaptainView.as_view(), name="captain"),
]
