"""People, for those who administer the site."""

from typing import TYPE_CHECKING

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from arena.accounts.models import User
from organisers.services import organiser_set
from web.requests import signed_in

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class AsksFilter(admin.SimpleListFilter):
    title = _("asks to become an organiser")
    parameter_name = "asks"

    def lookups(self, _request: HttpRequest, _model_admin: object) -> list[tuple[str, "StrOrPromise"]]:
        return [("yes", _("Yes"))]

    def queryset(self, _request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        if self.value() != "yes":
            return queryset
        return queryset.filter(organiser_requests__isnull=False, organiser_requests__decided_at__isnull=True)


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]  # generic only to the type checker
    """``is_organiser`` is changed by the actions alone: they log who did it, and write to the person."""

    list_display = ("username", "email", "is_organiser", "is_staff", "is_active", "date_joined")
    list_filter = ("is_organiser", AsksFilter, "is_staff", "is_active")
    fieldsets = (*(UserAdmin.fieldsets or ()), (_("Pecking Order"), {"fields": ("is_organiser",)}))
    readonly_fields = ("is_organiser",)
    actions = ("make_organisers", "end_organisers")

    @admin.action(description=_("Make them organisers"), permissions=["change"])
    def make_organisers(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        self._set_organiser(request, queryset, organiser=True)

    @admin.action(description=_("End that they are organisers"), permissions=["change"])
    def end_organisers(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        self._set_organiser(request, queryset, organiser=False)

    def _set_organiser(self, request: HttpRequest, queryset: QuerySet[User], *, organiser: bool) -> None:
        by = signed_in(request)
        done = sum(organiser_set(person_id=one.pk, organiser=organiser, by=by) for one in queryset)
        message = ngettext("%(count)d person changed.", "%(count)d people changed.", done) % {"count": done}
        self.message_user(request, message, messages.SUCCESS if done else messages.WARNING)
