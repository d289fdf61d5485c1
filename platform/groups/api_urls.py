"""Addresses of groups in the API, below ``/api/groups/``."""

from django.urls import path

from groups import api, inviting_api

app_name = "api-groups"
urlpatterns = [
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
