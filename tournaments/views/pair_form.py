"""Two of some bots, chosen by name."""

from functools import cache
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry
from web.long_select import LongSelect


class PairForm(forms.Form):
    one = forms.ModelChoiceField(Entry.objects.none(), label=_("Bot"), widget=LongSelect)
    other = forms.ModelChoiceField(Entry.objects.none(), widget=LongSelect)

    def __init__(self, *args: Any, entries: QuerySet[Entry], joined: Any, **kwargs: Any) -> None:
        """Fill the choices of both bots; ``joined``: what stands between the two names."""
        super().__init__(*args, **kwargs)
        self.fields["other"].label = joined

        @cache  # asked for once, for both
        def names() -> list[tuple[Any, str]]:
            named = entries.order_by("bot__name").values_list("pk", "bot__name")
            return [("", gettext("Choose a bot")), *named]

        for field in self.fields.values():
            field.queryset = entries.select_related("bot")  # type: ignore[attr-defined]
            field.widget.choices = names

    def pair(self) -> dict[str, Entry]:
        return {"one": self.cleaned_data["one"], "other": self.cleaned_data["other"]}
