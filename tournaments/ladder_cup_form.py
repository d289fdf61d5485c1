"""The form with which the organiser of a league makes a cup of its ladder."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bots.names import validate_name
from leagues.models import League
from tournaments.calendar_forms import CalendarForm
from tournaments.presets import PRESETS, preset_named
from tournaments.services.ladder_cups import BEST_MOST

USUAL_BEST: Final = 8
TIMES: Final = ("time_zone", "first_round_at")


def _presets() -> list[tuple[str, str]]:
    return [(one.code, f"{one.title}: {one.short}") for one in PRESETS]


class LadderCupForm(CalendarForm):
    """``cleaned_data["settings"]`` is what the service takes."""

    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        validators=[validate_name],  # it stands in tables, and as the subject of letters
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    best = forms.IntegerField(
        label=_("Best bots of the ladder"),
        initial=USUAL_BEST,
        min_value=2,
        max_value=BEST_MOST,
        help_text=_(
            "A knockout is seeded in the order of the ladder; a Swiss draws its first round by lot. Ratings decide"
            " between bots that share a rank."
        ),
    )
    preset = forms.ChoiceField(label=_("Format"), choices=_presets, initial=PRESETS[0].code, widget=forms.RadioSelect)

    field_order = ("name", "best", "preset", *TIMES)

    def __init__(self, data: Any = None, *, league: League, **kwargs: Any) -> None:
        wished = kwargs.pop("initial", {})
        initial = {"name": gettext("%(league)s Cup") % {"league": league.name[:70]}, **wished}
        super().__init__(data, initial=initial, **kwargs)
        self.fields["time_zone"].help_text = ""
        for name in [name for name in self.fields if name not in self.field_order]:
            del self.fields[name]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        data["settings"] = {name: data.get(name) for name in ("name", "best", *TIMES)}
        data["settings"]["preset"] = preset_named(data.get("preset", ""))
        return data

    @property
    def best_wished(self) -> int:
        """How many are asked for; as many as usual if that is no number that may be."""
        wished = str(self["best"].value())
        number = int(wished) if wished.isascii() and wished.isdecimal() and len(wished) < 4 else 0
        return number if 2 <= number <= BEST_MOST else USUAL_BEST
