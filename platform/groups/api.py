"""Groups over the API: the list, one group, its members, joining and leaving."""

from functools import cached_property
from typing import Any, Final, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from groups import services
from groups.errors import NoWayIn
from groups.models import Group, GroupMember
from groups.selectors import group_members_of, group_roles_of, groups_visible, may_manage_group
from groups.serializers import GroupMemberSerializer, GroupSerializer, JoinSerializer
from groups.views.lookups import managed_group, owned_group, seen_group
from web.api_errors import Refused, api_error_descriptions
from web.api_view import API, Item, JSONBody, Listing
from web.invitations import GUESSES, invitation_token_digests

ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 409, 429, 503)


def group_api_user(request: Request) -> AbstractUser:
    """Return the signed-in user of a request."""
    return cast(AbstractUser, request.user)


class GroupsView(Listing):
    """My groups, and then the other listed groups."""

    serializer_class: Any = GroupSerializer
    parser_classes = (JSONBody,)

    def get_queryset(self) -> QuerySet[Group]:
        own = GroupMember.objects.filter(group=OuterRef("pk"), person=self.request.user.pk)
        return groups_visible(self.request.user).order_by(Exists(own).desc(), "name", "pk")

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "roles": group_roles_of(self.request.user)}

    @extend_schema(
        summary="Create a group",
        description="For organisers. The creator becomes the owner.",
        request=GroupSerializer,
        responses={201: GroupSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        sent = self.get_serializer(data=request.data)
        sent.is_valid(raise_exception=True)
        group = services.group_create(by=group_api_user(request), **{"kind": "class", **sent.validated_data})
        headers = {"Location": reverse("api-groups:group", args=[group.slug])}
        data = GroupSerializer(group, context=self.get_serializer_context()).data
        return Response(data, status=status.HTTP_201_CREATED, headers=headers)


class GroupView(Item):
    """A group of mine, or a listed one."""

    serializer_class: Any = GroupSerializer
    parser_classes = (JSONBody,)

    def get_object(self) -> Group:
        return get_object_or_404(groups_visible(self.request.user), slug=self.kwargs["slug"])

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "roles": group_roles_of(self.request.user)}

    @extend_schema(
        summary="Change a group",
        description="For owners.",
        request=GroupSerializer,
        responses={200: GroupSerializer, **ERRORS},
    )
    def patch(self, request: Request, slug: str) -> Response:
        group = owned_group(cast(HttpRequest, request), slug)
        sent = self.get_serializer(group, data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        now = {name: getattr(group, name) for name in ("name", "kind", "is_listed", "uses_aliases")}
        group = services.group_update(group=group, by=group_api_user(request), **{**now, **sent.validated_data})
        return Response(self.get_serializer(group).data)


class LeaveView(API):
    """Leave a group."""

    write_scope = "upload"
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Leave a group",
        description="My bots play no further rounds of the group's events. Results stay.",
        request=None,
        responses={204: None, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        services.group_member_leave(group=seen_group(cast(HttpRequest, request), slug), person=group_api_user(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class JoinView(API):
    """Join a group."""

    write_scope = "upload"
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Join a group",
        description="Owners and staff then see my user name and their roster's data about me. Other members see my user"
        " name, or an alias if the group uses aliases. 409 `invitation`: the code does not work.",
        request=JoinSerializer,
        responses={200: GroupSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        sent = JoinSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        asker = cast(HttpRequest, request)
        if not GUESSES.may_try(asker):
            detail = _("Too many attempts. Wait ten minutes, then try again.")
            wait = GUESSES.seconds_left(asker)
            raise Refused("throttled", detail, "code", status.HTTP_429_TOO_MANY_REQUESTS, wait)
        try:
            member = services.group_member_join(
                person=group_api_user(request), digests=invitation_token_digests(sent.validated_data["code"])
            )
        except NoWayIn:
            GUESSES.count(asker)
            raise
        context = {"request": request, "roles": {member.group_id: member.role}}
        return Response(GroupSerializer(member.group, context=context).data)


class _OfMembers:
    """The base of views of members. It finds the group, and whether the user may manage it."""

    request: Any
    kwargs: Any

    @cached_property
    def group(self) -> Group:
        return seen_group(self.request, self.kwargs["slug"])

    def get_serializer_context(self) -> dict[str, Any]:
        of_base: dict[str, Any] = super().get_serializer_context()  # type: ignore[misc]
        return {**of_base, "group": self.group, "manages": may_manage_group(self.request.user, self.group)}


class GroupMembersView(_OfMembers, Listing):
    """The members of a group, for its members."""

    serializer_class: Any = GroupMemberSerializer
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> QuerySet[GroupMember]:
        return group_members_of(self.group)


class GroupMemberView(_OfMembers, Item):
    """A member of a group, for its owners and staff."""

    serializer_class: Any = GroupMemberSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @cached_property
    def group(self) -> Group:
        return managed_group(self.request, self.kwargs["slug"])

    def get_object(self) -> GroupMember:
        return get_object_or_404(group_members_of(self.group), person__username=self.kwargs["username"])

    @extend_schema(
        summary="Change a member",
        description="For owners and staff. Only owners may change the role.",
        request=GroupMemberSerializer,
        responses={200: GroupMemberSerializer, **ERRORS},
    )
    def patch(self, request: Request, slug: str, username: str) -> Response:
        member = self.get_object()
        sent = self.get_serializer(member, data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        fields = {
            name: sent.validated_data.get(name, getattr(member, name)) or ""
            for name in ("alias", "roster_id", "cohort")
        }
        fields["role"] = sent.validated_data.get("role", "")
        services.group_member_update(group=self.group, person_id=member.person_id, by=group_api_user(request), **fields)
        return Response(self.get_serializer(self.get_object()).data)

    @extend_schema(
        summary="Remove a member",
        description="For owners and staff. Only owners may remove owners and staff. Results stay.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str, username: str) -> Response:
        member = self.get_object()
        if not services.group_member_remove(group=self.group, person_id=member.person_id, by=group_api_user(request)):
            raise Http404
        return Response(status=status.HTTP_204_NO_CONTENT)
