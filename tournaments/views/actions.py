"""What is done to a tournament by a button: one POST, one service."""

from collections.abc import Mapping
from typing import Final, Protocol

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournaments.errors import EntryRefused, TournamentError, WrongState
from tournaments.forms import EntryForm
from tournaments.models import Tournament, TournamentState
from tournaments.services import (
    entry_create,
    entry_withdraw,
    tournament_cancel,
    tournament_lock,
    tournament_open,
    tournament_pause,
    tournament_release,
    tournament_reopen,
    tournament_resume,
    tournament_start,
)
from tournaments.views.invitations import opened
from tournaments.views.lookups import own_tournament, ruled_tournament, tournament_or_404
from tournaments.views.pages import tournament_detail
from tournaments.views.refused import refused
from web.requests import signed_in


class Action(Protocol):
    def __call__(self, *, tournament: Tournament) -> Tournament: ...


FOR_ARBITERS: Final[Mapping[str, Action]] = {
    "pause": tournament_pause,
    "resume": tournament_resume,
    "release": tournament_release,
}
ACTIONS: Final[Mapping[str, Action]] = {
    "open": tournament_open,
    "lock": tournament_lock,
    "reopen": tournament_reopen,
    "start": tournament_start,
    "cancel": tournament_cancel,
    **FOR_ARBITERS,
}


STATES: Final = TournamentState
# The states that an act leads to, at once or in the end: who presses twice, or in a second tab, has what was wanted.
LEADS_TO: Final[Mapping[str, frozenset[str]]] = {
    "open": frozenset({STATES.OPEN, STATES.LOCKED}),
    "lock": frozenset({STATES.LOCKED}),
    "reopen": frozenset({STATES.OPEN}),
    "start": frozenset({STATES.RUNNING, STATES.PAUSED, STATES.FINISHED}),
    "cancel": frozenset({STATES.CANCELLED}),
    "pause": frozenset({STATES.PAUSED}),
    "resume": frozenset({STATES.RUNNING, STATES.FINISHED}),
    "release": frozenset(),
}


@require_POST
@login_required
def act(request: HttpRequest, slug: str, action: str) -> HttpResponse:
    tournament = ruled_tournament(request, slug) if action in FOR_ARBITERS else own_tournament(request, slug)
    try:
        ACTIONS[action](tournament=tournament)
    except WrongState as error:
        tournament.refresh_from_db()
        if tournament.state not in LEADS_TO[action]:
            return refused(request, slug, error)
        message = _("Nothing to do: the tournament is in this state already (%(state)s).")
        messages.info(request, message % {"state": tournament.get_state_display()})
    except TournamentError as error:
        return refused(request, slug, error)
    return redirect("tournaments:detail", slug)


@require_POST
@login_required
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = tournament_or_404(request, slug)
    user = signed_in(request)
    form = EntryForm(request.POST, tournament=tournament, user=user)
    try:
        if form.is_valid():
            link = opened(request, tournament)
            entry_create(tournament=tournament, bot=form.cleaned_data["bot"], by=user, invitation=link)
            messages.success(request, _("%(bot)s has entered.") % {"bot": form.cleaned_data["bot"].name})
            return redirect("tournaments:detail", slug)
    except EntryRefused as error:
        form.add_error("bot", str(error))
    except TournamentError as error:
        return refused(request, slug, error)
    return tournament_detail(request, slug, entry_form=form, status=422)


@require_POST
@login_required
def withdraw(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    tournament = tournament_or_404(request, slug)
    entry = get_object_or_404(tournament.entries.select_related("bot"), pk=entry_id)
    try:
        entry_withdraw(entry=entry, by=signed_in(request))
    except EntryRefused as error:
        messages.error(request, str(error))
        return tournament_detail(request, slug, status=403 if error.code == "not_yours" else 409)
    except TournamentError as error:
        return refused(request, slug, error)
    return redirect("tournaments:detail", slug)
