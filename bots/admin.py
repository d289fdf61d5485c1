"""Bots and versions for those who administer the site: to be looked at, without sources and reports."""

from django.contrib import admin

from bots.models import Bot, BotVersion
from web.admin import ReadOnly


@admin.register(Bot)
class BotAdmin(ReadOnly):
    list_display = ("name", "owner", "game", "current", "is_house", "created_at")
    list_filter = ("game", "is_house")
    search_fields = ("name", "owner__username")
    list_select_related = ("owner", "current__bot")


@admin.register(BotVersion)
class BotVersionAdmin(ReadOnly):
    list_display = ("bot", "number", "state", "size", "created_at", "checked_at")
    list_filter = ("state",)
    search_fields = ("bot__name", "sha256")
    list_select_related = ("bot",)
    fields = (
        "bot",
        "number",
        "state",
        "sha256",
        "size",
        "check_attempt",
        "lease_expires_at",
        "created_at",
        "checked_at",
    )
