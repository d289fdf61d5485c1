"""Pages of teams, below ``/teams/``."""

from django.urls import path

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
