"""The ceremony of a tournament: its public page, and the organiser's actions on it."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments import actions
from tournaments.calendar_forms import TimesForm
from tournaments.errors import TournamentError
from tournaments.models import Ceremony, Tournament, TournamentState
from tournaments.models.planning import PACE_MOST
from tournaments.selectors.entering.visible import may_own_tournament, may_see_tournament_results
from tournaments.selectors.pages.ceremony import (
    TOP,
    ceremony_of,
    ceremony_ranks_of,
    ceremony_shown,
    is_ceremony_outdated,
)
from tournaments.services import ceremony_announce, ceremony_cancel
from tournaments.services.ceremonies import PACE
from tournaments.views.lookups import own_tournament, tournament_or_404
from web.page_cache import PLAYED_SECONDS, cache_page_for, public_page
from web.zones import ZonedTimeField

ACTS: Final = ("start", "advance", "pace", "accept")
PACES: Final = (5, 8, 12, 20)  # seconds


class CeremonyForm(TimesForm):
    """The time when a ceremony begins automatically, and its pace."""

    planned_at = ZonedTimeField(
        label=gettext_lazy("The ceremony begins at"),
        required=False,
        help_text=gettext_lazy("Leave it empty to start it yourself. It never begins before the tournament is over."),
    )
    pace = forms.IntegerField(
        label=gettext_lazy("Seconds from one rank to the next"),
        min_value=3,
        max_value=PACE_MOST,
        help_text=gettext_lazy("For an automatic ceremony. It waits twice as long before each place on the podium."),
    )


@public_page(query=("overlay",))
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_ceremony_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the ceremony. With ``?overlay=1``, its background is transparent, for streams.

    A POST request of the organiser announces the ceremony. With ``call_off``, it cancels the ceremony.
    """
    if request.method == "POST":
        return _announce(request, slug)
    return render(request, "tournaments/ceremony.html", _context(request, slug))


@public_page()
@require_safe
def tournament_ceremony_live_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the live parts of the page of ``tournament_ceremony_view``."""
    return render(request, "tournaments/ceremony_live.html", _context(request, slug))


@require_POST
@login_required
def tournament_ceremony_act_view(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Start the ceremony, reveal a place, set its pace or correct its ranks."""
    action = actions.ACTIONS[f"ceremony-{act}"]
    tournament = action.who(request, slug)
    body: dict[str, Any] = {}
    try:
        if action.body is not None:
            sent = action.body(data=request.POST)
            if not sent.is_valid():
                messages.error(request, _("That was not understood: reload the page and try again."))
                return redirect("tournaments:ceremony", slug)
            body = sent.validated_data
        action.do(request, tournament, **body)
    except TournamentError as error:
        messages.error(request, str(error))
    return redirect("tournaments:ceremony", slug)


def _announce(request: HttpRequest, slug: str) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect("account_login")
    tournament = own_tournament(request, slug)
    form = CeremonyForm(request.POST, tournament=tournament, initial={})
    try:
        if "call_off" in request.POST:
            ceremony_cancel(tournament=tournament)
            messages.success(request, _("The ceremony was cancelled."))
            return redirect("tournaments:ceremony", slug)
        if form.is_valid():
            ceremony_announce(tournament=tournament, **form.cleaned_data)
            messages.success(request, _("The ceremony is announced."))
            return redirect("tournaments:ceremony", slug)
    except TournamentError as error:
        form.add_error(getattr(error, "field", "") or None, str(error))
    return render(request, "tournaments/ceremony.html", _context(request, slug, form), status=422)


def _context(request: HttpRequest, slug: str, form: CeremonyForm | None = None) -> dict[str, Any]:
    tournament = tournament_or_404(request, slug)
    owns = may_own_tournament(request.user, tournament)
    if owns and ceremony_of(tournament) is None:
        found = Ceremony(tournament=tournament, pace=PACE)  # not saved: a default for the forms
    else:
        found = shown_ceremony(request, slug)
    context = {
        "tournament": tournament,
        "ceremony": found,
        "shown": ceremony_shown(found),
        "owns": owns,
        "overlay": request.GET.get("overlay") == "1",
    }
    return context | (_organiser_context(tournament, found, form) if owns else {})


def _organiser_context(tournament: Tournament, found: Ceremony, form: CeremonyForm | None) -> dict[str, Any]:
    is_over = tournament.state == TournamentState.FINISHED
    initial = {"planned_at": found.planned_at, "pace": found.pace or PACE}
    return {
        "form": form or CeremonyForm(None, tournament=tournament, initial=initial),
        "is_over": is_over,
        "is_changed": found.is_on and is_over and is_ceremony_outdated(found, ceremony_ranks_of(tournament)),
        "is_replayed": found.is_on and not is_over,
        "paces": PACES,
        "top": TOP,
    }


def shown_ceremony(request: HttpRequest, slug: str) -> Ceremony:
    """Return the ceremony of the tournament for readers who may follow it.

    Until it has ended, these are all who may see the tournament. After that, these are the readers who may see the
    results. The page shows the same to everyone, so its cached copy is shared until the ceremony changes.

    Raises:
        Http404: no ceremony was announced or has begun.
    """
    tournament = tournament_or_404(request, slug)
    ceremony = ceremony_of(tournament)
    if ceremony is None:
        raise Http404(_("No ceremony of this tournament is announced."))
    ceremony.tournament = tournament
    if ceremony.ended_at is not None and not may_see_tournament_results(request.user, tournament):
        raise PermissionDenied(_("The organiser has not published the pairings and results of this tournament yet."))
    cache_page_for(request, f"ceremony.{tournament.pk}", PLAYED_SECONDS)
    return ceremony
