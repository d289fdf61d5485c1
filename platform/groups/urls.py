"""Pages of groups, below ``/groups/``, and the way in at ``/join/``."""

from django.urls import path

from groups.views import invitations, joining, members, pages, roster

app_name = "groups"
urlpatterns = [
    path("groups/", pages.group_list, name="list"),
    path("groups/new/", pages.create, name="create"),
    path("groups/<slug:slug>/", pages.detail, name="detail"),
    path("groups/<slug:slug>/edit/", pages.edit, name="edit"),
    path("groups/<slug:slug>/leave/", pages.leave, name="leave"),
    path("groups/<slug:slug>/members/", members.members, name="members"),
    path("groups/<slug:slug>/members/export/", members.export, name="export"),
    path("groups/<slug:slug>/members/<int:user_id>/", members.member, name="member"),
    path("groups/<slug:slug>/members/<int:user_id>/remove/", members.remove, name="remove"),
    path("groups/<slug:slug>/roster/", roster.roster, name="roster"),
    path("groups/<slug:slug>/roster/apply/", roster.apply, name="roster-apply"),
    path("groups/<slug:slug>/roster/<int:row_id>/remove/", roster.row_remove, name="row-remove"),
    path("groups/<slug:slug>/invitations/", invitations.invitations, name="invitations"),
    path("groups/<slug:slug>/invitations/<uuid:batch>/renew/", invitations.renew, name="renew"),
    path("groups/<slug:slug>/invitations/<uuid:batch>/revoke/", invitations.revoke, name="revoke"),
    path("groups/<slug:slug>/slips/", invitations.slips, name="slips"),
    path("join/", joining.join, name="join"),
    path("join/accept/", joining.accept, name="accept"),
    path("join/<str:token>/", joining.follow, name="follow"),
]
