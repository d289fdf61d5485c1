"""The choice of channels: for each kind of event whether it is in the inbox, and when an e-mail is sent."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth.models import AbstractUser

from hooks.kinds import Kind
from notices.models import EmailRate
from notices.selectors import Channels, channels_of


class ChannelsForm(forms.Form):
    """Two fields for each kind: ``inbox-KIND`` and ``email-KIND``."""

    def __init__(self, person: AbstractUser, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.kinds: list[Kind] = []
        for kind, channels in channels_of(person):
            self.kinds.append(kind)
            self.fields[f"inbox-{kind.name}"] = forms.BooleanField(
                label=kind.label, required=False, initial=channels.in_inbox
            )
            self.fields[f"email-{kind.name}"] = forms.ChoiceField(
                label=kind.label, choices=EmailRate.choices, initial=channels.email
            )

    def rows(self) -> list[tuple[Any, forms.BoundField, forms.BoundField]]:
        """Return the label of each kind with its two fields."""
        return [(one.label, self[f"inbox-{one.name}"], self[f"email-{one.name}"]) for one in self.kinds]

    def channels(self) -> dict[str, Channels]:
        """Return the chosen channels by kind; the form must be valid."""
        found = self.cleaned_data
        return {one.name: Channels(found[f"inbox-{one.name}"], found[f"email-{one.name}"]) for one in self.kinds}
