"""Invitations to a group and its roster over the API, for its owners and staff."""

from functools import cached_property
from typing import Any, cast
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from groups import services
from groups.api import ERRORS, group_api_user
from groups.models import Group, GroupInvitation, RosterRow
from groups.roster_csv import TEXT_MOST, RosterLine, RosterTooLarge, group_roster_read
from groups.roster_plan import group_roster_plan
from groups.selectors import WayIn, group_roster_rows_of, group_roster_rows_to_print, group_ways_in
from groups.serializers import (
    InvitingSerializer,
    MadeInvitationSerializer,
    MadeSlipsSerializer,
    RosterApplySerializer,
    RosterPlanSerializer,
    RosterRowSerializer,
    RosterTextSerializer,
    SlipsSerializer,
    WayInSerializer,
)
from groups.views.lookups import managed_group
from web.api_errors import Refused
from web.api_view import API, JSONBody, Listing

NO_STORE = {"Cache-Control": "no-store"}  # a response with a token must not be stored


class _Managed:
    """The base of these views. It finds the group if the user may manage it."""

    request: Any
    kwargs: Any

    @cached_property
    def group(self) -> Group:
        return managed_group(cast(HttpRequest, self.request), self.kwargs["slug"])


class InvitationsView(_Managed, Listing):
    """The valid invitations of a group. Their tokens are not shown again."""

    serializer_class: Any = WayInSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    def get_queryset(self) -> list[WayIn]:  # type: ignore[override]  # any sequence can be paginated
        return group_ways_in(self.group)

    @extend_schema(
        summary="Create a code or a link",
        description="The response has its token, which is shown only once. Only owners may invite staff.",
        request=InvitingSerializer,
        responses={201: MadeInvitationSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        group = self.group
        sent = InvitingSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        made = services.group_invitation_create(group=group, by=group_api_user(request), **sent.validated_data)
        return _invitation_response(request, made)


class InvitationRevokeView(_Managed, API):
    """Revoke an invitation."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Revoke an invitation",
        description="A code, a link, or slips that were printed together. Members stay.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str, batch: UUID) -> Response:
        if not services.group_invitation_revoke(group=self.group, batch=batch):
            raise Http404
        return Response(status=status.HTTP_204_NO_CONTENT)


class InvitationRenewView(_Managed, API):
    """Renew an invitation that may have leaked."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Renew a code or a link",
        description="The old one stops working. The response has the new token, which is shown only once.",
        request=None,
        responses={201: MadeInvitationSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str, batch: UUID) -> Response:
        try:
            made = services.group_invitation_renew(group=self.group, batch=batch, by=group_api_user(request))
        except GroupInvitation.DoesNotExist as error:
            raise Http404 from error
        return _invitation_response(request, made)


class SlipsView(_Managed, API):
    """Create slips: codes for one person each."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Create slips",
        description="Their codes are shown only once. Older slips for the same people on the roster stop working.",
        request=SlipsSerializer,
        responses={201: MadeSlipsSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        group = self.group
        sent = SlipsSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        rows = list(group_roster_rows_to_print(group, again=True)) if sent.validated_data["for_roster"] else []
        count, days = sent.validated_data["count"], sent.validated_data["days"]
        if not rows and not count:
            raise Refused("invalid", _("Nobody on the roster needs a printed code. Say how many to print."), "count")
        made = services.group_invitation_slips_create(
            group=group, by=group_api_user(request), count=count, days=days, rows=rows
        )
        answer = MadeSlipsSerializer({"slips": made}, context={"request": request}).data
        return Response(answer, status=status.HTTP_201_CREATED, headers=NO_STORE)


class RosterView(_Managed, Listing):
    """The people on the roster of a group who have not joined."""

    serializer_class: Any = RosterRowSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    max_body = 4 * TEXT_MOST

    def get_queryset(self) -> QuerySet[RosterRow]:
        return group_roster_rows_of(self.group)

    @extend_schema(
        summary="Apply a roster",
        description="Exactly as previewed. 409 `changed`: the result would differ from the preview.",
        request=RosterApplySerializer,
        responses={200: RosterPlanSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        group = self.group
        sent = RosterApplySerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        lines = _roster_lines(sent.validated_data["text"])
        done = services.group_roster_apply(
            group=group, lines=lines, known=sent.validated_data["known"], by=group_api_user(request)
        )
        return Response(RosterPlanSerializer(done).data)


class RosterPreviewView(_Managed, API):
    """Preview what a roster would change."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    max_body = 4 * TEXT_MOST

    @extend_schema(
        summary="Preview a roster",
        description="Return what would happen to each line. Nothing is changed.",
        request=RosterTextSerializer,
        responses={200: RosterPlanSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        group = self.group
        sent = RosterTextSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        return Response(RosterPlanSerializer(group_roster_plan(group, _roster_lines(sent.validated_data["text"]))).data)


class RosterRowView(_Managed, API):
    """Remove a person from the roster."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Remove a person from the roster",
        description="Invitations that were sent or printed for the person stop working.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str, row_id: int) -> Response:
        if not services.group_roster_row_remove(group=self.group, row_id=row_id):
            raise Http404
        return Response(status=status.HTTP_204_NO_CONTENT)


def _roster_lines(text: str) -> list[RosterLine]:
    try:
        lines = group_roster_read(text)
    except RosterTooLarge as error:
        raise Refused("too_large", _("A list has 5,000 lines at most. Send it in parts."), "text") from error
    if not lines:
        raise Refused("empty", _("There is nobody in this list."), "text")
    return lines


def _invitation_response(request: Request, made: Any) -> Response:
    serializer = MadeInvitationSerializer(made, context={"request": request})
    return Response(serializer.data, status=status.HTTP_201_CREATED, headers=NO_STORE)
