"""API views of announcements."""

from typing import Any, Final, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from announcements import services
from announcements.models import TEXT_MOST, TITLE_MOST, Announcement
from announcements.selectors import announcements_of
from announcements.subjects import announcement_subject_or_404, announcement_written_subject
from web.api_errors import api_error_descriptions
from web.api_examples import TIME, api_example_shown, serializer_example
from web.api_view import Item, JSONBody, Listing


@serializer_example(title="Room 12 instead of 7", text="The **doors** open at 9.", is_pinned=True, publish_at=TIME)
@api_example_shown(author="ada", published_at=TIME, edited_at=None, edits=0)
class AnnouncementTextSerializer(serializers.ModelSerializer[Announcement]):
    """An announcement; `text` is Markdown. It is published at once without `publish_at`, or if that is in the past."""

    title = serializers.CharField(max_length=TITLE_MOST)
    text = serializers.CharField(max_length=TEXT_MOST, required=False, allow_blank=True)
    publish_at = serializers.DateTimeField(required=False)
    author = serializers.CharField(source="author.username", read_only=True, allow_null=True, default=None)

    class Meta:
        model = Announcement
        fields = ("id", "title", "text", "is_pinned", "author", "publish_at", "published_at", "edited_at", "edits")
        read_only_fields = ("published_at", "edited_at", "edits")


@serializer_example(title="Room 12 instead of 7", edits=0)
class AnnouncementChangeSerializer(AnnouncementTextSerializer):
    """Changes of an announcement, and the number of edits that it had when it was read."""

    title = serializers.CharField(max_length=TITLE_MOST, required=False)
    edits = serializers.IntegerField(min_value=0, max_value=2**31 - 1)

    class Meta(AnnouncementTextSerializer.Meta):
        fields: Any = ("title", "text", "is_pinned", "publish_at", "edits")
        read_only_fields: Any = ()


ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 409, 429, 503)


class AnnouncementsView(Listing):
    """The announcements of a tournament, a league, a series or a group.

    Pinned ones are first, then the newest. The address has `tournament`, `league`, `series` or `group`, and the slug.
    """

    serializer_class: Any = AnnouncementTextSerializer
    parser_classes = (JSONBody,)
    write_scope = "organise"

    def get_queryset(self) -> QuerySet[Announcement]:
        subject = announcement_subject_or_404(
            cast(HttpRequest, self.request), self.kwargs["subject"], slug=self.kwargs["slug"]
        )
        return announcements_of(subject.kind, subject.pk)

    @extend_schema(
        summary="Write an announcement",
        description="For organisers. Everybody who takes part gets a notice. 409 `limit`: too many in one day.",
        request=AnnouncementTextSerializer,
        responses={201: AnnouncementTextSerializer, **ERRORS},
    )
    def post(self, request: Request, subject: str, slug: str) -> Response:
        found = announcement_written_subject(cast(HttpRequest, request), subject, slug=slug)
        sent = self.get_serializer(data=request.data)
        sent.is_valid(raise_exception=True)
        made = services.announcement_create(subject=found, by=cast(AbstractUser, request.user), **sent.validated_data)
        headers = {"Location": reverse("api-announcements:detail", args=[made.pk])}
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED, headers=headers)


class AnnouncementView(Item):
    """One announcement."""

    serializer_class: Any = AnnouncementTextSerializer
    parser_classes = (JSONBody,)
    write_scope = "organise"

    def get_object(self) -> Announcement:
        one = get_object_or_404(Announcement.objects.select_related("author"), pk=self.kwargs["pk"])
        subject = announcement_subject_or_404(cast(HttpRequest, self.request), one.subject, pk=one.subject_id)
        if one.published_at is None and not subject.may_write:
            raise Http404
        return one

    @extend_schema(
        summary="Change an announcement",
        description="For organisers. `edits` is the value that was read. 409 `edited`: somebody else has edited it.",
        request=AnnouncementChangeSerializer,
        responses={200: AnnouncementTextSerializer, **ERRORS},
    )
    def patch(self, request: Request, pk: int) -> Response:
        one = self._written(request)
        sent = AnnouncementChangeSerializer(one, data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        now = {name: getattr(one, name) for name in ("title", "text", "is_pinned", "edits")}
        changed = services.announcement_update(announcement=one, **{**now, **sent.validated_data})
        return Response(self.get_serializer(changed).data)

    @extend_schema(
        summary="Delete an announcement",
        description="For organisers. Notices about it are deleted too.",
        request=None,
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, pk: int) -> Response:
        services.announcement_delete(announcement=self._written(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _written(self, request: Request) -> Announcement:
        one = self.get_object()
        announcement_written_subject(cast(HttpRequest, request), one.subject, pk=one.subject_id)
        return one
