"""The broadcast of a match, for people who run the match: announce it, move its premiere, or end it."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from matches.airing.services import (
    AHEAD_MOST,
    broadcast_announce,
    broadcast_end,
    broadcast_premiere_allowed,
    broadcast_premiere_move,
)
from matches.models import Broadcast, Match, MatchState
from matches.visibility import matches_visible, visibility_runs_match


@require_POST
@login_required
def match_broadcast_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Announce or move the broadcast of a match. If the form has ``end``, end the broadcast and show the result."""
    match = get_object_or_404(matches_visible(request.user), pk=pk)
    if not visibility_runs_match(request.user, match):
        raise PermissionDenied(_("Only those who run this match can do this."))
    if "end" in request.POST:
        done = broadcast_end(match_id=pk, at_once=True)
    else:
        form = BroadcastForm(request.POST, match=match)
        if not form.is_valid():
            for error in (error for errors in form.errors.values() for error in errors):
                messages.error(request, str(error))
            return redirect("matches:detail", pk)
        chosen, premieres_at = Match.objects.filter(pk=pk), form.cleaned_data["premieres_at"]
        if broadcast_may_be_announced(match):
            done = bool(broadcast_announce(matches=chosen, tempo=form.cleaned_data["tempo"], premieres_at=premieres_at))
        else:
            done = bool(broadcast_premiere_move(matches=chosen, premieres_at=premieres_at))
    if done:
        messages.success(request, _("The broadcast was changed."))
    else:
        messages.warning(request, _("It is too late for that: the broadcast has begun or is over."))
    return redirect("matches:detail", pk)


class BroadcastForm(forms.Form):
    """The settings of a broadcast. The field ``tempo`` is removed once the match is being played."""

    tempo = forms.ChoiceField(label=gettext_lazy("Broadcast"), choices=Broadcast.choices, required=False)
    premieres_at = forms.DateTimeField(
        label=gettext_lazy("Premiere at (UTC)"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=gettext_lazy(
            "The broadcast begins no earlier than this. Leave it empty to begin as soon as the match has been played."
        ),
    )

    def __init__(self, data: Any = None, *, match: Match) -> None:
        super().__init__(data, initial={"tempo": match.tempo, "premieres_at": match.premieres_at})
        if not broadcast_may_be_announced(match):
            del self.fields["tempo"]

    def clean_premieres_at(self) -> datetime | None:
        premieres_at: datetime | None = self.cleaned_data["premieres_at"]
        if not broadcast_premiere_allowed(premieres_at=premieres_at):
            days = AHEAD_MOST.days
            raise forms.ValidationError(
                gettext_lazy("A premiere must be in the future, at most %(days)d days ahead.") % {"days": days}
            )
        return premieres_at

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("premieres_at") and "tempo" in self.fields and not data.get("tempo"):
            self.add_error("tempo", gettext_lazy("Choose how the match is broadcast at its premiere."))
        return data


def broadcast_may_be_announced(match: Match) -> bool:
    """Return whether ``match`` is held or queued without played blocks, so that its broadcast may be announced."""
    return match.state in (MatchState.HELD, MatchState.QUEUED) and not match.blocks_kept


def broadcast_may_be_moved(match: Match) -> bool:
    """Return whether the broadcast of ``match`` has not begun, so that its premiere may be moved."""
    playing = match.state in (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING)
    return bool(match.tempo) and (
        playing or (match.state == MatchState.ON_AIR and broadcast_premiere_allowed(premieres_at=match.airs_at))
    )
