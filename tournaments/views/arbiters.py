"""The organiser chooses who rules beside them."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.errors import TournamentError
from tournaments.services.arbiters import arbiter_add, arbiter_remove
from tournaments.views.lookups import own_tournament


class ArbiterForm(forms.Form):
    username = forms.CharField(
        label=_("User name"), max_length=150, widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none"})
    )


@require_http_methods(["GET", "POST"])
@login_required
def arbiters(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = own_tournament(request, slug)
    form = ArbiterForm(request.POST or None)
    if form.is_valid():
        try:
            arbiter_add(tournament=tournament, username=form.cleaned_data["username"])
        except TournamentError as error:
            form.add_error("username", str(error))
        else:
            return redirect("tournaments:arbiters", slug)
    context = {"tournament": tournament, "arbiters": tournament.arbiters.order_by("username"), "form": form}
    return render(request, "tournaments/arbiters.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def dismiss(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    arbiter_remove(tournament=own_tournament(request, slug), user_id=user_id)
    return redirect("tournaments:arbiters", slug)
