"""Read-only admin of announcements and questions; they are changed on their own pages."""

from django.contrib import admin

from announcements.models import Announcement, Question
from web.admin import ReadOnly


@admin.register(Announcement)
class AnnouncementAdmin(ReadOnly):
    list_display = ("title", "subject", "subject_id", "author", "published_at")
    list_filter = ("subject",)


@admin.register(Question)
class QuestionAdmin(ReadOnly):
    list_display = ("subject", "subject_id", "asker", "created_at", "answered_at", "published_at")
    list_filter = ("subject",)
    fields = (*list_display, "answered_by")
