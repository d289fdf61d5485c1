"""The form with which the organiser of a league creates a cup of its ladder, single or weekly."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bots.bot_names import validate_bot_name
from leagues.models import League
from tournaments.calendar_forms import CalendarForm
from tournaments.presets import PRESETS, tournament_preset_named
from tournaments.services.ladder_cups import BEST_MOST

USUAL_BEST: Final = 8
WEEKLY_NAME_MOST: Final = 70
TIMES: Final = ("time_zone", "first_round_at")


def _presets() -> list[tuple[str, str]]:
    return [(one.code, f"{one.title}: {one.short}") for one in PRESETS]


class LadderCupForm(CalendarForm):
    """The form for a single or a weekly cup. ``cleaned_data["settings"]`` are the arguments for the service."""

    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        validators=[validate_bot_name],  # the name is shown in tables and in subjects of emails
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    best = forms.IntegerField(
        label=_("Best bots of the ladder"),
        initial=USUAL_BEST,
        min_value=2,
        max_value=BEST_MOST,
        help_text=_(
            "A knockout is seeded in the order of the ladder; a Swiss draws its first round by lot. Among bots that "
            "share a rank, those that are higher on the ladder come first."
        ),
    )
    preset = forms.ChoiceField(label=_("Format"), choices=_presets, initial=PRESETS[0].code, widget=forms.RadioSelect)

    is_weekly = forms.BooleanField(
        label=_("Every week at this hour"),
        required=False,
        help_text=_(
            "Each cup opens a day before it starts, with the best bots of that day, and has a number after its name. "
            "This continues until you end it or the season ends; weeks with too few bots are skipped."
        ),
    )

    field_order = ("name", "best", "preset", *TIMES, "is_weekly")

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
        data["settings"]["preset"] = tournament_preset_named(data.get("preset", ""))
        if data.get("is_weekly"):
            if data.get("first_round_at") is None and "first_round_at" not in self.errors:
                self.add_error("first_round_at", _("A weekly cup needs the time of its first one."))
            if len(data.get("name") or "") > WEEKLY_NAME_MOST:
                sentence = _("A number follows the name of a weekly cup: use at most %(most)d characters.")
                self.add_error("name", sentence % {"most": WEEKLY_NAME_MOST})
        return data

    @property
    def best_wished(self) -> int:
        """The number of bots that the user has typed; the default if it is not a valid number."""
        wished = str(self["best"].value())
        number = int(wished) if wished.isascii() and wished.isdecimal() and len(wished) < 4 else 0
        return number if 2 <= number <= BEST_MOST else USUAL_BEST
