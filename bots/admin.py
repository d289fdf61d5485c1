"""Read-only admin of bots and versions, without sources and reports."""

from django.contrib import admin
from django.contrib.auth.models import AbstractUser
from django.utils.translation import gettext_lazy as _

from bots.checks import version_check_repeat
from bots.models import Bot, BotVersion
from web.admin import Act, NotApplicable, ReadOnly


def _check_again(version: BotVersion, _by: AbstractUser) -> None:
    if not version_check_repeat(version_id=version.pk):
        raise NotApplicable(_("Its check is not held."))


@admin.register(Bot)
class BotAdmin(ReadOnly):
    list_display = ("name", "owner", "game", "current", "is_house", "created_at")
    list_filter = ("game", "is_house")
    search_fields = ("name", "owner__username")
    list_select_related = ("owner", "current__bot")


@admin.register(BotVersion)
class BotVersionAdmin(ReadOnly):
    list_display = ("bot", "number", "state", "check_faults", "size", "created_at", "checked_at")
    list_filter = ("state", "check_faults")
    search_fields = ("bot__name", "sha256")
    list_select_related = ("bot",)
    fields = (
        "bot",
        "number",
        "state",
        "sha256",
        "size",
        "check_attempt",
        "check_faults",
        "lease_expires_at",
        "created_at",
        "checked_at",
    )
    acts = (
        Act(
            "check_again",
            _("Check versions again that faults of the platform hold"),
            _("The faults are cleared, and the versions wait for a worker."),
            _check_again,
        ),
    )
