"""URLs of groups, below ``/groups/``, and of joining, at ``/join/``."""

from django.urls import path

from groups import api, inviting_api
from groups.views import invitations, members, pages, roster

app_name = "groups"
urlpatterns = [
    path("groups/", pages.group_list, name="list"),
    path("groups/new/", pages.create, name="create"),
    path("groups/<slug:slug>/", pages.detail, name="detail"),
    path("groups/<slug:slug>/edit/", pages.edit, name="edit"),
    path("groups/<slug:slug>/leave/", pages.leave, name="leave"),
    path("groups/<slug:slug>/feed/<str:token>/", pages.feed, name="feed"),
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
    path("join/", invitations.join, name="join"),
    path("join/accept/", invitations.accept, name="accept"),
    path("join/<str:token>/", invitations.follow, name="follow"),
]


api_urlpatterns = [
    path("", api.GroupsView.as_view(), name="list"),
    path("join/", api.JoinView.as_view(), name="join"),
    path("<slug:slug>/", api.GroupView.as_view(), name="group"),
    path("<slug:slug>/leave/", api.LeaveView.as_view(), name="leave"),
    path("<slug:slug>/members/", api.GroupMembersView.as_view(), name="members"),
    path("<slug:slug>/members/<str:username>/", api.GroupMemberView.as_view(), name="member"),
    path("<slug:slug>/roster/", inviting_api.RosterView.as_view(), name="roster"),
    path("<slug:slug>/roster/preview/", inviting_api.RosterPreviewView.as_view(), name="roster-preview"),
    path("<slug:slug>/roster/<int:row_id>/", inviting_api.RosterRowView.as_view(), name="roster-row"),
    path("<slug:slug>/invitations/", inviting_api.InvitationsView.as_view(), name="invitations"),
    path("<slug:slug>/invitations/<uuid:batch>/", inviting_api.InvitationRevokeView.as_view(), name="invitation"),
    path("<slug:slug>/invitations/<uuid:batch>/renew/", inviting_api.InvitationRenewView.as_view(), name="renew"),
    path("<slug:slug>/slips/", inviting_api.SlipsView.as_view(), name="slips"),
]
