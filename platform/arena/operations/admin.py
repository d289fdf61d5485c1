"""The admin of incidents, which staff publish on the status page."""

from django.contrib import admin

from arena.operations.models import Incident


@admin.register(Incident)
class IncidentAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # no parameters at run time
    list_display = ("text", "began_at", "ended_at")
    search_fields = ("text",)
