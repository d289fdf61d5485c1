"""The terms of a contest's matches: the game, its options, the players at a table, and the limits of bots.

A form reads them, and helpers format them for pages.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from contests.caps import contest_limit_cap_range
from games.catalogue import FIRST, GAMES, UnknownRuleset, find
from games.protocol import CLOCK_FACTOR, CLOCK_GRACE, MIB, SECONDS, LimitError, Limits
from games.ruleset import Option, OptionError, Ruleset, SeatError

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

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


class TermsForm(forms.Form):
    """The part of an organiser's form about the game. After "choose", the form shows the options of another game.

    A subclass calls ``clean_terms`` in its ``clean``, which returns keyword arguments for a service.
    """

    game = forms.ChoiceField(label=_("Game"))
    players_per_table = forms.IntegerField(label=_("Players per table"), initial=2)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].choices = [(name, gettext(game.current.title)) for name, game in GAMES.items()]  # type: ignore[attr-defined]
        self.ruleset: Ruleset = GAMES.get(str(self.wished("game")), GAMES[FIRST]).current
        self.fields["game"].initial = self.ruleset.name
        players = self.ruleset.seats
        if not self.is_bound and self._players_wished() not in players:
            self.initial["players_per_table"] = players.start
        self.fields["players_per_table"].widget.attrs.update(min=players.start, max=players.stop - 1)
        self.fields["players_per_table"].help_text = _seats_in_words(self.ruleset)
        for name, option in self.ruleset.options.items():
            self.fields[f"option_{name}"] = field = _option_field(option)
            if self.is_bound and f"option_{name}" not in self.data:
                field.required = False  # the form was shown for another game; the option keeps its default
        for name, label in LIMIT_LABELS.items():
            self.fields[f"limit_{name}"] = _limit_field(name, label)

    def wished(self, field: str) -> Any:
        """Return the submitted value of a field, or its initial value."""
        return self.data.get(field) if self.is_bound else self.initial.get(field)

    def _players_wished(self) -> int:
        wished = str(self.wished("players_per_table") or self.fields["players_per_table"].initial)
        return int(wished) if wished.isdecimal() else 0

    def several_games(self) -> bool:
        return len(GAMES) > 1

    def option_fields(self) -> list[forms.BoundField]:
        return [self[f"option_{name}"] for name in self.ruleset.options]

    def limit_fields(self) -> list[forms.BoundField]:
        return [self[f"limit_{name}"] for name in LIMIT_LABELS]

    def terms_have_errors(self) -> bool:
        return any(field.errors for field in (*self.option_fields(), *self.limit_fields()))

    def clean_terms(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``ruleset``, ``options`` and ``limits``. Errors are added to their fields."""
        return {
            "ruleset": self.ruleset.name,
            "options": self._clean_options(data),
            "limits": self._clean_limits(data),
        }

    def _clean_options(self, data: Mapping[str, Any]) -> dict[str, Any]:
        chosen: dict[str, Any] = {}
        for name, option in self.ruleset.options.items():
            try:
                if text := data.get(f"option_{name}"):
                    chosen[name] = option.settle(name, option.read(text))
            except OptionError as error:
                self.add_error(f"option_{name}", _option_error(error))
        players = data.get("players_per_table")
        if players is None:
            return chosen
        try:
            return self.ruleset.offer(players, chosen)
        except SeatError as error:
            sentence = _("%(title)s is played by %(least)d to %(most)d.") % {
                "title": gettext(self.ruleset.title),
                "least": error.seats.start,
                "most": error.seats.stop - 1,
            }
            self.add_error("players_per_table", sentence)
        except OptionError as error:
            self.add_error(f"option_{error.field}", _option_error(error))
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


def _option_error(error: OptionError) -> str:
    """Return the error in the reader's language. The allowed values are shown beside the field."""
    if error.why is None:
        return str(error)
    return capfirst(gettext(error.why.sentence) % error.why.details) + "."


def _seats_in_words(ruleset: Ruleset) -> str:
    usual = ruleset.usual_seats
    sentences = [_("From %(least)d to %(most)d in this game.") % {"least": usual[0], "most": usual[-1]}]
    for players, (name, value) in ruleset.seats_with.items():
        option = ruleset.options[name]
        words = {"players": players, "option": gettext(option.label), "value": gettext(option.say(value))}
        sentences.append(_("%(players)d with “%(option)s” set to %(value)s.") % words)
    return " ".join(sentences)


def game_settings_initial(*, game: str, options: Mapping[str, Any], limits: Mapping[str, Any]) -> dict[str, Any]:
    """Return the initial values of a ``TermsForm`` for existing terms.

    The terms may be those of an earlier version of the game's rules.
    """
    known = GAMES[game].current.options if game in GAMES else {}
    full = Limits.from_dict(limits).to_dict()
    full["memory"] = int(full["memory"]) // MIB
    return {
        "game": game,
        **{
            f"option_{name}": known[name].write(value)
            for name, value in options.items()
            if name in known and _is_allowed(known[name], value)
        },
        **{f"limit_{name}": value for name, value in full.items()},
    }


def game_title(game: str) -> str:
    """Return the title of a game in the reader's language; ``game`` itself if it is not installed."""
    return gettext(GAMES[game].current.title) if game in GAMES else game


def game_settings_colour(game: str) -> str:
    """Return the name of the colour of a game's cards; "" for the site's own."""
    return GAMES[game].colour if game in GAMES else ""


def game_settings_option_labels(ruleset: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (label, value) of each option in the reader's language.

    Options are in the order of the ruleset, because PostgreSQL does not keep the order of the keys in stored JSON.
    """
    try:
        known = find(ruleset).options
    except UnknownRuleset:
        known = {}
    return [
        *((gettext(option.label), _label(option, options[name])) for name, option in known.items() if name in options),
        *((name, str(options[name])) for name in sorted(options.keys() - known.keys())),
    ]


def game_settings_outdated_message(ruleset: str, newest: str) -> str:
    """Return the message that a draft for ``ruleset`` cannot open, because ``newest`` is current."""
    return gettext(
        "This draft was written for the rules %(ruleset)s; anything new is played by %(newest)s. Edit it, look through"
        " the options and save it, then open it."
    ) % {"ruleset": ruleset, "newest": newest}


def game_settings_missing_message(ruleset: str) -> str:
    """Return the message that nothing can be played because the package of ``ruleset`` is missing or broken."""
    return gettext("The game %(ruleset)s is not installed on this site any more, or its package is broken.") % {
        "ruleset": ruleset
    }


def game_settings_limit_labels(limits: Mapping[str, float]) -> list[tuple["StrOrPromise", float]]:
    """Return (label with unit, value) of each limit."""
    return [
        (label, limits[name] // MIB if name == "memory" else limits[name])
        for name, label in LIMIT_LABELS.items()
        if name in limits
    ]


def _is_allowed(option: Option, value: object) -> bool:
    try:
        option.settle("", value)
    except OptionError:
        return False
    return True


def _label(option: Option, value: object) -> str:
    return option.write(value) if option.form else gettext(option.say(value))


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


def _limit_field(name: str, label: "StrOrPromise") -> forms.Field:
    default = getattr(Limits(), name)
    if name in SECONDS:
        low, high = contest_limit_cap_range(name)
        span, _wall, kind = name.rpartition("_")
        explained = {"factor": CLOCK_FACTOR, "grace": CLOCK_GRACE[span]}
        return forms.FloatField(
            label=label,
            min_value=low,
            max_value=high,
            initial=min(default, high),
            widget=forms.NumberInput({"step": "any"}),
            help_text=_("At most %(factor)g times the processor time and %(grace)g s.") % explained
            if kind == "wall"
            else "",
        )
    least, most = map(int, contest_limit_cap_range(name))
    scale = MIB if name == "memory" else 1
    return forms.IntegerField(
        label=label, min_value=least // scale, max_value=most // scale, initial=min(default, most) // scale
    )
