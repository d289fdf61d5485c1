"""The organiser's form and the authors': what is typed becomes typed values, and each error stands beside its field."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Q, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bots.models import Bot, VersionState
from games.protocol import BYTES, MIB, SECONDS, LimitError, Limits
from games.ruleset import Option, OptionError, Ruleset, SeatError
from games.rulesets import RULESETS
from tournaments.calendar_forms import CalendarForm, calendar_of, initial_calendar
from tournaments.models import BY_STANDINGS, Format, Tournament
from tournaments.selectors.visible import may_own
from tournaments.stage_forms import StagesForm, initial_stages
from tournaments.standings import LOT, TIE_BREAKS

MAX_PACE_MS: Final = 5000
MAX_OPTION_LENGTH: Final = 4000
LIMIT_LABELS: Final = {
    "start_cpu": _("Start, processor time (s)"),
    "start_wall": _("Start, wall time (s)"),
    "act_cpu": _("Action, processor time (s)"),
    "act_wall": _("Action, wall time (s)"),
    "game_cpu": _("Game, processor time (s)"),
    "game_wall": _("Game, wall time (s)"),
    "memory": _("Memory (MiB)"),
    "output": _("Print output per action (bytes)"),
    "action_bytes": _("Length of an action (bytes)"),
}
DEFAULT_TIE_BREAKS: Final = {
    Format.ROUND_ROBIN: ("wins", "direct_encounter", "sonneborn_berger", "margin"),
    Format.SWISS: ("buchholz_cut_1", "buchholz", "direct_encounter", "wins", "margin"),
}
TIE_BREAK_FIELDS: Final = tuple(f"tie_break_{place}" for place in range(1, len(TIE_BREAKS)))


class TournamentForm(StagesForm, CalendarForm):
    """Everything an organiser decides. ``cleaned_data["settings"]`` is what the services take."""

    name = forms.CharField(label=_("Name"), max_length=80, widget=forms.TextInput({"autocomplete": "off"}))
    description = forms.CharField(
        label=_("Description"), max_length=2000, required=False, widget=forms.Textarea({"rows": 4})
    )
    game = forms.ChoiceField(label=_("Game"))
    entries_per_author = forms.IntegerField(label=_("Bots per author"), initial=1, min_value=1, max_value=20)
    pace_ms = forms.IntegerField(
        label=_("Pace (ms)"),
        initial=0,
        min_value=0,
        max_value=MAX_PACE_MS,
        help_text=_("The least time between two actions, for matches meant to be watched live. 0 plays at full speed."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].choices = [(ruleset.name, gettext(ruleset.title)) for ruleset in RULESETS.values()]  # type: ignore[attr-defined]
        self.ruleset = self._chosen_ruleset()
        self.fields["game"].initial = self.ruleset.name
        players = self.ruleset.seats
        self.fields["players_per_table"].widget.attrs.update(min=players.start, max=players.stop - 1)
        self.fields["players_per_table"].help_text = _("From %(least)d to %(most)d in this game.") % {
            "least": players.start,
            "most": players.stop - 1,
        }
        by_standings = self._wished("format") in BY_STANDINGS
        defaults = DEFAULT_TIE_BREAKS[Format.SWISS if by_standings else Format.ROUND_ROBIN]
        for place, field in enumerate(TIE_BREAK_FIELDS):
            self.fields[field] = _tie_break_field(place, defaults[place] if place < len(defaults) else "")
        for name, option in self.ruleset.options.items():
            self.fields[f"option_{name}"] = _option_field(option)
        for name, label in LIMIT_LABELS.items():
            self.fields[f"limit_{name}"] = _limit_field(name, label)

    def several_games(self) -> bool:
        return len(RULESETS) > 1

    def option_fields(self) -> list[forms.BoundField]:
        return [self[f"option_{name}"] for name in self.ruleset.options]

    def tie_break_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in TIE_BREAK_FIELDS]

    def limit_fields(self) -> list[forms.BoundField]:
        return [self[f"limit_{name}"] for name in LIMIT_LABELS]

    def limits_have_errors(self) -> bool:
        return any(field.errors for field in self.limit_fields())

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        options = self._clean_options(data)
        limits = self._clean_limits(data)
        data["settings"] = {
            "name": data.get("name"),
            "stages": self.clean_stages(data, self.ruleset),
            "tie_breaks": self._clean_tie_breaks(data),
            "description": data.get("description"),
            "ruleset": self.ruleset.name,
            "options": options,
            "limits": limits,
            "pace_ms": data.get("pace_ms"),
            "entries_per_author": data.get("entries_per_author"),
            **calendar_of(data),
        }
        return data

    def _chosen_ruleset(self) -> Ruleset:
        return RULESETS.get(str(self._wished("game")), next(iter(RULESETS.values())))

    def _wished(self, field: str) -> Any:
        return self.data.get(field) if self.is_bound else self.initial.get(field)

    def _clean_tie_breaks(self, data: Mapping[str, Any]) -> list[str]:
        chosen: list[str] = []
        for field in TIE_BREAK_FIELDS:
            code = data.get(field)
            if code in chosen:
                self.add_error(field, _("This tie-break stands further up already: choose another, or none."))
            elif code:
                chosen.append(code)
        return chosen

    def _clean_options(self, data: Mapping[str, Any]) -> dict[str, Any]:
        chosen = {
            name: option.read(data[f"option_{name}"])
            for name, option in self.ruleset.options.items()
            if data.get(f"option_{name}")
        }
        players = data.get("players_per_table")
        if players is None:
            return chosen
        try:
            return self.ruleset.validate(players, chosen)
        except SeatError as error:
            sentence = _("%(title)s is played by %(least)d to %(most)d.") % {
                "title": gettext(self.ruleset.title),
                "least": error.seats.start,
                "most": error.seats.stop - 1,
            }
            self.add_error("players_per_table", sentence)
        except OptionError as error:
            self.add_error(f"option_{error.field}", str(error))
        return chosen

    def _clean_limits(self, data: Mapping[str, Any]) -> Limits | None:
        typed = {name: data.get(f"limit_{name}") for name in LIMIT_LABELS}
        if None in typed.values():
            return None
        try:
            return Limits.from_dict(typed | {"memory": typed["memory"] * MIB})  # type: ignore[operator]
        except LimitError as error:
            self.add_error(f"limit_{error.field}", _("Allowed: %(allowed)s.") % {"allowed": error.allowed})
        return None


def initial_of(tournament: Tournament) -> dict[str, Any]:
    """What the form shows for an existing draft."""
    options = RULESETS[tournament.game].options
    limits = Limits.from_dict(tournament.limits).to_dict()
    limits["memory"] = int(limits["memory"]) // MIB
    return {
        "name": tournament.name,
        "description": tournament.description,
        "game": tournament.game,
        "entries_per_author": tournament.entries_per_author,
        **initial_stages(tournament),
        **initial_calendar(tournament),
        **dict.fromkeys(TIE_BREAK_FIELDS, ""),
        **{f"tie_break_{place}": code for place, code in enumerate(tournament.tie_breaks, start=1) if code != LOT},
        "pace_ms": tournament.pace_ms,
        **{f"option_{name}": options[name].write(value) for name, value in tournament.options.items()},
        **{f"limit_{name}": value for name, value in limits.items()},
    }


class EntryForm(forms.Form):
    """Which of one's bots shall enter; the organiser sees the house bots too."""

    bot = forms.ModelChoiceField(
        Bot.objects.none(),
        label=_("Bot"),
        empty_label=None,
        error_messages={"invalid_choice": _("This bot cannot enter: it is not yours, plays another game or is in.")},
    )

    def __init__(self, *args: Any, tournament: Tournament, user: AbstractBaseUser, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bot"].queryset = bots_that_may_enter(tournament, user)  # type: ignore[attr-defined]


def bots_that_may_enter(tournament: Tournament, user: AbstractBaseUser) -> QuerySet[Bot]:
    """Bots with an accepted version for the game that are not in yet: the user's, and house bots for the organiser."""
    allowed = Q(owner=user.pk)
    if may_own(user, tournament):
        allowed |= Q(is_house=True)
    entered = tournament.entries.filter(withdrawn=False).values("bot")
    return (
        Bot.objects.filter(allowed, ruleset=tournament.game, current__state=VersionState.ACCEPTED)
        .exclude(pk__in=entered)
        .order_by("is_house", "name")
    )


def _tie_break_field(place: int, initial: str) -> forms.Field:
    choices = [("", "—"), *((one.code, gettext(one.name)) for one in TIE_BREAKS.values() if one.code != LOT)]
    label = _("Tie-break %(place)d") % {"place": place + 1}
    return forms.ChoiceField(label=label, choices=choices, initial=initial, required=False)


def _option_field(option: Option) -> forms.Field:
    label, explained = gettext(option.label), gettext(option.help)
    if option.form is None:
        choices = [(option.write(value), gettext(option.say(value))) for value in option.allowed]
        return forms.ChoiceField(
            label=label, help_text=explained, choices=choices, initial=option.write(option.default)
        )
    text = option.write(option.default)
    return forms.CharField(
        label=label,
        help_text=f"{explained} {gettext(option.form.allowed)}",
        max_length=MAX_OPTION_LENGTH,
        initial=text,
        required=False,
        widget=forms.Textarea({"rows": min(8, text.count("\n") + 1), "class": "code", "autocomplete": "off"}),
    )


def _limit_field(name: str, label: Any) -> forms.Field:
    default = getattr(Limits(), name)
    if name in SECONDS:
        low, high = SECONDS[name]
        widget = forms.NumberInput({"step": "any"})
        return forms.FloatField(label=label, min_value=low, max_value=high, initial=default, widget=widget)
    least, most = BYTES[name]
    scale = MIB if name == "memory" else 1
    return forms.IntegerField(label=label, min_value=least // scale, max_value=most // scale, initial=default // scale)
