"""User accounts and the audit log in Django's admin."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from arena.accounts.deletion import DeletionRefused, account_delete
from arena.accounts.models import User
from arena.accounts.second_factor import second_factor_end
from contests.services import organiser_set
from web.admin import Act, NotApplicable, ReadOnly, WithActs

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


def _set_organiser(person: User, by: AbstractUser, *, organiser: bool) -> None:
    if not organiser_set(person_id=person.pk, organiser=organiser, by=by):
        raise NotApplicable(_("Nothing is to be changed."))


def _end_second_factor(person: User, by: AbstractUser) -> None:
    if person.is_superuser and not by.is_superuser:
        raise NotApplicable(_("Only a superuser may do this to a superuser."))
    if not second_factor_end(person=person):
        raise NotApplicable(_("There is none."))


def _delete(person: User, by: AbstractUser) -> None:
    if not by.has_perm("accounts.delete_user"):
        raise NotApplicable(_("You may not delete people."))
    if person.pk == by.pk or person.is_staff:
        raise NotApplicable(_("Remove this person from staff first. You cannot delete yourself here."))
    try:
        account_delete(person=person)
    except DeletionRefused as error:
        raise NotApplicable(str(error)) from None


@admin.register(User)
class PersonAdmin(WithActs, UserAdmin):  # type: ignore[type-arg]  # generic only to the type checker
    """User accounts. ``is_organiser`` changes only by the actions, which write to the audit log and email the user."""

    list_display = ("username", "email", "is_organiser", "is_staff", "is_active", "date_joined")
    list_filter = ("is_organiser", AsksFilter, "is_staff", "is_active")
    fieldsets = (*(UserAdmin.fieldsets or ()), (_("Pecking Order"), {"fields": ("is_organiser",)}))
    readonly_fields = ("is_organiser",)
    acts = (
        Act(
            "make_organisers",
            _("Make them organisers"),
            _("They can create tournaments and leagues, and get a notice."),
            lambda person, by: _set_organiser(person, by, organiser=True),
        ),
        Act(
            "end_organisers",
            _("Remove the organiser role"),
            _("They still run what they have created. They get a notice."),
            lambda person, by: _set_organiser(person, by, organiser=False),
        ),
        Act(
            "end_second_factor",
            _("Turn off the second factor"),
            _(
                "For people who lost their app and codes. Make sure that they asked for it: afterwards, the password "
                "is enough to sign in."
            ),
            _end_second_factor,
        ),
        Act(
            "delete",
            _("Delete the accounts"),
            _("Name, address, tokens and bots are deleted; results stay without the name. This cannot be undone."),
            _delete,
        ),
    )
    acts_permission = "accounts.change_user"

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Return user accounts without those of teams."""
        return super().get_queryset(request).filter(is_team=False)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: only the action deletes accounts, because it keeps what others rely on."""
        return False


@admin.register(LogEntry)
class AuditAdmin(ReadOnly):
    """The audit log of the admin. Rows are only added, and deleted after ``AUDIT_DAYS``."""

    list_display = ("action_time", "user", "content_type", "object_repr", "change_message")
    list_filter = ("action_flag", "content_type")
    search_fields = ("user__username", "object_repr", "object_id", "change_message")
    list_select_related = ("user", "content_type")
    date_hierarchy = "action_time"
