"""Read-only admin of notices: who was sent which kind, when and to which devices, but never the content."""

from django.contrib import admin

from notices.models import Notice, PushSubscription
from web.admin import ReadOnly


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
    list_display = ("person", "kind", "created_at", "read_at", "email_at", "emailed_at")
    list_filter = ("kind",)
    fields = ("person", "kind", "event", "in_inbox", "created_at", "read_at", "email_at", "emailed_at")


@admin.register(PushSubscription)
class PushSubscriptionAdmin(ReadOnly):
    """Does not show the endpoint: with it and the site's key, anybody could send to the browser."""

    list_display = ("person", "browser", "created_at", "tries", "retry_at")
    fields = list_display
