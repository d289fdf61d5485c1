"""Who asked to become an organiser, and the log of who was made one."""

from typing import TYPE_CHECKING

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from organisers.models import OrganiserAllowance, OrganiserChange, OrganiserRequest
from organisers.services import request_decide
from web.admin import ReadOnly
from web.requests import signed_in

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


@admin.register(OrganiserRequest)
class OrganiserRequestAdmin(ReadOnly):
    list_display = ("person", "reason", "created_at", "is_granted", "decided_by", "decided_at")
    list_filter = (StateFilter,)
    search_fields = ("person__username", "person__email", "reason")
    list_select_related = ("person", "decided_by")
    actions = ("grant", "decline")

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.change_user")

    @admin.action(description=_("Make them organisers"), permissions=["decide"])
    def grant(self, request: HttpRequest, queryset: QuerySet[OrganiserRequest]) -> None:
        self._decide(request, queryset, granted=True)

    @admin.action(description=_("Decline the requests"), permissions=["decide"])
    def decline(self, request: HttpRequest, queryset: QuerySet[OrganiserRequest]) -> None:
        self._decide(request, queryset, granted=False)

    def _decide(self, request: HttpRequest, queryset: QuerySet[OrganiserRequest], *, granted: bool) -> None:
        by = signed_in(request)
        done = sum(request_decide(request_id=one.pk, granted=granted, by=by) for one in queryset)
        message = ngettext("%(count)d request decided.", "%(count)d requests decided.", done) % {"count": done}
        self.message_user(request, message, messages.SUCCESS if done else messages.WARNING)


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
