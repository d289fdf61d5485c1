"""Teams: one's own, a team's page, founding and leaving one."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from teams import services
from teams.forms import TeamForm, TeamLinkForm
from teams.models import Team
from teams.selectors import may_lead, team_changes, team_links, team_members, teams_of
from web.errors import Refusal
from web.page_cache import LIST_SECONDS, public_page
from web.requests import signed_in


@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """List one's teams."""
    return render(request, "teams/list.html", {"teams": teams_of(request.user)})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """Found a team."""
    form = TeamForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            team = services.team_create(by=signed_in(request), **form.cleaned_data)
        except Refusal as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, _("The team is there. Now let people in."))
            return redirect("teams:detail", team.slug)
    return render(request, "teams/form.html", {"form": form}, status=422 if form.errors else 200)


@public_page(max_age=LIST_SECONDS)
@require_safe
def detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a team: its members and bots; to members also who came and went, and to its captain how to let people in."""
    return render(request, "teams/detail.html", page_of(request, team_named(slug)))


@login_required
@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a team."""
    team = team_named(slug)
    if services.member_leave(team=team, person=signed_in(request)):
        messages.success(request, _("You have left %(team)s.") % {"team": team.name})
    return redirect("teams:list")


def team_named(slug: str) -> Team:
    """Return the team at an address, with its account."""
    return get_object_or_404(Team.objects.select_related("account"), slug=slug)


def page_of(request: HttpRequest, team: Team, **more: Any) -> dict[str, Any]:
    """Return what a team's page shows to a reader."""
    members = list(team_members(team))
    me = next((one for one in members if one.person_id == request.user.pk), None)
    leads = may_lead(request.user, team)
    context: dict[str, Any] = {"team": team, "members": members, "me": me, "leads": leads}
    if me is not None or leads:
        context["changes"] = team_changes(team)
    if leads:
        context |= {"links": team_links(team), "form": TeamLinkForm()}
    return context | more
