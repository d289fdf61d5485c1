"""The forms for times: when entries open and close, when rounds begin and are shown, and when other acts happen.

``CalendarForm`` also has the fields that say who may enter and who sees the results.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.beats import Tempo
from matches.models import Broadcast
from tournaments.models import Admission, Publication, Round, Tournament
from tournaments.selectors.rounds.plans import AHEAD_MOST, PlannedRound
from web.long_select import LongSelect
from web.zones import UTC_NAME, ZonedTimeField, zone_choices, zone_clock_text, zone_names, zone_of

MAX_MINUTES: Final = 60 * 24 * 14
FIELDS: Final = (
    *("admission", "time_zone", "entries_open_at", "entries_close_at", "first_round_at", "round_minutes"),
    *("has_round_review", "publication"),
)


class CalendarForm(forms.Form):
    """The organiser's fields for admission, times and publication. All forms for a whole tournament have them."""

    admission = forms.ChoiceField(
        label=_("Who may enter"),
        choices=Admission.choices,
        initial=Admission.EVERYONE,
        help_text=_("You create the link once the draft is saved, and can renew or withdraw it."),
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        required=False,
        widget=LongSelect,
        help_text=_("All times on this page are in this time zone."),
    )
    entries_open_at = ZonedTimeField(
        label=_("Entries open at"),
        required=False,
        unset=_("When you open them"),
        help_text=_("The draft is announced and takes entries automatically. Leave empty to open them yourself."),
    )
    entries_close_at = ZonedTimeField(
        label=_("Entries close at"),
        required=False,
        unset=_("When you close them"),
        help_text=_("Entries close automatically at this time. Leave it empty to close them yourself, or by starting."),
    )
    first_round_at = ZonedTimeField(
        label=_("First round at"),
        required=False,
        unset=_("When you start it"),
        help_text=_(
            "It starts automatically at this time; with too few bots, it is postponed once, by a day. Leave it empty "
            "to start it yourself."
        ),
    )
    round_minutes = forms.IntegerField(
        label=_("Round interval (minutes)"),
        initial=0,
        min_value=0,
        max_value=MAX_MINUTES,
        widget=forms.NumberInput({"data-unset": _("As soon as it has been drawn")}),
        help_text=_("A round begins this long after the one before began. 0: as soon as it has been drawn."),
    )
    has_round_review = forms.BooleanField(
        label=_("Approve each round before it starts"),
        required=False,
        help_text=_("Each round is shown to you first; you may let bots change places, and you start it."),
    )
    publication = forms.ChoiceField(
        label=_("Who sees pairings and results"),
        choices=Publication.choices,
        initial=Publication.EVERYONE,
        help_text=_("You can change this at any time."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = self.data.get("time_zone") if self.is_bound else None
        wished = chosen or self.initial.get("time_zone")
        self.zone_name = wished if wished in zone_names() else UTC_NAME
        if not self.is_bound and "time_zone" not in self.initial:
            self.fields["time_zone"].widget.attrs["data-of-reader"] = ""  # a script selects the zone of the browser
        for field in self.fields.values():
            if isinstance(field, ZonedTimeField):
                field.zone = zone_of(self.zone_name)

    def clean_time_zone(self) -> str:
        return self.zone_name

    def clean_first_round_at(self) -> datetime | None:
        first, close = self._to_come("first_round_at"), self.cleaned_data.get("entries_close_at")
        if first is not None and close is not None and close > first:
            raise forms.ValidationError(_("Choose a time after entries close."))
        opening = self.cleaned_data.get("entries_open_at")
        if first is not None and opening is not None and opening >= first:
            raise forms.ValidationError(_("Choose a time after entries open."))
        return first

    def clean_entries_open_at(self) -> datetime | None:
        return self._to_come("entries_open_at")

    def clean_entries_close_at(self) -> datetime | None:
        close, opening = self._to_come("entries_close_at"), self.cleaned_data.get("entries_open_at")
        if close is not None and opening is not None and opening >= close:
            raise forms.ValidationError(_("Choose a time after entries open."))
        return close

    def _to_come(self, field: str) -> datetime | None:
        when: datetime | None = self.cleaned_data[field]
        if self.initial and field not in self.changed_data:
            return when  # an announced time may have passed meanwhile
        if when is not None and when <= (now := timezone.now()):
            sentence = _("This time is over: it is %(now)s now. Choose a later one, or none.")
            raise forms.ValidationError(sentence % {"now": zone_clock_text(now, self.zone_name)}, code="over")
        if when is not None and when > (latest := now + AHEAD_MOST):
            sentence = _("Choose a time within two years: before %(latest)s.")
            raise forms.ValidationError(sentence % {"latest": zone_clock_text(latest, self.zone_name)}, code="too_late")
        return when


def calendar_form_settings(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings for the services, from the cleaned data of a form."""
    return {name: data.get(name) for name in FIELDS}


def calendar_form_initial(tournament: Tournament) -> dict[str, Any]:
    """Return the initial values for an existing tournament."""
    return {name: getattr(tournament, name) for name in FIELDS}


class TimesForm(forms.Form):
    """A form whose times are in the time zone of a tournament. The labels name the zone."""

    def __init__(self, data: Any, *, tournament: Tournament, initial: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(data, initial=initial, **kwargs)
        for field in self.fields.values():
            if isinstance(field, ZonedTimeField):
                field.zone = tournament.zone
                field.label = f"{field.label} ({tournament.time_zone})"


class PlanForm(TimesForm):
    """The form for the times when a round begins and is shown. It can be used until the round begins."""

    starts_at = ZonedTimeField(
        label=_("The round begins at"),
        required=False,
        help_text=_("Leave it empty to begin as soon as the tournament's settings allow."),
    )
    premieres_at = ZonedTimeField(
        label=_("Premiere at"),
        required=False,
        help_text=_(
            "The matches are played when the round begins, and shown from this time on, all tables at once. Leave it "
            "empty for no premiere."
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
        own_ids = f"id_{planned.stage.number}_{planned.place}_%s"  # a page has several of these forms
        super().__init__(data, tournament=tournament, initial=initial, auto_id=own_ids)


class PremiereForm(TimesForm):
    """The form for the premiere of a round. The service checks the values.

    If the round has begun, the form has no field ``tempo``.
    """

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
    """The form for the time at which an act of the timeline happens automatically."""

    when = ZonedTimeField(label=_("Date and time"))

    def __init__(self, data: Any = None, *, tournament: Tournament, act: str, when: datetime | None) -> None:
        self.act = act
        super().__init__(data, tournament=tournament, initial={"when": when}, auto_id=f"id_{act}_%s")
