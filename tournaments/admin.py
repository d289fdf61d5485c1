"""Rulings for those who administer the site: to be looked at."""

from django.contrib import admin

from bots.admin import ReadOnly
from tournaments.models import Ruling


@admin.register(Ruling)
class RulingAdmin(ReadOnly):
    list_display = ("tournament", "number", "kind", "by", "created")
    list_filter = ("kind",)
    search_fields = ("tournament__name", "reason", "by__username")
    list_select_related = ("tournament", "by")
