"""Admin of requests to become an organiser, and the log of the changes."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from contests.hook_events import DECISION_PERMISSION
from contests.models import OrganiserAllowance, OrganiserChange, OrganiserRequest
from contests.services import organiser_request_decide
from web.admin import Act, NotApplicable, ReadOnly

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, _request: HttpRequest, _model_admin: object) -> list[tuple[str, "StrOrPromise"]]:
        return [("waiting", _("waiting")), ("granted", _("granted")), ("declined", _("declined"))]

    def queryset(self, _request: HttpRequest, queryset: QuerySet[OrganiserRequest]) -> QuerySet[OrganiserRequest]:
        granted = {"waiting": None, "granted": True, "declined": False}
        return queryset.filter(is_granted=granted[value]) if (value := self.value()) in granted else queryset


def _grant(request: OrganiserRequest, by: AbstractUser) -> None:
    _decide(request, by, granted=True)


def _decline(request: OrganiserRequest, by: AbstractUser) -> None:
    _decide(request, by, granted=False)


def _decide(request: OrganiserRequest, by: AbstractUser, *, granted: bool) -> None:
    if not organiser_request_decide(request_id=request.pk, granted=granted, by=by):
        raise NotApplicable(_("It is decided already."))


@admin.register(OrganiserRequest)
class OrganiserRequestAdmin(ReadOnly):
    list_display = ("person", "reason", "created_at", "is_granted", "decided_by", "decided_at")
    list_filter = (StateFilter,)
    search_fields = ("person__username", "person__email", "reason")
    list_select_related = ("person", "decided_by")
    acts_permission = DECISION_PERMISSION
    acts = (
        Act(
            "grant", _("Make them organisers"), _("They can create tournaments and leagues, and get a notice."), _grant
        ),
        Act("decline", _("Decline the requests"), _("They get a notice, and can ask again after a week."), _decline),
    )


@admin.register(OrganiserChange)
class OrganiserChangeAdmin(ReadOnly):
    list_display = ("person", "is_granted", "by", "created_at")
    list_filter = ("is_granted",)
    search_fields = ("person__username", "by__username")
    list_select_related = ("person", "by")


@admin.register(OrganiserAllowance)
class OrganiserAllowanceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # no parameters at run time
    list_display = ("person", "worker_hours")
    search_fields = ("person__username",)
    autocomplete_fields = ("person",)
    list_select_related = ("person",)
