"""Pages of teams: list, create, join and leave them, and manage members and links."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from teams import services
from teams.errors import NotTheCaptain
from teams.models import NAME_MOST, Team
from teams.selectors import (
    may_lead_team,
    team_changes,
    team_link_found,
    team_links,
    team_member_of,
    team_members,
    teams_of,
)
from teams.services import DAYS_MOST, USES_MOST
from web.errors import Refusal
from web.invitations import OpenedInvitation
from web.page_cache import LIST_SECONDS, public_page
from web.requests import request_user


class TeamForm(forms.Form):
    """The name of a team."""

    name = forms.CharField(
        label=_("Name"),
        max_length=NAME_MOST,
        help_text=_("Shown as the author of the team's bots. It cannot be changed."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )


class TeamLinkForm(forms.Form):
    """The number of people whom a link admits, and its lifetime."""

    uses = forms.IntegerField(label=_("Number of people"), initial=3, min_value=1, max_value=USES_MOST)
    days = forms.IntegerField(label=_("Valid for (days)"), initial=7, min_value=1, max_value=DAYS_MOST)


@login_required
@require_safe
def team_list_view(request: HttpRequest) -> HttpResponse:
    """List the user's teams."""
    return render(request, "teams/list.html", {"teams": teams_of(request.user)})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def team_create_view(request: HttpRequest) -> HttpResponse:
    """Create a team."""
    form = TeamForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            team = services.team_create(by=request_user(request), **form.cleaned_data)
        except Refusal as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, gettext("Your team is ready. Now invite people."))
            return redirect("teams:detail", team.slug)
    return render(request, "teams/form.html", {"form": form}, status=422 if form.errors else 200)


@public_page(max_age=LIST_SECONDS)
@require_safe
def team_detail_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a team with its members and bots; to members also the log, and to the captain the links."""
    return render(request, "teams/detail.html", team_page_context(request, team_or_404(slug)))


@login_required
@require_POST
def team_leave_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a team."""
    team = team_or_404(slug)
    if services.team_member_leave(team=team, person=request_user(request)):
        messages.success(request, gettext("You have left %(team)s.") % {"team": team.name})
    return redirect("teams:list")


def team_or_404(slug: str) -> Team:
    """Return the team of an address with its account, or raise Http404."""
    return get_object_or_404(Team.objects.select_related("account"), slug=slug)


def team_page_context(request: HttpRequest, team: Team, **more: Any) -> dict[str, Any]:
    """Return the context of a team's page."""
    members = list(team_members(team))
    me = next((one for one in members if one.person_id == request.user.pk), None)
    leads = may_lead_team(request.user, team)
    context: dict[str, Any] = {"team": team, "members": members, "me": me, "leads": leads}
    if me is not None or leads:
        context["changes"] = team_changes(team)
    if leads:
        context |= {"links": team_links(team), "form": TeamLinkForm()}
    return context | more


OPENED: Final = OpenedInvitation("team_invitation", team_link_found)


@never_cache
@require_safe
def team_join_view(request: HttpRequest) -> HttpResponse:
    """Show the team whose link was opened."""
    link = team_link_found(OPENED.digests(request))
    if link is None:
        return render(request, "teams/no_way_in.html", status=404)
    context = {
        "team": link.team,
        "members": team_members(link.team),
        "member": team_member_of(request.user, link.team),
    }
    return render(request, "teams/join.html", context)


@never_cache
@require_safe
def team_link_follow_view(request: HttpRequest, token: str) -> HttpResponse:
    """Open a link."""
    return OPENED.followed(request, token, page="teams:join", invalid="teams/no_way_in.html")


@never_cache
@login_required
@require_POST
def team_link_accept_view(request: HttpRequest) -> HttpResponse:
    """Join the team whose link was opened."""
    try:
        member = services.team_member_join(person=request_user(request), digests=OPENED.digests(request))
    except Refusal as error:
        messages.error(request, str(error))
        return redirect("teams:list")
    OPENED.close(request)
    messages.success(request, gettext("You are in %(team)s.") % {"team": member.team.name})
    return redirect("teams:detail", member.team.slug)


@never_cache
@login_required
@require_POST
def team_link_create_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a link and show it. The token is never shown again."""
    team = _led(request, slug)
    form, shown = TeamLinkForm(request.POST), ""
    if form.is_valid():
        try:
            _made, token = services.team_link_create(team=team, by=request_user(request), **form.cleaned_data)
        except Refusal as error:
            form.add_error(None, str(error))
        else:
            form, shown = TeamLinkForm(), request.build_absolute_uri(reverse("teams:follow", args=[token]))
    context = team_page_context(request, team, form=form, shown=shown)
    return render(request, "teams/detail.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def team_link_revoke_view(request: HttpRequest, slug: str, link_id: int) -> HttpResponse:
    """Revoke a link."""
    team = _led(request, slug)
    services.team_link_revoke(team=team, link_id=link_id, by=request_user(request))
    messages.success(request, gettext("The link is revoked. Everyone who has joined stays."))
    return redirect("teams:detail", slug)


@login_required
@require_POST
def team_member_remove_view(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Remove a member."""
    team = _led(request, slug)
    if services.team_member_remove(team=team, person_id=user_id, by=request_user(request)):
        messages.success(request, gettext("The member was removed."))
    return redirect("teams:detail", slug) if Team.objects.filter(pk=team.pk).exists() else redirect("teams:list")


@login_required
@require_POST
def team_captain_view(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Make a member captain."""
    team = _led(request, slug)
    if services.team_captain_set(team=team, person_id=user_id, by=request_user(request)):
        messages.success(request, gettext("The team has a new captain."))
    return redirect("teams:detail", slug)


def _led(request: HttpRequest, slug: str) -> Team:
    team = team_or_404(slug)
    if not may_lead_team(request.user, team):
        raise PermissionDenied(str(NotTheCaptain()))
    return team
