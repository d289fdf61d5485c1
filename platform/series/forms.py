"""The form for a series, which checks its settings."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bots.bot_names import validate_bot_name
from contests.audience_form import AudienceForm, audience_form_settings, audience_value
from games.catalogue import GAMES
from series.models import EVENTS_MOST, PLACES_MOST, POINTS_MOST, USUAL_POINTS, SeriesScoring, TournamentSeries


class PlacePointsField(forms.CharField):
    """Points for the places from 1 on: whole numbers, separated by commas or spaces."""

    def clean(self, value: Any) -> list[int]:
        found = re.findall(r"[^\s,;]+", super().clean(value))
        if len(found) > PLACES_MOST:
            raise ValidationError(gettext("Give points to %(most)d places at most.") % {"most": PLACES_MOST})
        if not all(one.isascii() and one.isdecimal() and len(one) < 6 for one in found):
            raise ValidationError(gettext("Write whole numbers, with commas between them: 10, 6, 3."))
        points = list(map(int, found))
        if any(one > POINTS_MOST for one in points):
            raise ValidationError(gettext("A place has %(most)d points at most.") % {"most": POINTS_MOST})
        if points != sorted(points, reverse=True):
            raise ValidationError(gettext("No place may have more points than the one before it."))
        return points


class SeriesForm(AudienceForm):
    """``cleaned_data["settings"]`` has the arguments for the services. The game cannot be changed later."""

    field_order = ("name", "game", "description", "scoring", "place_points", "best", "audience")
    name = forms.CharField(
        label=_("Name"), max_length=80, validators=[validate_bot_name], widget=forms.TextInput({"autocomplete": "off"})
    )
    game = forms.ChoiceField(label=_("Game"))
    description = forms.CharField(
        label=_("Description"),
        max_length=2000,
        required=False,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("Markdown: lists, links, **bold**, *italic*."),
    )
    scoring = forms.ChoiceField(
        label=_("Points"),
        choices=SeriesScoring.choices,
        initial=SeriesScoring.PLACES,
        help_text=_("Share of opponents beaten: beating all of them in every match gives 100 points."),
    )
    place_points = PlacePointsField(
        label=_("Points for places"),
        required=False,
        max_length=400,
        initial=", ".join(map(str, USUAL_POINTS)),
        help_text=_("For places 1, 2, 3 and so on. Bots that share a place share its points."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    best = forms.IntegerField(
        label=_("Best results that count"),
        initial=0,
        min_value=0,
        max_value=EVENTS_MOST,
        widget=forms.NumberInput({"data-unset": _("All results")}),
        help_text=_("0: all of them."),
    )

    def __init__(self, data: Any = None, *, series: TournamentSeries | None = None, organiser: Any = None) -> None:
        initial = None
        if series is not None:
            initial = {name: getattr(series, name) for name in ("name", "description", "scoring", "best")}
            initial["place_points"] = ", ".join(map(str, series.place_points))
            initial["audience"] = audience_value(series)
        super().__init__(data, organiser=series.organiser if series else organiser, initial=initial)
        if series is not None:
            del self.fields["game"]
            self.only_wider(series)
        else:
            titles = [(name, gettext(game.current.title)) for name, game in GAMES.items()]
            self.fields["game"].choices = titles  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("scoring") == SeriesScoring.PLACES and data.get("place_points") == []:
            self.add_error("place_points", gettext("Give at least the first place points."))
        settings = {name: value for name, value in data.items() if name != "audience"}
        data["settings"] = settings | audience_form_settings(data.get("audience", ""))
        return data
