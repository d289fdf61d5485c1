"""Views for the buttons on the pages of a tournament, and for its publication and arbiters. Each calls one service."""

from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from contests.actions import AlreadyDone
from tournaments.actions import ACTIONS as EVERY_ACTION
from tournaments.actions import BUTTONS
from tournaments.errors import TournamentError
from tournaments.models import Publication
from tournaments.services import tournament_publish
from tournaments.services.editing import arbiter_dismiss, tournament_arbiter_add
from tournaments.views.lookups import own_tournament
from tournaments.views.pages import tournament_detail_view, tournament_page_refused

ACTIONS: Final = BUTTONS  # those of the tournament's page


@require_POST
@login_required
def tournament_act_view(
    request: HttpRequest, slug: str, action: str, then: str = "tournaments:detail", **address: int
) -> HttpResponse:
    """Do an action, with the fields of its form if it has any. ``then`` is the name of the page to redirect to."""
    chosen = EVERY_ACTION[action]
    found = chosen.who(request, slug, **address)
    sent = chosen.body(data=request.POST) if chosen.body else None
    if sent is not None and not sent.is_valid():
        messages.error(request, " ".join(str(one) for errors in sent.errors.values() for one in errors))
        return tournament_detail_view(request, slug, status=422)
    try:
        chosen.do(request, found, **(sent.validated_data if sent is not None else {}))
    except AlreadyDone:
        message = _("Nothing to do: the tournament is in this state already (%(state)s).")
        messages.info(request, message % {"state": found.get_state_display()})
    except TournamentError as error:
        return tournament_page_refused(request, slug, error)
    return redirect(then, slug)


class PublicationForm(forms.Form):
    publication = forms.ChoiceField(choices=Publication.choices)


@require_POST
@login_required
def tournament_publish_view(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = own_tournament(request, slug)
    form = PublicationForm(request.POST)
    if form.is_valid():
        try:
            tournament_publish(tournament=tournament, publication=Publication(form.cleaned_data["publication"]))
        except TournamentError as error:
            return tournament_page_refused(request, slug, error)
    else:
        messages.error(request, _("Choose who may see pairings and results."))
    return redirect("tournaments:detail", slug)


class ArbiterForm(forms.Form):
    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=150,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none"}),
    )


@require_http_methods(["GET", "POST"])
@login_required
def tournament_arbiters_view(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = own_tournament(request, slug)
    form = ArbiterForm(request.POST or None)
    if form.is_valid():
        try:
            tournament_arbiter_add(tournament=tournament, username=form.cleaned_data["username"])
        except TournamentError as error:
            form.add_error("username", str(error))
        else:
            return redirect("tournaments:arbiters", slug)
    context = {"tournament": tournament, "arbiters": tournament.arbiters.order_by("username"), "form": form}
    return render(request, "tournaments/arbiters.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def tournament_arbiter_remove_view(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    arbiter_dismiss(tournament=own_tournament(request, slug), user_id=user_id)
    return redirect("tournaments:arbiters", slug)
