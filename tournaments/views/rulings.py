"""The log of rulings, and the pages to make a ruling: choose its kind, preview the consequences, and confirm."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from matches.models import Seat as MatchSeat
from tournaments.errors import RulingRefused, RulingStale, TournamentError
from tournaments.formats.knockout.pages.bracket_changes import bracket_changed
from tournaments.models import PLAYING, RULING_LABELS, Entry, Tournament, TournamentState
from tournaments.ruling_forms import ProposalForm, ReasonForm
from tournaments.selectors.entering.visible import may_rule_tournament
from tournaments.selectors.pages.tournament_page import tournament_entries_of
from tournaments.selectors.rulings.consequences import SILENT, ruling_consequences_of
from tournaments.selectors.rulings.corrections import rulings_reversible
from tournaments.selectors.rulings.ruling_log import RULINGS_COLUMNS, ruling_log_of, ruling_log_rows
from tournaments.selectors.rulings.ruling_preview import (
    Proposal,
    ruling_preview_ranks_moved,
    ruling_preview_round_redrawn,
)
from tournaments.services import ruling_make
from tournaments.standings import RulingCode
from tournaments.views.lookups import ruled_tournament, shown_tournament
from tournaments.views.pages import tournament_page_refused
from web.downloads import csv_response
from web.page_cache import public_page
from web.requests import request_user


@public_page()
@require_safe
def tournament_rulings_view(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = shown_tournament(request, slug)
    begun = tournament.state in PLAYING or tournament.state == TournamentState.FINISHED
    context = {
        "tournament": tournament,
        "log": ruling_log_of(tournament),
        "rules": (rules := begun and may_rule_tournament(request.user, tournament)),
        "takes_back": {ruling.number for ruling in rulings_reversible(tournament)} if rules else (),
        "arbiters": tournament.arbiters.order_by("username"),
    }
    return render(request, "tournaments/rulings.html", context)


@require_safe
def tournament_rulings_file_view(request: HttpRequest, slug: str) -> HttpResponseBase:
    tournament = shown_tournament(request, slug)
    return csv_response(request, f"{slug}-rulings.csv", RULINGS_COLUMNS, ruling_log_rows(tournament))


@require_http_methods(["GET", "POST"])
@login_required
def tournament_rule_view(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Show the form for a ruling. Once the form is complete, show the consequences too. A POST makes the ruling."""
    tournament = ruled_tournament(request, slug)
    if kind not in list(RulingCode):
        raise Http404(_("There is no such ruling."))
    form_for = partial(ProposalForm, kind=RulingCode(kind), tournament=tournament)
    if request.method == "POST":
        basis, reason = request.POST.get("basis", ""), request.POST.get("reason", "").strip()
        sent_before = tournament.rulings.filter(basis=basis, kind=kind, by=request.user.pk, reason=reason)
        if sent_before.exists():
            return redirect("tournaments:rulings", slug)
        return _confirm(request, tournament, form_for(request.POST), ReasonForm(request.POST))
    if "look" in request.GET or kind in (RulingCode.REOPEN, RulingCode.NOTE):
        form = form_for(request.GET)
    else:
        form = form_for(initial=request.GET.dict())
    return _page(request, tournament, form, ReasonForm(), 422 if form.errors else 200)


def _confirm(request: HttpRequest, tournament: Tournament, form: ProposalForm, reason: ReasonForm) -> HttpResponse:
    if not (form.is_valid() and reason.is_valid()):
        return _page(request, tournament, form, reason, 422)
    try:
        ruling = ruling_make(
            tournament=tournament,
            proposal=form.proposal,
            reason=reason.cleaned_data["reason"],
            basis=reason.cleaned_data["basis"],
            by=request_user(request),
        )
    except RulingStale as error:
        messages.warning(request, str(error))
        return _page(request, tournament, form, reason, 409)
    except RulingRefused as error:
        form.add_error(error.field if error.field in form.fields else None, str(error))
        return _page(request, tournament, form, reason, 422)
    except TournamentError as error:
        return tournament_page_refused(request, tournament.slug, error)
    messages.success(request, _("Ruling %(number)d is in the log.") % {"number": ruling.number})
    return redirect("tournaments:rulings", tournament.slug)


def _about(proposal: Proposal, entries: Mapping[int, Entry]) -> list[Entry]:
    """Return the bots of the match, or the bot, that the ruling is about."""
    about = proposal.ruling or proposal
    match = proposal.fixture.match_id if proposal.fixture else proposal.ruling.match_id if proposal.ruling else None
    if match is None:
        return [] if about.entry is None else [entries[about.entry.pk]]
    by_bot = {entry.bot_id: entry for entry in entries.values()}
    seats = MatchSeat.objects.filter(match=match).order_by("index")
    return [by_bot[bot] for bot in seats.values_list("version__bot", flat=True)]


def _page(
    request: HttpRequest, tournament: Tournament, form: ProposalForm, reason: ReasonForm, status: int
) -> HttpResponse:
    context: dict[str, Any] = {
        "tournament": tournament,
        "kind": form.kind,
        "label": RULING_LABELS[form.kind],
        "form": form,
        "fixture": form.fixture,
        "reason": reason,
    }
    if form.is_bound and form.is_valid():
        silent = form.kind in SILENT  # such a ruling is about no bot
        entries = {} if silent else {entry.pk: entry for entry in tournament_entries_of(tournament)}
        follows = ruling_consequences_of(tournament, form.proposal)
        context |= {
            "follows": follows,
            "redrawn": ruling_preview_round_redrawn(follows.redraw, entries) if follows.redraw else None,
            "bracket": bracket_changed(follows, entries),
            "about": _about(form.proposal, entries),
            "basis": follows.basis,
            "changes": [(one, lines) for one in follows.changes if (lines := ruling_preview_ranks_moved(one, entries))],
            "reopen_first": follows.to_play and tournament.state == TournamentState.FINISHED,
        }
    return render(request, "tournaments/rule.html", context, status=status)
