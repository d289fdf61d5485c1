"""Two of some bots, chosen by name."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry


class PairForm(forms.Form):
    one = forms.ModelChoiceField(Entry.objects.none(), label=_("Bot"))
    other = forms.ModelChoiceField(Entry.objects.none())

    def __init__(self, *args: Any, entries: QuerySet[Entry], joined: Any, **kwargs: Any) -> None:
        """Fill the choices of both bots; ``joined``: what stands between the two names."""
        super().__init__(*args, **kwargs)
        self.fields["other"].label = joined
        for field in self.fields.values():
            field.queryset = entries.select_related("bot").order_by("bot__name")  # type: ignore[attr-defined]
            field.empty_label = gettext("Choose a bot")  # type: ignore[attr-defined]
            field.label_from_instance = lambda entry: entry.bot.name  # type: ignore[attr-defined]

    def pair(self) -> dict[str, Entry]:
        return {"one": self.cleaned_data["one"], "other": self.cleaned_data["other"]}
