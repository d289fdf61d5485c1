"""The form with which an organiser announces the broadcast of a match, or moves its premiere."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.airing.services import AHEAD_MOST, premiere_allowed
from matches.models import Broadcast, Match, MatchState


class BroadcastForm(forms.Form):
    """``tempo`` is a field until a worker has begun to play the match."""

    tempo = forms.ChoiceField(label=_("Broadcast"), choices=Broadcast.choices, required=False)
    premieres_at = forms.DateTimeField(
        label=_("Premiere at (UTC)"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("Not before this time. Empty: as soon as it has been played."),
    )

    def __init__(self, data: Any = None, *, match: Match) -> None:
        super().__init__(data, initial={"tempo": match.tempo, "premieres_at": match.premieres_at})
        if not may_announce(match):
            del self.fields["tempo"]

    def clean_premieres_at(self) -> datetime | None:
        premieres_at: datetime | None = self.cleaned_data["premieres_at"]
        if not premiere_allowed(premieres_at=premieres_at):
            days = AHEAD_MOST.days
            raise forms.ValidationError(_("A premiere is in the future, at most %(days)d days ahead.") % {"days": days})
        return premieres_at

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("premieres_at") and "tempo" in self.fields and not data.get("tempo"):
            self.add_error("tempo", _("Choose how the match is broadcast at its premiere."))
        return data


def may_announce(match: Match) -> bool:
    """Tell whether it may still be decided that ``match`` is broadcast."""
    return match.state in (MatchState.HELD, MatchState.QUEUED) and not match.blocks_kept


def may_reschedule(match: Match) -> bool:
    """Tell whether the broadcast of ``match`` is still to begin."""
    playing = match.state in (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING)
    return bool(match.tempo) and (
        playing or (match.state == MatchState.ON_AIR and premiere_allowed(premieres_at=match.airs_at))
    )
