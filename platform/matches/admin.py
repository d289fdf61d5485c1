"""Workers for those who administer the site."""

from django.contrib import admin

from bots.admin import ReadOnly
from matches.models import WorkerPresence


@admin.register(WorkerPresence)
class WorkerAdmin(ReadOnly):
    list_display = ("name", "seen", "slots", "clock_ahead", "denied")
    search_fields = ("name", "denied")
    ordering = ("-seen",)
