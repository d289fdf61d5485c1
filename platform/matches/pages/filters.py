"""Filters of lists of matches, taken from the query of the URL."""

from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from matches.models import Match, MatchState, Seat
from web.name_keys import name_holds


class MatchFilter(forms.Form):
    """All fields may be left empty; a value that makes no sense gets its error and filters nothing."""

    state = forms.ChoiceField(label=_("State"), choices=[("", _("any")), *MatchState.choices], required=False)
    bot = forms.CharField(label=_("Bot"), max_length=60, required=False)

    @property
    def asked(self) -> dict[str, Any]:
        """What is asked for and makes sense, by field."""
        return self.cleaned_data if self.is_valid() else {}

    def filtered(self, matches: QuerySet[Match]) -> QuerySet[Match]:
        """Return those of ``matches`` that were asked for."""
        asked = self.asked
        if asked.get("state"):
            matches = matches.filter(state=asked["state"])
        if asked.get("bot"):
            named = name_holds(asked["bot"], name="version__bot__name") | Q(version__bot__slug=asked["bot"])
            matches = matches.filter(pk__in=Seat.objects.filter(named).values("match"))
        return matches
