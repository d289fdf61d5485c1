"""Read-only admin of webhooks: their owners and states, but never the messages."""

from django.contrib import admin

from hooks.models import Hook
from web.admin import ReadOnly


@admin.register(Hook)
class HookAdmin(ReadOnly):
    list_display = ("owner", "url", "format", "paused_because", "paused_at", "created_at")
    list_filter = ("paused_because",)
    fields = ("owner", "url", "format", "about", "kinds", "paused_because", "paused_at", "left_out_at", "created_at")
