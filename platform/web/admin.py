"""Admin pages on which nothing is edited by hand: rows are looked at, and changed by what services offer."""

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
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from web.errors import Refusal
from web.requests import signed_in

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ROWS_MOST: Final = 100  # at once: each takes a transaction or more, while the browser waits
REASONS_MOST: Final = 10  # that are shown, of refusals


class NotApplicable(Refusal):
    """An act does not fit the row; the text says why."""


@dataclass(frozen=True, slots=True)
class Act:
    """What staff may do to rows of a list.

    ``do`` takes a row and who does it, calls a service, and raises ``Refusal`` with a sentence where it may not be.
    ``warning`` says beforehand what will follow.
    """

    name: str
    label: "StrOrPromise"
    warning: "StrOrPromise"
    do: Callable[[Any, AbstractUser], object]


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # no parameters at run time
    """Show rows that only services may write.

    ``acts`` are offered to those who may change such rows. Each is confirmed, done to ``ROWS_MOST`` rows at most, and
    logged for each row that it changed.
    """

    acts: Sequence[Act] = ()
    acts_permission = ""  # that the acts require; by default that to change such rows

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return Django's own, and the acts if ``request`` may do them."""
        return {**super().get_actions(request), **row_actions_of(self, request)}


def row_actions_of(page: Any, request: HttpRequest) -> dict[str, Any]:
    """Return the acts of an admin's ``page`` as actions; none for who may not do them."""
    acts: Sequence[Act] = page.acts
    meta = page.opts
    if not request.user.has_perm(page.acts_permission or f"{meta.app_label}.change_{meta.model_name}"):
        return {}
    return {act.name: (partial(_asked, act=act), act.name, act.label) for act in acts}


def _asked(page: Any, request: HttpRequest, queryset: QuerySet[Any], act: Act) -> HttpResponse | None:
    """Ask whether it is meant, and do it when it was confirmed."""
    rows = list(queryset[: ROWS_MOST + 1])
    if len(rows) > ROWS_MOST:
        text = _("Choose %(most)d rows at most: nothing was done.") % {"most": ROWS_MOST}
        page.message_user(request, text, messages.ERROR)
        return None
    if "confirmed" not in request.POST:
        context = {**page.admin_site.each_context(request), "title": act.label, "act": act, "rows": rows}
        context |= {"opts": page.opts, "checkbox": ACTION_CHECKBOX_NAME}
        return TemplateResponse(request, "admin/confirm_act.html", context)
    _do(page, request, rows, act)
    return None


def _do(page: Any, request: HttpRequest, rows: list[Any], act: Act) -> None:
    by, done, refused = signed_in(request), 0, []
    for row in rows:
        key, name = row.pk, str(row)  # before it is gone
        try:
            with transaction.atomic():  # what is done and not logged is not done
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
        text = ngettext("Done to %(count)d row.", "Done to %(count)d rows.", done) % {"count": done}
        page.message_user(request, text, messages.SUCCESS)
    for reason in refused[:REASONS_MOST]:
        page.message_user(request, reason, messages.WARNING)
    if len(refused) > REASONS_MOST:
        text = _("And %(count)d more were refused.") % {"count": len(refused) - REASONS_MOST}
        page.message_user(request, text, messages.WARNING)


def _type_of(row: Any) -> int:
    from django.contrib.contenttypes.models import ContentType  # needs the apps loaded

    return ContentType.objects.get_for_model(row).pk
