"""The fairness page of a tournament. It shows the luck and the chain.

The luck is committed in advance, and entrants add nonces to it.
"""

from dataclasses import dataclass
from functools import cached_property

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.errors import NonceRefused
from tournaments.forms import NonceForm
from tournaments.models import ENTERING, ChainLink, Tournament
from tournaments.selectors.entering.visible import may_see_tournament_results
from tournaments.selectors.pages.proof_and_luck import (
    LuckShown,
    may_add_luck_now,
    proof_head_shown,
    tournament_lucks_shown,
)
from tournaments.services import luck_nonce_add
from tournaments.views.lookups import tournament_or_404
from web.page_cache import public_page
from web.requests import request_user


@dataclass
class FairnessPage:
    """The data for the template. ``nonce_form`` may have errors."""

    request: HttpRequest
    tournament: Tournament
    nonce_form: NonceForm

    @cached_property
    def lucks(self) -> list[LuckShown]:
        return tournament_lucks_shown(self.request.user, self.tournament)

    @cached_property
    def adds_luck(self) -> bool:
        return may_add_luck_now(self.request.user, self.tournament, self.lucks)

    @cached_property
    def head(self) -> ChainLink | None:
        return proof_head_shown(self.request.user, self.tournament)


@public_page()
@require_safe
def tournament_luck_view(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, tournament_or_404(request, slug), NonceForm())


@require_POST
@login_required
def tournament_luck_nonce_add_view(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = tournament_or_404(request, slug)
    form = NonceForm(request.POST)
    try:
        if form.is_valid():
            luck_nonce_add(tournament=tournament, text=form.cleaned_data["text"], by=request_user(request))
            messages.success(request, _("Your randomness is part of all draws now."))
            return redirect("tournaments:fairness", slug)
    except NonceRefused as error:
        form.add_error("text", str(error))
        messages.error(request, str(error))
    return _page(request, tournament, form, status=422)


def _page(request: HttpRequest, tournament: Tournament, form: NonceForm, status: int = 200) -> HttpResponse:
    context = {
        "tournament": tournament,
        "page": FairnessPage(request, tournament, form),
        "entering": tournament.state in ENTERING,
        "shown": may_see_tournament_results(request.user, tournament),
    }
    return render(request, "tournaments/fairness.html", context, status=status)
