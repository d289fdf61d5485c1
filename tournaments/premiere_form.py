"""The forms with which an organiser says when a round begins and is shown."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.beats import Tempo
from matches.models import Broadcast
from tournaments.models import Round, Tournament
from tournaments.selectors.rounds.plans import PlannedRound
from web.zones import ZonedTimeField


class TimesForm(forms.Form):
    """A form whose times are by the clock of a tournament's zone, and say so."""

    def __init__(self, data: Any, *, tournament: Tournament, initial: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(data, initial=initial, **kwargs)
        for field in self.fields.values():
            if isinstance(field, ZonedTimeField):
                field.zone = tournament.zone
                field.label = f"{field.label} ({tournament.time_zone})"


class PlanForm(TimesForm):
    """When a round begins and is shown, until it begins."""

    starts_at = ZonedTimeField(
        label=_("The round begins at"),
        required=False,
        help_text=_("Empty: as soon as the tournament's settings allow."),
    )
    premieres_at = ZonedTimeField(
        label=_("Premiere at"),
        required=False,
        help_text=_(
            "The matches are played when the round begins, and shown from this time on, all tables at once. Empty:"
            " no premiere."
        ),
    )
    tempo = forms.ChoiceField(label=_("Broadcast"), choices=[one for one in Broadcast.choices if one[0]])

    def __init__(self, data: Any = None, *, planned: PlannedRound) -> None:
        tournament = planned.stage.tournament
        initial = {
            "starts_at": planned.starts_at,
            "premieres_at": planned.premieres_at,
            "tempo": planned.tempo or tournament.tempo or Tempo.STORY,
        }
        self.planned = planned
        own_ids = f"id_{planned.stage.number}_{planned.place}_%s"  # a page has several
        super().__init__(data, tournament=tournament, initial=initial, auto_id=own_ids)


class PremiereForm(TimesForm):
    """What is allowed, the service says; ``tempo`` is asked for until the round begins."""

    premieres_at = ZonedTimeField(
        label=_("Premiere at"),
        help_text=_("The matches are played when the round begins, and shown from this time on, all tables at once."),
    )
    tempo = forms.ChoiceField(label=_("Broadcast"), choices=[one for one in Broadcast.choices if one[0]])

    def __init__(self, data: Any = None, *, played: Round) -> None:
        initial = {"premieres_at": played.premieres_at or played.starts_at, "tempo": played.shown_at or Tempo.STORY}
        super().__init__(data, tournament=played.tournament, initial=initial)
        if played.started_at is not None:
            del self.fields["tempo"]


class MoveForm(TimesForm):
    """When an act of the timeline happens automatically; ``stop``: not at all."""

    when = ZonedTimeField(label=_("Date and time"))

    def __init__(self, data: Any = None, *, tournament: Tournament, act: str, when: datetime | None) -> None:
        self.act = act
        super().__init__(data, tournament=tournament, initial={"when": when}, auto_id=f"id_{act}_%s")
