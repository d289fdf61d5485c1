"""The way into a team from outside: a link is opened, then shown what joining means, then joined."""

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from teams import services
from teams.selectors import team_link_found, team_member, team_members
from web.errors import Refusal
from web.invitations import OpenedInvitation
from web.requests import signed_in

OPENED: Final = OpenedInvitation("team_invitation", team_link_found)


@never_cache
@require_safe
def join(request: HttpRequest) -> HttpResponse:
    """Show the team whose link was opened."""
    link = team_link_found(OPENED.digests(request))
    if link is None:
        return render(request, "teams/no_way_in.html", status=404)
    context = {
        "team": link.team,
        "members": team_members(link.team),
        "member": team_member(request.user, link.team),
    }
    return render(request, "teams/join.html", context)


@never_cache
@require_safe
def follow(request: HttpRequest, token: str) -> HttpResponse:
    """Open a link."""
    return OPENED.followed(request, token, page="teams:join", invalid="teams/no_way_in.html")


@never_cache
@login_required
@require_POST
def accept(request: HttpRequest) -> HttpResponse:
    """Join the team whose link was opened."""
    try:
        member = services.member_join(person=signed_in(request), digests=OPENED.digests(request))
    except Refusal as error:
        messages.error(request, str(error))
        return redirect("teams:list")
    OPENED.close(request)
    messages.success(request, _("You are in %(team)s.") % {"team": member.team.name})
    return redirect("teams:detail", member.team.slug)
