"""Adding to the luck between the freeze of the entries and the start."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.errors import NonceRefused
from tournaments.forms import NonceForm
from tournaments.services import nonce_add
from tournaments.views.lookups import tournament_or_404
from tournaments.views.pages import tournament_detail
from web.requests import signed_in


@require_POST
@login_required
def add(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = tournament_or_404(request, slug)
    form = NonceForm(request.POST)
    try:
        if form.is_valid():
            nonce_add(tournament=tournament, text=form.cleaned_data["text"], by=signed_in(request))
            messages.success(request, _("Your randomness is part of all draws now."))
            return redirect("tournaments:detail", slug)
    except NonceRefused as error:
        form.add_error("text", str(error))
        messages.error(request, str(error))
    return tournament_detail(request, slug, nonce_form=form, status=422)
