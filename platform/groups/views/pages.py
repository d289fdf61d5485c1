"""Pages of groups: the list, a group's own page, creating, changing and leaving a group."""

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_http_methods, require_POST, require_safe

from groups import services
from groups.forms import GroupSettingsForm
from groups.models import Group
from groups.selectors import (
    group_feed_reader,
    group_feed_token_of,
    group_member_of,
    group_members_shown,
    group_memberships_of,
    groups_listed,
    may_create_groups,
    may_manage_group,
    may_own_group,
    may_see_group,
)
from groups.views.lookups import owned_group, seen_group
from web.errors import Refusal
from web.feeds import feed_answer, feed_entries_added
from web.page_cache import CLOCK, LIST_SECONDS, cache_page_for, page_mark_unlisted, public_page
from web.requests import request_user

ROWS: Final = 50
FIELDS: Final = ("name", "kind", "is_listed", "uses_aliases")


@public_page(query=("page",), max_age=LIST_SECONDS)
@require_safe
def group_list_view(request: HttpRequest) -> HttpResponse:
    """List the user's groups, and the listed ones."""
    listed = Paginator(groups_listed(request.user), ROWS).get_page(request.GET.get("page"))
    mine = group_memberships_of(request.user) if request.user.is_authenticated else ()
    context = {"mine": mine, "page": listed, "may_create": may_create_groups(request.user)}
    return render(request, "groups/list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def group_create_view(request: HttpRequest) -> HttpResponse:
    """Create a group."""
    if not may_create_groups(request.user):
        raise PermissionDenied(_("Only organisers create groups."))
    form = GroupSettingsForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            group = services.group_create(by=request_user(request), **form.cleaned_data)
        except Refusal as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, _("The group was created. Now add members."))
            return redirect("groups:invitations", group.slug)
    return render(request, "groups/form.html", {"form": form}, status=422 if form.errors else 200)


@public_page()
@require_safe
def group_detail_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a group to its members. Other users see only the name and kind, if it is listed."""
    group = get_object_or_404(Group, slug=slug)
    if may_see_group(request.user, group):
        return render(request, "groups/detail.html", _page(request, group))
    if not group.is_listed or group.closed_at is not None:
        raise Http404
    cache_page_for(request, CLOCK, LIST_SECONDS)
    return render(request, "groups/outside.html", {"group": group})


@require_safe
@conditional_page
@cache_control(private=True)
def group_feed_view(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Send the feed of a group to feed readers, which are not signed in.

    The URL identifies a member, and stops working when they leave.
    """
    group = get_object_or_404(Group, slug=slug)
    reader = group_feed_reader(group, token)
    if reader is None:
        raise Http404
    page_mark_unlisted(request)
    entries = feed_entries_added("group", reader, group)
    return feed_answer(request, group.name, reverse("groups:detail", args=[slug]), entries)


def _page(request: HttpRequest, group: Group) -> dict[str, Any]:
    return {
        "group": group,
        "tab": "about",
        "feed": reverse("groups:feed", args=[group.slug, group_feed_token_of(request_user(request), group)]),
        "me": group_member_of(request.user, group),
        "manages": may_manage_group(request.user, group),
        "owns": may_own_group(request.user, group),
        "members": group_members_shown(group),
    }


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def group_edit_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a group."""
    group = owned_group(request, slug)
    form = GroupSettingsForm(request.POST or None, initial={name: getattr(group, name) for name in FIELDS})
    if request.method == "POST" and form.is_valid():
        try:
            services.group_update(group=group, by=request_user(request), **form.cleaned_data)
        except Refusal as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, _("The group was changed."))
            return redirect("groups:detail", slug)
    context = {"form": form, "group": group, "tab": "edit", "manages": True, "owns": True}
    return render(request, "groups/form.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def group_leave_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a group."""
    group = seen_group(request, slug)
    try:
        services.group_member_leave(group=group, person=request_user(request))
    except Refusal as error:
        messages.error(request, str(error))
        return redirect("groups:detail", slug)
    messages.success(request, _("You have left %(group)s.") % {"group": group.name})
    return redirect("groups:list")
