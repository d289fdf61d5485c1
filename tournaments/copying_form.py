"""What is filled in to hold a tournament again."""

import re
from datetime import timedelta
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from bots.names import validate_name
from tournaments.models import COPY_DAYS_MOST, Tournament

WEEK: Final = 7
NUMBERED: Final = re.compile(r"(.*?)(\d{1,4})")


class CopyForm(forms.Form):
    """A name, and how many days later."""

    name = forms.CharField(
        label=_("Name"), max_length=80, validators=[validate_name], widget=forms.TextInput({"autocomplete": "off"})
    )
    days = forms.IntegerField(
        label=_("Days later"),
        min_value=1,
        max_value=COPY_DAYS_MOST,
        help_text=_("All times move by so many days and keep their hour, also when the clocks change."),
    )

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        super().__init__(data, initial={"name": next_name(tournament.name), "days": next_days(tournament)})


def next_name(name: str) -> str:
    """Return ``name`` with the number at its end counted up, if it has one.

    >>> next_name("Friday cup 9"), next_name("Friday cup")
    ('Friday cup 10', 'Friday cup')
    """
    found = NUMBERED.fullmatch(name)
    counted = f"{found[1]}{int(found[2]) + 1}" if found else name
    return counted if len(counted) <= 80 else name


def next_days(tournament: Tournament) -> int:
    """Return after how many whole weeks its first time is to come again; one week at least."""
    first = min(filter(None, (tournament.entries_close_at, tournament.first_round_at)), default=None)
    if first is None:
        return WEEK
    behind = (timezone.now() - first) // timedelta(days=WEEK) + 1
    return min(WEEK * max(1, behind), COPY_DAYS_MOST)
