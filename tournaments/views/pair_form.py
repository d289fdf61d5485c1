"""Two of some bots, chosen by name."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tournaments.entry_field import EntryField
from tournaments.models import Entry


class PairForm(forms.Form):
    def __init__(self, *args: Any, entries: QuerySet[Entry], joined: Any, **kwargs: Any) -> None:
        """Offer both bots; ``joined``: what stands between the two names."""
        super().__init__(*args, **kwargs)
        one = EntryField(entries, label=_("Bot"))
        other = EntryField(entries, like=one, label=joined)
        self.fields |= {"one": one, "other": other}

    def pair(self) -> dict[str, Entry]:
        return {"one": self.cleaned_data["one"], "other": self.cleaned_data["other"]}
