"""The invitation link: the organiser creates it, and invited authors open it."""

from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contests.audience import may_see_contest
from tournaments.errors import TournamentError
from tournaments.models import Tournament, TournamentState
from tournaments.selectors.entering.entry_rules import (
    OPENED,
    entry_closed_reason,
    entry_invitation_digest_of,
    entry_invitation_link_holds,
    entry_invitation_link_shown,
)
from tournaments.selectors.entering.visible import may_own_tournament
from tournaments.services import tournament_invitation_make, tournament_invitation_withdraw
from tournaments.services.invitations import GUESSES
from tournaments.views.lookups import own_tournament
from web.limits import limit_exceeded_response

OPENED_MOST: Final = 20
MOST: Final = 2**31 - 1


class LinkForm(forms.Form):
    """The form for a new link. ``known`` is the number of the link that the page has shown."""

    known = forms.IntegerField(min_value=0, max_value=MOST, widget=forms.HiddenInput)


def tournament_invitation_opened(request: HttpRequest, tournament: Tournament) -> str:
    """Return the digest of the link to the tournament that this visitor has opened, "" if none."""
    return str(request.session.get(OPENED, {}).get(str(tournament.pk), ""))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tournament_invitation_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the state of the link. A POST request creates a link; only its response shows the link."""
    tournament = own_tournament(request, slug)
    link, form = "", LinkForm(request.POST)
    try:
        if request.method == "POST" and form.is_valid():
            token = tournament_invitation_make(tournament=tournament, known=form.cleaned_data["known"])
            link = request.build_absolute_uri(reverse("tournaments:invited", args=[slug, token]))
    except TournamentError as error:
        messages.info(request, str(error))
        return redirect("tournaments:invitation", slug)
    context = {"tournament": tournament, "shown": entry_invitation_link_shown(tournament), "link": link}
    return render(request, "tournaments/invitation.html", context)


@require_POST
@login_required
def tournament_invitation_withdraw_view(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = own_tournament(request, slug)
    form = LinkForm(request.POST)
    try:
        if form.is_valid():
            tournament_invitation_withdraw(tournament=tournament, known=form.cleaned_data["known"])
            messages.success(request, _("The link is withdrawn: nobody can enter with it any more."))
    except TournamentError as error:
        messages.info(request, str(error))
    return redirect("tournaments:invitation", slug)


@never_cache
@require_safe
def tournament_invitation_open_view(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Open an invitation link. Its digest is stored in the session, so that no further address contains the token."""
    response = _invited(request, slug, token)
    response["Referrer-Policy"] = "no-referrer"
    return response


def _invited(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    if not GUESSES.may_try(request):
        return limit_exceeded_response(request, GUESSES.seconds_left(request))
    tournament = Tournament.objects.filter(slug=slug).prefetch_related("stages").first()
    digest = entry_invitation_digest_of(token)
    if tournament is None or not entry_invitation_link_holds(tournament, digest):
        GUESSES.count(request)
        return render(request, "tournaments/not_invited.html", status=404)
    if not may_see_contest(request.user, tournament):
        if request.user.is_anonymous:  # perhaps a member of the group
            return redirect_to_login(request.path)
        return render(request, "tournaments/not_invited.html", status=404)
    closed = entry_closed_reason(tournament)
    if tournament.state == TournamentState.DRAFT and not may_own_tournament(request.user, tournament):
        messages.warning(request, closed)
        return redirect("tournaments:list")  # they may not see the page of the tournament
    page = reverse("tournaments:detail", args=[slug])
    if closed:
        messages.warning(request, closed)
        return redirect(page)
    others = [one for one in request.session.get(OPENED, {}).items() if one[0] != str(tournament.pk)]
    request.session[OPENED] = dict([*others, (str(tournament.pk), digest)][-OPENED_MOST:])
    if not request.user.is_authenticated:
        messages.info(request, _("You are invited. Sign in or sign up, then enter your bot."))
        return redirect_to_login(page)
    messages.success(request, _("You are invited: enter your bot here."))
    return redirect(page)


def last_tournament_invitation_opened(request: HttpRequest) -> int | None:
    """Return the id of the last tournament whose valid link this visitor has opened; None if there is none."""
    for number, digest in reversed(request.session.get(OPENED, {}).items()):
        tournament = Tournament.objects.filter(pk=number).first()
        if tournament is not None and entry_invitation_link_holds(tournament, digest):
            return tournament.pk
    return None
