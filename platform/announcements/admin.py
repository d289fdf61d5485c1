"""Announcements for those who run the site; they are changed on their own pages."""

from django.contrib import admin

from announcements.models import Announcement
from web.admin import ReadOnly


@admin.register(Announcement)
class AnnouncementAdmin(ReadOnly):
    list_display = ("title", "subject", "subject_id", "author", "published_at")
    list_filter = ("subject",)
