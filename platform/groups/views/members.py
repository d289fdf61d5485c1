"""Pages about the members of a group, for its owners and staff."""

from collections.abc import Iterator
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from groups import services
from groups.forms import MemberForm
from groups.models import Group, GroupMember
from groups.selectors import group_changes_of, group_members_of, group_roster_rows_of, may_own_group
from groups.views.lookups import managed_group
from web.downloads import csv_response, download_lazily
from web.errors import Refusal
from web.requests import request_user

ROWS: Final = 100
COLUMNS: Final = ("name", "roster_id", "email", "cohort", "alias", "username", "role", "joined_at")
FIELDS: Final = ("role", "alias", "roster_id", "cohort")


@login_required
@require_safe
def group_member_list_view(request: HttpRequest, slug: str) -> HttpResponse:
    """List the members with details for staff, and the latest changes."""
    group = managed_group(request, slug)
    context = {
        "group": group,
        "tab": "members",
        "manages": True,
        "owns": may_own_group(request.user, group),
        "page": Paginator(group_members_of(group), ROWS).get_page(request.GET.get("page")),
        "changes": group_changes_of(group),
    }
    return render(request, "groups/members.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def group_member_edit_view(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Change a member's alias, roster id and cohort, and as an owner the role."""
    group = managed_group(request, slug)
    found = get_object_or_404(GroupMember.objects.select_related("person"), group=group, person=user_id)
    owns = may_own_group(request.user, group)
    initial = {name: getattr(found, name) for name in FIELDS}
    form = MemberForm(request.POST or None, initial=initial, sets_roles=owns)
    if request.method == "POST" and form.is_valid():
        try:
            services.group_member_update(group=group, person_id=user_id, by=request_user(request), **form.cleaned_data)
        except Refusal as error:
            field = "alias" if error.field == "name" else error.field
            form.add_error(field if field in form.fields else None, str(error))
        else:
            messages.success(request, _("%(name)s was changed.") % {"name": found.person.get_username()})
            return redirect("groups:members", slug)
    context = {"form": form, "group": group, "member": found, "tab": "members", "manages": True, "owns": owns}
    return render(request, "groups/member.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def group_member_remove_view(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Remove a member."""
    group = managed_group(request, slug)
    try:
        services.group_member_remove(group=group, person_id=user_id, by=request_user(request))
    except Refusal as error:
        messages.error(request, str(error))
        return redirect("groups:member", slug, user_id)
    messages.success(request, _("The member was removed: they see nothing of the group any more. Results stay."))
    return redirect("groups:members", slug)


@login_required
@require_safe
def group_members_export_view(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """Send the members, and the people on the roster who have not joined, as CSV."""
    group = managed_group(request, slug)
    return csv_response(request, f"{slug}.csv", COLUMNS, download_lazily(lambda: _member_export_rows(group)))


def _member_export_rows(group: Group) -> Iterator[dict[str, Any]]:
    fields = ("name", "roster_id", "cohort", "alias")
    for one in group_members_of(group).iterator(1000):
        row = {name: getattr(one, name) for name in fields}
        yield {**row, "username": one.person.get_username(), "role": one.role, "joined_at": one.joined_at.isoformat()}
    for waiting in group_roster_rows_of(group).iterator(1000):
        yield {name: getattr(waiting, name) for name in (*fields, "email")}
