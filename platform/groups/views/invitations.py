"""Invitations to a group: links, codes and printed slips, and how people join with them.

People type a code or open a link, see what joining means, and join.
"""

from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from groups import services
from groups.errors import NoWayIn
from groups.forms import CodeForm, InvitationForm, SlipsForm
from groups.models import Group, GroupInvitation, InvitationKind
from groups.selectors import (
    group_invitation_of_digests,
    group_member_of,
    group_roster_rows_to_print,
    group_ways_in,
    may_own_group,
)
from groups.services.invitations import MadeInvitation
from groups.views.lookups import managed_group
from web.errors import Refusal
from web.invitations import GUESSES, OpenedInvitation
from web.limits import limit_exceeded_response
from web.requests import request_user
from web.screens import screen_qr_code

OPENED: Final = OpenedInvitation("group_invitation", group_invitation_of_digests)
SLIPS_ID = "slips_%s"  # ids of the fields of this form, because another form is on the same page


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def group_invitation_list_view(request: HttpRequest, slug: str) -> HttpResponse:
    """List the invitations. A POST creates a link or code and shows its token, which is never shown again."""
    group = managed_group(request, slug)
    form = InvitationForm(request.POST or None, makes_staff=may_own_group(request.user, group))
    made = None
    if request.method == "POST" and form.is_valid():
        try:
            made = services.group_invitation_create(group=group, by=request_user(request), **form.cleaned_data)
            form = InvitationForm(makes_staff=may_own_group(request.user, group))
        except Refusal as error:
            form.add_error(None, str(error))
    return _page(request, group, form, made)


@never_cache
@login_required
@require_POST
def group_invitation_renew_view(request: HttpRequest, slug: str, batch: UUID) -> HttpResponse:
    """Replace a link or code by a new one."""
    group = managed_group(request, slug)
    form = InvitationForm(makes_staff=may_own_group(request.user, group))
    try:
        made = services.group_invitation_renew(group=group, batch=batch, by=request_user(request))
    except GroupInvitation.DoesNotExist:
        messages.info(request, _("It was renewed or revoked already."))
        return redirect("groups:invitations", slug)
    except Refusal as error:
        messages.error(request, str(error))
        return redirect("groups:invitations", slug)
    return _page(request, group, form, made)


@never_cache
@login_required
@require_POST
def group_invitation_revoke_view(request: HttpRequest, slug: str, batch: UUID) -> HttpResponse:
    """Revoke a link, a code or a batch of slips."""
    group = managed_group(request, slug)
    services.group_invitation_revoke(group=group, batch=batch)
    messages.success(request, _("It is revoked: nobody can join with it any more. Members stay."))
    return redirect("groups:invitations", slug)


@never_cache
@login_required
@require_POST
def group_slips_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Create slips and show them for printing. Their codes are never shown again."""
    group = managed_group(request, slug)
    form = SlipsForm(request.POST, auto_id=SLIPS_ID)
    if form.is_valid():
        again = form.cleaned_data["again"]
        rows = list(group_roster_rows_to_print(group, again=again)) if form.cleaned_data["for_roster"] else []
        count, days = form.cleaned_data["count"], form.cleaned_data["days"]
        if not rows and not count:
            form.add_error("count", _("Nobody on the roster needs a printed code. Say how many to print."))
        else:
            try:
                made = services.group_invitation_slips_create(
                    group=group, by=request_user(request), count=count, days=days, rows=rows
                )
            except Refusal as error:
                form.add_error(None, str(error))
            else:
                return render(request, "groups/slips.html", _printed(request, group, made))
    return _page(request, group, InvitationForm(makes_staff=may_own_group(request.user, group)), None, form)


def _page(
    request: HttpRequest,
    group: Group,
    form: InvitationForm,
    made: MadeInvitation | None,
    slips_form: SlipsForm | None = None,
) -> HttpResponse:
    waiting = group_roster_rows_to_print(group).count()
    context = {
        "group": group,
        "tab": "invitations",
        "manages": True,
        "owns": may_own_group(request.user, group),
        "form": form,
        "slips_form": slips_form
        or SlipsForm(auto_id=SLIPS_ID, initial={"for_roster": bool(waiting), "count": 0 if waiting else 30}),
        "waiting": waiting,
        "ways_in": group_ways_in(group),
        "made": made,
        "join_address": request.build_absolute_uri(reverse("groups:join")),
    }
    if made is not None:
        is_link = made.invitation.kind == InvitationKind.LINK
        address = request.build_absolute_uri(reverse("groups:follow", args=[made.token]))
        context |= {"shown": address if is_link else made.token, "code": screen_qr_code(address), "is_link": is_link}
    wrong = form.errors or (slips_form is not None and slips_form.errors)
    return render(request, "groups/invitations.html", context, status=422 if wrong else 200)


def _printed(request: HttpRequest, group: Group, made: list[MadeInvitation]) -> dict[str, object]:
    slips = []
    for one in made:
        address = request.build_absolute_uri(reverse("groups:follow", args=[one.token]))
        slips.append({"token": one.token, "row": one.row, "qr": screen_qr_code(address)})
    join = request.build_absolute_uri(reverse("groups:join"))
    until = made[0].invitation.expires_at
    return {"group": group, "slips": slips, "join_address": join, "until": until}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def group_join_view(request: HttpRequest) -> HttpResponse:
    """Ask for a code. If an invitation was opened, show what joining means."""
    form = CodeForm(request.POST or None)
    if request.method == "POST":
        if not GUESSES.may_try(request):
            return limit_exceeded_response(request, GUESSES.seconds_left(request))
        if form.is_valid() and OPENED.opens(request, form.cleaned_data["code"]):
            return redirect("groups:join")
        if form.is_valid():
            form.add_error("code", str(NoWayIn()))
    opened = OPENED.digests(request)
    invitation = group_invitation_of_digests(opened) if opened and request.method != "POST" else None
    context = {
        "form": form,
        "invitation": invitation,
        "group": invitation.group if invitation else None,
        "member": group_member_of(request.user, invitation.group) if invitation else None,
    }
    return render(request, "groups/join.html", context, status=422 if form.errors else 200)


@never_cache
@require_safe
def group_invitation_follow_view(request: HttpRequest, token: str) -> HttpResponse:
    """Open the link of an invitation, or the URL on a printed slip."""
    return OPENED.followed(request, token, page="groups:join", invalid="groups/no_way_in.html")


@never_cache
@login_required
@require_POST
def group_invitation_accept_view(request: HttpRequest) -> HttpResponse:
    """Join the group whose invitation was opened."""
    opened = OPENED.digests(request)
    try:
        member = services.group_member_join(person=request_user(request), digests=opened)
    except Refusal as error:
        messages.error(request, str(error))
        return redirect("groups:join")
    OPENED.close(request)
    messages.success(request, _("You are in %(group)s.") % {"group": member.group.name})
    return redirect("groups:detail", member.group.slug)
