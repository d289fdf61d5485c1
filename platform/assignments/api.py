"""Assignments over the API."""

from typing import Any, Final, cast

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from assignments import services
from assignments.models import Assignment, ReferenceMark
from assignments.selectors.marks import StudentRow, mark_matrix_of, student_row_of
from assignments.selectors.visible import assignments_visible
from assignments.serializers import (
    AssignmentChangeSerializer,
    AssignmentSerializer,
    DecidedSerializer,
    DueExtensionSerializer,
    HandInSerializer,
    MarkDecisionSerializer,
    MarkingRenewSerializer,
    MarkRowSerializer,
    MarksDecisionSerializer,
    PublishedSerializer,
)
from assignments.views.lookups import managed_assignment, seen_assignment, seen_student_row
from bots.models import Bot, BotVersion
from groups.selectors import may_manage_group
from groups.views.lookups import managed_group
from web.api_errors import api_error_descriptions
from web.api_view import API, Item, JSONBody, Listing

ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 409, 429, 503)


def assignment_api_user(request: Request) -> AbstractUser:
    """Return the signed-in user of a request."""
    return cast(AbstractUser, request.user)


class AssignmentsView(Listing):
    """The assignments of my groups."""

    serializer_class: Any = AssignmentSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    def get_queryset(self) -> QuerySet[Assignment]:
        found = assignments_visible(self.request.user).order_by("-due_at", "-pk")
        return found.prefetch_related("references__version__bot")

    @extend_schema(
        summary="Create an assignment",
        description="For owners and staff of the group. References are versions of house bots or of my own bots.",
        request=AssignmentSerializer,
        responses={201: AssignmentSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        sent = self.get_serializer(data=request.data)
        sent.is_valid(raise_exception=True)
        asked = dict(sent.validated_data)
        group = managed_group(cast(HttpRequest, request), asked.pop("group")["slug"])
        references = [_chosen(one) for one in asked.pop("references")]
        made = services.assignment_create(by=assignment_api_user(request), group=group, references=references, **asked)
        headers = {"Location": reverse("api-assignments:assignment", args=[made.pk])}
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED, headers=headers)


class AssignmentView(Item):
    """An assignment of one of my groups."""

    serializer_class: Any = AssignmentSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    def get_object(self) -> Assignment:
        return seen_assignment(cast(HttpRequest, self.request), self.kwargs["pk"])

    @extend_schema(
        summary="Change an assignment",
        description="For owners and staff of the group. 409 `marked`: somebody has been marked.",
        request=AssignmentChangeSerializer,
        responses={200: AssignmentSerializer, **ERRORS},
    )
    def patch(self, request: Request, pk: int) -> Response:
        assignment = managed_assignment(cast(HttpRequest, request), pk)
        sent = AssignmentChangeSerializer(assignment, data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        services.assignment_update(assignment=assignment, **sent.validated_data)
        return Response(self.get_serializer(self.get_object()).data)

    @extend_schema(
        summary="Delete an assignment",
        description="For owners and staff of the group, as long as nobody has been marked.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, pk: int) -> Response:
        services.assignment_delete(assignment=managed_assignment(cast(HttpRequest, request), pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


class HandInView(API):
    """Hand in a bot, or withdraw it."""

    write_scope = "upload"
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Hand in a bot",
        description="It replaces an earlier hand-in. The newest accepted version from before the due time is marked.",
        request=HandInSerializer,
        responses={200: MarkRowSerializer, **ERRORS},
    )
    def post(self, request: Request, pk: int) -> Response:
        assignment = seen_assignment(cast(HttpRequest, request), pk)
        sent = HandInSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        bot = Bot.objects.filter(slug=sent.validated_data["bot"]).first()
        if bot is None:
            raise services.AssignmentRefused("unknown_bot", _("There is no bot with this slug."), "bot")
        services.hand_in_submit(assignment=assignment, student=assignment_api_user(request), bot=bot)
        return Response(
            MarkRowSerializer(student_row_of(assignment, assignment_api_user(request), published_only=True)).data
        )

    @extend_schema(summary="Withdraw a hand-in", responses={204: None, **ERRORS})
    def delete(self, request: Request, pk: int) -> Response:
        services.hand_in_withdraw(
            assignment=seen_assignment(cast(HttpRequest, request), pk), student=assignment_api_user(request)
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


class MarksView(Listing):
    """The marks of an assignment: those of all students for the group's staff, otherwise my own."""

    serializer_class: Any = MarkRowSerializer
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> list[StudentRow]:  # type: ignore[override]  # any sequence can be paginated
        assignment = seen_assignment(cast(HttpRequest, self.request), self.kwargs["pk"])
        if may_manage_group(self.request.user, assignment.group):
            return list(mark_matrix_of(assignment).rows)
        return [student_row_of(assignment, self.request.user, published_only=True)]


class MarksPublishView(API):
    """Publish the marks to students."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Publish marks",
        description="Publish the marks and matches of students whose marks are all decided.",
        request=None,
        responses={200: PublishedSerializer, **ERRORS},
    )
    def post(self, request: Request, pk: int) -> Response:
        done = services.marks_publish(assignment=managed_assignment(cast(HttpRequest, request), pk))
        return Response(PublishedSerializer({"count": len(done)}).data)


class MarksDecideView(API):
    """Decide all marks that the games left undecided."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Decide undecided marks by their shares",
        description="Met if the share is above the threshold, otherwise missed. Marks whose match was not played, or"
        " was forfeited by the reference, stay undecided.",
        request=MarksDecisionSerializer,
        responses={200: DecidedSerializer, **ERRORS},
    )
    def post(self, request: Request, pk: int) -> Response:
        assignment = managed_assignment(cast(HttpRequest, request), pk)
        sent = MarksDecisionSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        count = services.marks_decide_by_share(
            assignment=assignment, by=assignment_api_user(request), **sent.validated_data
        )
        return Response(DecidedSerializer({"count": count}).data)


class ExtensionsView(API):
    """Extend the due time of a student."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Give a student more time",
        description="Only before the student is marked. It replaces an earlier extension.",
        request=DueExtensionSerializer,
        responses={200: MarkRowSerializer, **ERRORS},
    )
    def post(self, request: Request, pk: int) -> Response:
        assignment = managed_assignment(cast(HttpRequest, request), pk)
        sent = DueExtensionSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        asked = sent.validated_data
        student = get_user_model().objects.filter(username=asked["username"]).first()
        services.hand_in_extension_create(
            assignment=assignment,
            student_id=student.pk if student else 0,
            due_at=asked["due_at"],
            reason=asked["reason"],
            by=assignment_api_user(request),
        )
        return _student_response(assignment, asked["username"])


class MarkingRenewView(API):
    """Mark a student again."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Mark a student again",
        description="On new seeds. The student sees the new marks after they are published.",
        request=MarkingRenewSerializer,
        responses={200: MarkRowSerializer, **ERRORS},
    )
    def post(self, request: Request, pk: int, username: str) -> Response:
        assignment = managed_assignment(cast(HttpRequest, request), pk)
        row = seen_student_row(assignment, username=username)
        sent = MarkingRenewSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        if row.marking is None:
            raise services.AssignmentRefused("not_marked", _("This person has not been marked yet."))
        services.marking_renew(marking=row.marking, by=assignment_api_user(request), **sent.validated_data)
        return _student_response(assignment, username)


class MarkDecideView(API):
    """Decide one mark that the games left undecided."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Decide a mark",
        description="Only once, and only if the games left it undecided.",
        request=MarkDecisionSerializer,
        responses={200: MarkRowSerializer, **ERRORS},
    )
    def post(self, request: Request, pk: int, username: str, reference_id: int) -> Response:
        assignment = managed_assignment(cast(HttpRequest, request), pk)
        row = seen_student_row(assignment, username=username)
        own = ReferenceMark.objects.filter(marking=row.marking, reference=reference_id).select_related("marking")
        mark = get_object_or_404(own)
        sent = MarkDecisionSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        services.mark_decide(mark=mark, by=assignment_api_user(request), **sent.validated_data)
        return _student_response(assignment, username)


def _student_response(assignment: Assignment, username: str) -> Response:
    return Response(MarkRowSerializer(seen_student_row(assignment, username=username)).data)


def _chosen(data: dict[str, Any]) -> services.ReferenceChosen:
    """Return the requested reference."""
    slug, number = data["version"]["bot"]["slug"], data["version"]["number"]
    version = BotVersion.objects.select_related("bot").filter(bot__slug=slug, number=number).first()
    if version is None:
        sentence = _("There is no version %(number)d of %(bot)s.") % {"number": number, "bot": slug}
        raise services.AssignmentRefused("unknown_bot", sentence, "references")
    return services.ReferenceChosen(version, data["threshold"], data["points"])
