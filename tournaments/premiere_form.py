"""The form with which an organiser gives a round a premiere."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.beats import Tempo
from matches.models import Broadcast
from tournaments.models import Round


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
