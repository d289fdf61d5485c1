"""Ways in, from outside: a code is typed or a link opened, then shown what joining means, then joined."""

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from groups import services
from groups.errors import NoWayIn
from groups.forms import CodeForm
from groups.selectors import invitation_found, member_of
from web.errors import Refusal
from web.invitations import GUESSES, OpenedInvitation
from web.limits import too_many
from web.requests import signed_in

OPENED: Final = OpenedInvitation("group_invitation", invitation_found)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Ask for a code; once one is opened, show what joining means."""
    form = CodeForm(request.POST or None)
    if request.method == "POST":
        if not GUESSES.may_try(request):
            return too_many(request, GUESSES.seconds_left(request))
        if form.is_valid() and OPENED.opens(request, form.cleaned_data["code"]):
            return redirect("groups:join")
        if form.is_valid():
            form.add_error("code", str(NoWayIn()))
    opened = OPENED.digests(request)
    invitation = invitation_found(opened) if opened and request.method != "POST" else None
    context = {
        "form": form,
        "invitation": invitation,
        "group": invitation.group if invitation else None,
        "member": member_of(request.user, invitation.group) if invitation else None,
    }
    return render(request, "groups/join.html", context, status=422 if form.errors else 200)


@never_cache
@require_safe
def follow(request: HttpRequest, token: str) -> HttpResponse:
    """Open a link or the address of a printed code."""
    return OPENED.followed(request, token, page="groups:join", invalid="groups/no_way_in.html")


@never_cache
@login_required
@require_POST
def accept(request: HttpRequest) -> HttpResponse:
    """Join the group whose invitation was opened."""
    opened = OPENED.digests(request)
    try:
        member = services.member_join(person=signed_in(request), digests=opened)
    except Refusal as error:
        messages.error(request, str(error))
        return redirect("groups:join")
    OPENED.close(request)
    messages.success(request, _("You are in %(group)s.") % {"group": member.group.name})
    return redirect("groups:detail", member.group.slug)
