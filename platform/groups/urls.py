"""URLs of groups, below ``/groups/``, and of joining, at ``/join/``."""

from django.urls import path

from groups import api, inviting_api
from groups.views import invitations, members, pages, roster

app_name = "groups"
urlpatterns = [
    path("groups/", pages.group_list_view, name="list"),
    path("groups/new/", pages.group_create_view, name="create"),
    path("groups/<slug:slug>/", pages.group_detail_view, name="detail"),
    path("groups/<slug:slug>/edit/", pages.group_edit_view, name="edit"),
    path("groups/<slug:slug>/leave/", pages.group_leave_view, name="leave"),
    path("groups/<slug:slug>/feed/<str:token>/", pages.group_feed_view, name="feed"),
    path("groups/<slug:slug>/members/", members.group_member_list_view, name="members"),
    path("groups/<slug:slug>/members/export/", members.group_members_export_view, name="export"),
    path("groups/<slug:slug>/members/<int:user_id>/", members.group_member_edit_view, name="member"),
    path("groups/<slug:slug>/members/<int:user_id>/remove/", members.group_member_remove_view, name="remove"),
    path("groups/<slug:slug>/roster/", roster.group_roster_view, name="roster"),
    path("groups/<slug:slug>/roster/apply/", roster.group_roster_apply_view, name="roster-apply"),
    path("groups/<slug:slug>/roster/<int:row_id>/remove/", roster.group_roster_row_remove_view, name="row-remove"),
    path("groups/<slug:slug>/invitations/", invitations.group_invitation_list_view, name="invitations"),
    path("groups/<slug:slug>/invitations/<uuid:batch>/renew/", invitations.group_invitation_renew_view, name="renew"),
    path(
        "groups/<slug:slug>/invitations/<uuid:batch>/revoke/", invitations.group_invitation_revoke_view, name="revoke"
    ),
    path("groups/<slug:slug>/slips/", invitations.group_slips_view, name="slips"),
    path("join/", invitations.group_join_view, name="join"),
    path("join/accept/", invitations.group_invitation_accept_view, name="accept"),
    path("join/<str:token>/", invitations.group_invitation_follow_view, name="follow"),
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
