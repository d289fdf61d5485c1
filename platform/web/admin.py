"""Base classes of admin pages. Rows are read-only, and are changed only by actions that call services."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from web.errors import Refusal
from web.requests import request_user

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ROWS_MOST: Final = 100  # rows in one request: each takes one transaction or more, while the browser waits
REASONS_MOST: Final = 10  # reasons of refusals that are shown
OF_PAGE: Final = "of_page"  # form field that is sent if the act was chosen on the page of its row


class NotApplicable(Refusal):
    """The act does not apply to the row; the text says why."""


@dataclass(frozen=True, slots=True)
class Act:
    """An action of staff on rows of a list.

    ``do`` takes a row and the user, calls a service, and raises ``Refusal`` if the act is not allowed. ``warning``
    describes the consequences in advance. The page of a row offers the act only if it ``fits`` the row.
    """

    name: str
    label: "StrOrPromise"
    warning: "StrOrPromise"
    do: Callable[[Any, AbstractUser], object]
    fits: Callable[[Any], bool] = lambda _row: True


class WithActs(admin.ModelAdmin):  # type: ignore[type-arg]  # no parameters at run time
    """Offers ``acts``, on the list and on the page of each row, to users who may change such rows.

    Each act is confirmed, applied to at most ``ROWS_MOST`` rows, and logged for each row that it changed.
    """

    acts: Sequence[Act] = ()
    acts_permission = ""  # the required permission; by default the permission to change such rows
    change_form_template = "admin/row_with_acts.html"

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return Django's actions, and the acts if ``request`` may use them."""
        offered = {
            act.name: (partial(_confirmation_page, act=act), act.name, act.label) for act in self._acts_of(request)
        }
        return {**super().get_actions(request), **offered}

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """Render the row with the acts that apply to it."""
        row = context.get("original")
        acts = [act for act in self._acts_of(request) if row is not None and act.fits(row)]
        shown = context | {"acts": acts, "checkbox": ACTION_CHECKBOX_NAME, "of_page": OF_PAGE}
        return super().render_change_form(request, shown, *args, **kwargs)

    def _acts_of(self, request: HttpRequest) -> Sequence[Act]:
        usual = f"{self.opts.app_label}.change_{self.opts.model_name}"
        return self.acts if request.user.has_perm(self.acts_permission or usual) else ()


class ReadOnly(WithActs):
    """Shows rows that only services may write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def _confirmation_page(page: Any, request: HttpRequest, queryset: QuerySet[Any], act: Act) -> HttpResponse | None:
    """Ask for confirmation, and do the act once it is confirmed."""
    rows = list(queryset[: ROWS_MOST + 1])
    if len(rows) > ROWS_MOST:
        text = _("Choose %(most)d rows at most: nothing was done.") % {"most": ROWS_MOST}
        page.message_user(request, text, messages.ERROR)
        return None
    if "confirmed" not in request.POST:
        context = {**page.admin_site.each_context(request), "title": act.label, "act": act, "rows": rows}
        context |= {"opts": page.opts, "checkbox": ACTION_CHECKBOX_NAME}
        context["of_page"] = OF_PAGE if OF_PAGE in request.POST else ""
        return TemplateResponse(request, "admin/confirm_act.html", context)
    _do(page, request, rows, act)
    if OF_PAGE in request.POST and len(rows) == 1 and page.get_queryset(request).filter(pk=rows[0].pk).exists():
        return redirect(f"admin:{page.opts.app_label}_{page.opts.model_name}_change", rows[0].pk)
    return None


def _do(page: Any, request: HttpRequest, rows: list[Any], act: Act) -> None:
    by, done, refused = request_user(request), 0, []
    for row in rows:
        key, name = row.pk, str(row)  # the act may delete the row
        try:
            with transaction.atomic():  # an act that cannot be logged is rolled back
                act.do(row, by)
                LogEntry.objects.create(
                    user_id=by.pk,
                    content_type_id=_type_of(row),
                    object_id=str(key),
                    object_repr=name[:200],
                    action_flag=CHANGE,
                    change_message=str(act.name),
                )
        except Refusal as error:
            refused.append(f"{name}: {error}")
            continue
        done += 1
    if done:
        text = ngettext("Done for %(count)d row.", "Done for %(count)d rows.", done) % {"count": done}
        page.message_user(request, text, messages.SUCCESS)
    for reason in refused[:REASONS_MOST]:
        page.message_user(request, reason, messages.WARNING)
    if len(refused) > REASONS_MOST:
        text = _("And %(count)d more were refused.") % {"count": len(refused) - REASONS_MOST}
        page.message_user(request, text, messages.WARNING)


def _type_of(row: Any) -> int:
    from django.contrib.contenttypes.models import ContentType  # needs loaded apps

    return ContentType.objects.get_for_model(row).pk
