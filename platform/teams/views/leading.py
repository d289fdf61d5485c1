"""What the captain of a team does: links, and who is in it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from teams import services
from teams.errors import NotTheCaptain
from teams.forms import TeamLinkForm
from teams.models import Team
from teams.selectors import may_lead
from teams.views.pages import page_of, team_named
from web.errors import Refusal
from web.requests import signed_in


@never_cache
@login_required
@require_POST
def links(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link and show it in the answer, the only time it is seen."""
    team = _led(request, slug)
    form, shown = TeamLinkForm(request.POST), ""
    if form.is_valid():
        try:
            _made, token = services.team_link_create(team=team, by=signed_in(request), **form.cleaned_data)
        except Refusal as error:
            form.add_error(None, str(error))
        else:
            form, shown = TeamLinkForm(), request.build_absolute_uri(reverse("teams:follow", args=[token]))
    context = page_of(request, team, form=form, shown=shown)
    return render(request, "teams/detail.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def revoke(request: HttpRequest, slug: str, link_id: int) -> HttpResponse:
    """Let nobody in any more by a link."""
    team = _led(request, slug)
    services.team_link_revoke(team=team, link_id=link_id, by=signed_in(request))
    messages.success(request, _("The link is revoked. Everyone who has joined stays."))
    return redirect("teams:detail", slug)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Remove a member."""
    team = _led(request, slug)
    if services.member_remove(team=team, person_id=user_id, by=signed_in(request)):
        messages.success(request, _("The member was removed."))
    return redirect("teams:detail", slug) if Team.objects.filter(pk=team.pk).exists() else redirect("teams:list")


@login_required
@require_POST
def captain(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Make a member captain."""
    team = _led(request, slug)
    if services.captain_set(team=team, person_id=user_id, by=signed_in(request)):
        messages.success(request, _("The team has another captain."))
    return redirect("teams:detail", slug)


def _led(request: HttpRequest, slug: str) -> Team:
    team = team_named(slug)
    if not may_lead(request.user, team):
        raise PermissionDenied(str(NotTheCaptain()))
    return team
