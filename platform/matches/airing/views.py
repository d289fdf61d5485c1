"""The broadcast of a match, for who runs it: announce it, move its premiere, end it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from matches.airing.forms import BroadcastForm, may_announce
from matches.airing.services import broadcast_announce, broadcast_end, premiere_move
from matches.models import Match
from matches.visibility import matches_visible, runs_match


@require_POST
@login_required
def match_broadcast(request: HttpRequest, pk: int) -> HttpResponse:
    """Announce or move the broadcast of a match; with ``end``, show its result at once."""
    match = get_object_or_404(matches_visible(request.user), pk=pk)
    if not runs_match(request.user, match):
        raise PermissionDenied(_("Only who runs this match may do this."))
    if "end" in request.POST:
        done = broadcast_end(match_id=pk, at_once=True)
    else:
        form = BroadcastForm(request.POST, match=match)
        if not form.is_valid():
            for error in (error for errors in form.errors.values() for error in errors):
                messages.error(request, str(error))
            return redirect("matches:detail", pk)
        chosen, premieres_at = Match.objects.filter(pk=pk), form.cleaned_data["premieres_at"]
        if may_announce(match):
            done = bool(broadcast_announce(matches=chosen, tempo=form.cleaned_data["tempo"], premieres_at=premieres_at))
        else:
            done = bool(premiere_move(matches=chosen, premieres_at=premieres_at))
    if done:
        messages.success(request, _("The broadcast was changed."))
    else:
        messages.warning(request, _("It is too late for that: the broadcast has begun, or is over."))
    return redirect("matches:detail", pk)
