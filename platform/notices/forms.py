"""The choice of channels: for each kind of event whether it is in the inbox, and when an e-mail is sent; for people who
get notices on devices whether it is sent there."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from django import forms
from django.contrib.auth.models import AbstractUser
from django.utils.translation import gettext_lazy as _

from hooks.kinds import Kind, KindSection
from notices.models import EmailRate
from notices.quiet import Quiet
from notices.selectors import Channels, channels_of
from web.zones import zone_choices

# The label of a kind with its fields: inbox, devices or None, e-mail.
Row: TypeAlias = tuple[Any, forms.BoundField, forms.BoundField | None, forms.BoundField]
CLOCK: Final = forms.TimeInput({"type": "time"}, format="%H:%M")


class QuietHoursForm(forms.Form):
    """From when to when no e-mail, and nothing to devices, is sent; both empty for none."""

    start = forms.TimeField(label=_("From"), required=False, widget=CLOCK)
    end = forms.TimeField(label=_("Until"), required=False, widget=CLOCK)
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices, initial="UTC")

    def clean(self) -> dict[str, Any]:
        """Refuse one time without the other, and two that are the same."""
        found = super().clean() or self.cleaned_data
        start, end = found.get("start"), found.get("end")
        if not self.errors and (start is None) != (end is None):
            raise forms.ValidationError(_("Give both times, or neither."))
        if start is not None and start == end:
            raise forms.ValidationError(_("The quiet hours need an end that differs from their beginning."))
        return found

    def quiet(self) -> Quiet | None:
        """Return the hours; the form must be valid."""
        found = self.cleaned_data
        return Quiet(found["start"], found["end"], found["time_zone"]) if found["start"] is not None else None


class ChannelsForm(forms.Form):
    """Two fields for each kind: ``inbox-KIND`` and ``email-KIND``; with ``push`` also ``push-KIND``."""

    def __init__(self, person: AbstractUser, data: Mapping[str, Any] | None = None, *, push: bool = False) -> None:
        super().__init__(data)
        self.kinds: list[Kind] = []
        self.stored: dict[str, Channels] = {}
        for kind, channels in channels_of(person):
            self.kinds.append(kind)
            self.stored[kind.name] = channels
            if push:
                self.fields[f"push-{kind.name}"] = forms.BooleanField(
                    label=kind.label, required=False, initial=channels.push
                )
            self.fields[f"inbox-{kind.name}"] = forms.BooleanField(
                label=kind.label, required=False, initial=channels.in_inbox
            )
            self.fields[f"email-{kind.name}"] = forms.ChoiceField(
                label=kind.label, choices=EmailRate.choices, initial=channels.email
            )

    def sections(self) -> list[tuple[Any, list[Row]]]:
        """Return the rows of each section of kinds with its heading, without empty ones."""
        found: dict[KindSection, list[Row]] = {section: [] for section in KindSection}
        for one in self.kinds:
            found[one.section].append(
                (one.label, self[f"inbox-{one.name}"], self._push(one.name), self[f"email-{one.name}"])
            )
        return [(section.label, rows) for section, rows in found.items() if rows]

    def channels(self) -> dict[str, Channels]:
        """Return the chosen channels by kind; the form must be valid."""
        found = self.cleaned_data
        return {
            name: Channels(found[f"inbox-{name}"], found[f"email-{name}"], found.get(f"push-{name}", stored.push))
            for name, stored in self.stored.items()
        }

    def _push(self, kind: str) -> forms.BoundField | None:
        return self[f"push-{kind}"] if f"push-{kind}" in self.fields else None
