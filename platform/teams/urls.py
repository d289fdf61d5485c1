"""URLs of teams, below ``/teams/``."""

from django.urls import path

from teams import api, views

app_name = "teams"
urlpatterns = [
    path("", views.team_list_view, name="list"),
    path("new/", views.team_create_view, name="create"),
    path("join/", views.team_join_view, name="join"),
    path("join/accept/", views.team_link_accept_view, name="accept"),
    path("join/<str:token>/", views.team_link_follow_view, name="follow"),
    path("<slug:slug>/", views.team_detail_view, name="detail"),
    path("<slug:slug>/leave/", views.team_leave_view, name="leave"),
    path("<slug:slug>/links/", views.team_link_create_view, name="links"),
    path("<slug:slug>/links/<int:link_id>/revoke/", views.team_link_revoke_view, name="revoke"),
    path("<slug:slug>/members/<int:user_id>/remove/", views.team_member_remove_view, name="remove"),
    path("<slug:slug>/members/<int:user_id>/captain/", views.team_captain_view, name="captain"),
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
