"""The forms with which an organiser says when a round begins and is shown."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.beats import Tempo
from matches.models import Broadcast
from tournaments.models import Round
from tournaments.selectors.rounds.plans import PlannedRound


class PlanForm(forms.Form):
    """When a round begins and is shown, until it begins."""

    starts_at = forms.DateTimeField(
        label=_("The round begins at (UTC)"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("Empty: as the calendar of the tournament says."),
    )
    premieres_at = forms.DateTimeField(
        label=_("Premiere at (UTC)"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_(
            "The matches are played when the round begins, and shown from this time on, all tables at once. Empty:"
            " no premiere."
        ),
    )
    tempo = forms.ChoiceField(label=_("Broadcast"), choices=[one for one in Broadcast.choices if one[0]])

    def __init__(self, data: Any = None, *, planned: PlannedRound) -> None:
        initial = {
            "starts_at": planned.starts_at,
            "premieres_at": planned.premieres_at,
            "tempo": planned.tempo or planned.stage.tournament.tempo or Tempo.STORY,
        }
        super().__init__(data, initial=initial)


class PremiereForm(forms.Form):
    """What is allowed, the service says; ``tempo`` is asked for until the round begins."""

    premieres_at = forms.DateTimeField(
        label=_("Premiere at (UTC)"),
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("The matches are played when the round begins, and shown from this time on, all tables at once."),
    )
    tempo = forms.ChoiceField(label=_("Broadcast"), choices=[one for one in Broadcast.choices if one[0]])

    def __init__(self, data: Any = None, *, played: Round) -> None:
        initial = {"premieres_at": played.premieres_at or played.starts_at, "tempo": played.shown_at or Tempo.STORY}
        super().__init__(data, initial=initial)
        if played.started_at is not None:
            del self.fields["tempo"]
