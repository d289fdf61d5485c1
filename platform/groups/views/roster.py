"""The roster of a group: pasted, previewed line by line, and imported as previewed."""

from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from groups import services
from groups.errors import RosterChanged
from groups.forms import RosterForm
from groups.models import Group
from groups.roster_csv import RosterLine, RosterTooLarge, group_roster_read
from groups.roster_plan import RosterOutcome, RosterPlan, group_roster_plan
from groups.selectors import group_roster_rows_of, group_roster_rows_to_print, may_own_group
from groups.views.lookups import managed_group
from web.errors import Refusal
from web.requests import request_user

ROWS: Final = 100


class ApplyForm(RosterForm):
    """The pasted text, and the digest of its preview."""

    known = forms.CharField(max_length=64, widget=forms.HiddenInput)
    text = forms.CharField(strip=False, widget=forms.HiddenInput)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def group_roster_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who has not joined yet. A POST previews pasted lines without importing them."""
    group = managed_group(request, slug)
    form = RosterForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and (lines := _roster_lines_pasted(form)):
        return _preview(request, group, form, group_roster_plan(group, lines))
    return _page(request, group, form)


@never_cache
@login_required
@require_POST
def group_roster_apply_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Import the lines as previewed, or show a new preview if the result would differ."""
    group = managed_group(request, slug)
    form = ApplyForm(request.POST)
    if not form.is_valid() or not (lines := _roster_lines_pasted(form)):
        return _page(request, group, RosterForm(request.POST))
    try:
        done = services.group_roster_apply(
            group=group, lines=lines, known=form.cleaned_data["known"], by=request_user(request)
        )
    except RosterChanged as error:
        return _preview(request, group, form, group_roster_plan(group, lines), wrong=str(error), status=409)
    except Refusal as error:
        return _preview(request, group, form, group_roster_plan(group, lines), wrong=str(error), status=422)
    count = sum(step.outcome != RosterOutcome.BROKEN for step in done.steps)
    text = ngettext("%(count)d person was added.", "%(count)d people were added.", count)
    messages.success(request, text % {"count": count})
    return redirect("groups:roster", slug)


@login_required
@require_POST
def group_roster_row_remove_view(request: HttpRequest, slug: str, row_id: int) -> HttpResponse:
    """Remove a person from the roster."""
    group = managed_group(request, slug)
    services.group_roster_row_remove(group=group, row_id=row_id)
    messages.success(request, _("Taken off the roster. Codes made for this person do not work any more."))
    return redirect("groups:roster", slug)


def _roster_lines_pasted(form: forms.Form) -> list[RosterLine]:
    """Return the pasted lines. If there are none or too many, add an error to the form and return []."""
    try:
        lines = group_roster_read(form.cleaned_data["text"])
    except RosterTooLarge:
        form.add_error("text", _("A list has 5,000 lines at most. Paste it in parts."))
        return []
    if not lines:
        form.add_error("text", _("There is nobody in this list."))
    return lines


def _preview(
    request: HttpRequest, group: Group, form: forms.Form, plan: RosterPlan, *, wrong: str = "", status: int = 200
) -> HttpResponse:
    context = {
        **_frame(request, group),
        "plan": plan,
        "wrong": wrong,
        "form": ApplyForm(initial={"text": form.cleaned_data["text"], "known": plan.digest}),
    }
    return render(request, "groups/preview.html", context, status=status)


def _page(request: HttpRequest, group: Group, form: forms.Form) -> HttpResponse:
    page = Paginator(group_roster_rows_of(group), ROWS).get_page(request.GET.get("page"))
    without_address = group_roster_rows_to_print(group, again=True).aggregate(
        to_print=Count("pk", filter=Q(slip_until=None)), printed=Count("pk", filter=Q(slip_until__isnull=False))
    )
    context = {**_frame(request, group), **without_address, "form": form, "page": page}
    return render(request, "groups/roster.html", context, status=422 if form.errors else 200)


def _frame(request: HttpRequest, group: Group) -> dict[str, object]:
    return {"group": group, "tab": "roster", "manages": True, "owns": may_own_group(request.user, group)}
