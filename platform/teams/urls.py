"""Pages of teams, below ``/teams/``."""

from django.urls import path

from teams import api, views

app_name = "teams"
urlpatterns = [
    path("", views.mine, name="list"),
    path("new/", views.create, name="create"),
    path("join/", views.join, name="join"),
    path("join/accept/", views.accept, name="accept"),
    path("join/<str:token>/", views.follow, name="follow"),
    path("<slug:slug>/", views.detail, name="detail"),
    path("<slug:slug>/leave/", views.leave, name="leave"),
    path("<slug:slug>/links/", views.links, name="links"),
    path("<slug:slug>/links/<int:link_id>/revoke/", views.revoke, name="revoke"),
    path("<slug:slug>/members/<int:user_id>/remove/", views.remove, name="remove"),
    path("<slug:slug>/members/<int:user_id>/captain/", views.captain, name="captain"),
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
