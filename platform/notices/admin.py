"""Notices for those who run the site: who was sent what kind and when, never the content."""

from django.contrib import admin

from notices.models import Notice
from web.admin import ReadOnly


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
    list_display = ("person", "kind", "created_at", "read_at", "email_at", "emailed_at")
    list_filter = ("kind",)
    fields = ("person", "kind", "event", "in_inbox", "created_at", "read_at", "email_at", "emailed_at")
