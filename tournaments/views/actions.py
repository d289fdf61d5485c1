"""The actions of buttons on the pages of a tournament. Each POST request calls one service."""

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from contests.actions import AlreadyDone
from tournaments.actions import ACTIONS as EVERY_ACTION
from tournaments.actions import BUTTONS
from tournaments.entry_form import EntryForm, registration_answer_refused
from tournaments.errors import AnswerRefused, EntryRefused, TournamentError
from tournaments.services import entries_create, entry_withdraw
from tournaments.views.invitations import tournament_invitation_opened
from tournaments.views.lookups import tournament_or_404
from tournaments.views.pages import tournament_detail, tournament_refused
from web.requests import request_user

ACTIONS: Final = BUTTONS  # those of the tournament's page


@require_POST
@login_required
def tournament_act(
    request: HttpRequest, slug: str, action: str, then: str = "tournaments:detail", **address: int
) -> HttpResponse:
    """Do an action that needs no input. ``then`` is the name of the page to redirect to."""
    chosen = EVERY_ACTION[action]
    found = chosen.who(request, slug, **address)
    try:
        chosen.do(request, found)
    except AlreadyDone:
        message = _("Nothing to do: the tournament is in this state already (%(state)s).")
        messages.info(request, message % {"state": found.get_state_display()})
    except TournamentError as error:
        return tournament_refused(request, slug, error)
    return redirect(then, slug)


@require_POST
@login_required
def tournament_enter(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = tournament_or_404(request, slug)
    user = request_user(request)
    form = EntryForm(request.POST, tournament=tournament, user=user)
    try:
        if form.is_valid():
            link = tournament_invitation_opened(request, tournament)
            bots = form.cleaned_data["bots"]
            answers = form.cleaned_data["answers"]
            entries_create(tournament=tournament, bots=bots, by=user, invitation=link, answers=answers)
            told = ngettext("%(bots)s has entered.", "%(bots)s have entered.", len(bots))
            messages.success(request, told % {"bots": ", ".join(bot.name for bot in bots)})
            return redirect("tournaments:detail", slug)
    except EntryRefused as error:
        form.add_error("bot", str(error))
    except AnswerRefused as error:
        registration_answer_refused(form, error)
    except TournamentError as error:
        return tournament_refused(request, slug, error)
    return tournament_detail(request, slug, entry_form=form, status=422)


@require_POST
@login_required
def tournament_withdraw(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    tournament = tournament_or_404(request, slug)
    entry = get_object_or_404(tournament.entries.select_related("bot"), pk=entry_id)
    try:
        entry_withdraw(entry=entry, by=request_user(request))
    except EntryRefused as error:
        messages.error(request, str(error))
        return tournament_detail(request, slug, status=403 if error.code == "not_yours" else 409)
    except TournamentError as error:
        return tournament_refused(request, slug, error)
    return redirect("tournaments:detail", slug)
