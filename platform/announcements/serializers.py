"""Announcements as JSON."""

from typing import Any

from rest_framework import serializers

from announcements.models import TEXT_MOST, TITLE_MOST, Announcement
from web.api_examples import TIME, shown
from web.serializers import example


@example(title="Room 12 instead of 7", text="The **doors** open at 9.", is_pinned=True, publish_at=TIME)
@shown(author="ada", published_at=TIME, edited_at=None, edits=0)
class AnnouncementTextSerializer(serializers.ModelSerializer[Announcement]):
    """An announcement; `text` is Markdown. Without `publish_at`, or with one that is past, it is published at once."""

    title = serializers.CharField(max_length=TITLE_MOST)
    text = serializers.CharField(max_length=TEXT_MOST, required=False, allow_blank=True)
    publish_at = serializers.DateTimeField(required=False)
    author = serializers.CharField(source="author.username", read_only=True, allow_null=True, default=None)

    class Meta:
        model = Announcement
        fields = ("id", "title", "text", "is_pinned", "author", "publish_at", "published_at", "edited_at", "edits")
        read_only_fields = ("published_at", "edited_at", "edits")


@example(title="Room 12 instead of 7", edits=0)
class AnnouncementChangeSerializer(AnnouncementTextSerializer):
    """What changes of an announcement, and how often it had been changed when it was read."""

    title = serializers.CharField(max_length=TITLE_MOST, required=False)
    edits = serializers.IntegerField(min_value=0, max_value=2**31 - 1)

    class Meta(AnnouncementTextSerializer.Meta):
        fields: Any = ("title", "text", "is_pinned", "publish_at", "edits")
        read_only_fields: Any = ()
