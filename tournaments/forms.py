"""The organiser's forms for the settings of a tournament, and the form to add a nonce to its luck."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bots.bot_names import validate_bot_name
from contests.audience_form import AudienceForm, audience_form_settings, audience_value
from contests.game_settings_form import TermsForm, game_settings_initial
from games.catalogue import GAMES
from matches.models import Broadcast
from teams.services import MEMBERS_MOST
from tournaments.calendar_forms import CalendarForm, calendar_form_initial, calendar_form_settings
from tournaments.formats.format import EVERYONE_MEETS
from tournaments.formats.registry import FORMATS
from tournaments.models import KeepApart, NewVersions, Tournament
from tournaments.presets import PRESETS
from tournaments.selectors.entering.editing import tournament_editing_of
from tournaments.stage_forms import StagesForm, stage_form_initial
from tournaments.standings import LOT, SHARED, TIE_BREAKS
from tournaments.workload import MAX_ENTRIES

USUAL_ENTRIES: Final = 32
SCHEDULE: Final = ("entries_open_at", "entries_close_at", "first_round_at", "time_zone")
ENTRY_FIELDS: Final = (*SCHEDULE, "admission", "entrants_most", "entries_per_author", "audience")
RARE_ENTRY_FIELDS: Final = (
    *("round_minutes", "has_round_review", "publication", "tempo", "team_size", "keep_apart", "new_versions"),
    "releases_sources",
)
RARE_TERMS: Final = ("option_", "final", "third_place", "stop_", "limit_")  # prefixes of field names
TIE_BREAK_FIELDS: Final = tuple(f"tie_break_{place}" for place in range(1, len(TIE_BREAKS)))


class BasicsForm(forms.Form):
    """The name and description of a tournament, and the limits of entries."""

    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        validators=[validate_bot_name],  # the name is shown in tables and in subjects of emails
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    description = forms.CharField(
        label=_("Description"),
        max_length=2000,
        required=False,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("Markdown: lists, links, **bold**, *italic*."),
    )
    entrants_most = forms.IntegerField(
        label=_("Maximum bots"), initial=USUAL_ENTRIES, min_value=2, max_value=MAX_ENTRIES
    )
    entries_per_author = forms.IntegerField(label=_("Bots per author"), initial=1, min_value=1, max_value=20)


class TournamentForm(TermsForm, StagesForm, CalendarForm, AudienceForm, BasicsForm):
    """The form with all settings of a tournament. ``cleaned_data["settings"]`` are the arguments for the services."""

    tempo = forms.ChoiceField(
        label=_("Broadcast"),
        choices=Broadcast.choices,
        required=False,
        help_text=_(
            "Matches are played at full speed, then shown to everyone at the same time. Nobody sees a result before "
            "its broadcast is over, not even you, and a round ends with its last broadcast."
        ),
    )

    team_size = forms.IntegerField(
        label=_("People per team"),
        required=False,
        min_value=1,
        max_value=MEMBERS_MOST,
        widget=forms.NumberInput({"data-unset": _("Teams of any size")}),
        help_text=_("A larger team cannot enter. Leave it empty for teams of any size."),
    )

    keep_apart = forms.ChoiceField(
        label=_("Keep apart"),
        choices=KeepApart.choices,
        initial=KeepApart.AUTHOR,
        required=False,
        help_text=_(
            "If an author may enter several bots: in a Swiss, they meet only if no other round is found, and in the "
            "last third of the rounds also if points require it; in a knockout, they are seeded into different "
            "parts."
        ),
    )

    new_versions = forms.ChoiceField(
        label=_("New versions of bots"),
        choices=NewVersions.choices,
        initial=NewVersions.NEVER,
        required=False,
        help_text=_(
            "Never: the version that a bot has when entries close plays to the end. Otherwise the version that is"
            " current at the start of a round or stage plays in it. A round robin without minutes between its rounds"
            " starts them all at once, with the same versions."
        ),
    )

    releases_sources = forms.BooleanField(
        label=_("Release sources at the end"),
        required=False,
        help_text=_(
            "Once results are public, those who can see the tournament can read and download the source of every "
            "version that played. Authors agree to this when they enter a bot. It can't be changed once entries are "
            "open."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for place, field in enumerate(TIE_BREAK_FIELDS, start=1):
            self.fields[field] = _tie_break_field(place)

    def entry_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ENTRY_FIELDS]

    def rare_entry_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in RARE_ENTRY_FIELDS]

    def rare_entries_have_errors(self) -> bool:
        return any(field.errors for field in self.rare_entry_fields())

    def rare_terms_have_errors(self) -> bool:
        return any(name.startswith(RARE_TERMS) for name in self.errors)

    def preset(self) -> str:
        """Return the code of the preset whose values the form shows; "" if there is none."""
        players = self._players_wished()
        for one in PRESETS:
            if all(_is_shown(self[name].value(), value) for name, value in one.at_tables(players).items()):
                return one.code
        return ""

    def tie_break_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in TIE_BREAK_FIELDS]

    def tie_breaks_are_chosen(self) -> bool:
        return any(field.value() or field.errors for field in self.tie_break_fields())

    def customary_tie_breaks(self) -> list[tuple[str, str]]:
        """Return the tie-breaks that apply if none are chosen, as pairs of a format and the names of its tie-breaks."""
        first: dict[tuple[str, ...], str] = {}
        for kind in FORMATS.values():
            first.setdefault(kind.tie_breaks, kind.label)
        return [(gettext(label), _named(codes)) for codes, label in first.items()]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        data["settings"] = {
            "name": data.get("name"),
            "stages": self.clean_stages(data, self.ruleset),
            "tie_breaks": self._clean_tie_breaks(data),
            "description": data.get("description"),
            "tempo": data.get("tempo", ""),
            "team_size": data.get("team_size"),
            "keep_apart": data.get("keep_apart", ""),
            "new_versions": data.get("new_versions") or NewVersions.NEVER,
            "releases_sources": data.get("releases_sources", False),
            "entries_per_author": data.get("entries_per_author"),
            "entrants_most": data.get("entrants_most"),
            **self.clean_terms(data),
            **calendar_form_settings(data),
            **audience_form_settings(data.get("audience", "")),
        }
        return data

    def _clean_tie_breaks(self, data: Mapping[str, Any]) -> list[str]:
        chosen: list[str] = []
        for field in TIE_BREAK_FIELDS:
            code = data.get(field)
            if code and LOT in chosen:
                self.add_error(field, _("The lot breaks all ties: choose no tie-break after it."))
            elif code and SHARED in chosen:
                self.add_error(field, _("Bots that are still tied share the place: choose no tie-break after it."))
            elif code in chosen:
                self.add_error(field, _("This tie-break is already higher in the list: choose another, or none."))
            elif code:
                chosen.append(code)
        return chosen or list(_tie_breaks_customary(data.get("format", "")))


class AnnouncedForm(CalendarForm, AudienceForm, BasicsForm):
    """The form for a tournament that bots have entered. It has the settings that may still be edited.

    ``cleaned_data["settings"]`` are the arguments for the service.
    """

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        super().__init__(data, initial=_form_initial_announced(tournament))
        allowed = tournament_editing_of(tournament).fields
        for name in [name for name in self.fields if name not in allowed]:
            del self.fields[name]
        self.only_wider(tournament)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        settings = {name: value for name, value in data.items() if name != "audience"}
        return {"settings": settings | audience_form_settings(data.get("audience", ""))}


def _tie_breaks_customary(first_format: str) -> tuple[str, ...]:
    kind = FORMATS.get(first_format)
    return kind.tie_breaks if kind is not None else EVERYONE_MEETS


def tournament_form_initial(tournament: Tournament) -> dict[str, Any]:
    """Return the initial values of the form for an existing tournament."""
    return {
        **_form_initial_announced(tournament),
        **stage_form_initial(tournament),
        **_initial_tie_breaks(tournament),
        "tempo": tournament.tempo,
        "team_size": tournament.team_size,
        "keep_apart": tournament.keep_apart,
        "new_versions": tournament.new_versions,
        "releases_sources": tournament.releases_sources,
        **game_settings_initial(game=tournament.game, options=tournament.options, limits=tournament.limits),
    }


def _form_initial_announced(tournament: Tournament) -> dict[str, Any]:
    """Return the initial values of the fields that both forms have."""
    return {
        "name": tournament.name,
        "description": tournament.description,
        "entries_per_author": tournament.entries_per_author,
        "entrants_most": tournament.entrants_most,
        "audience": audience_value(tournament),
        **calendar_form_initial(tournament),
    }


def tournament_form_initial_like(tournament: Tournament) -> dict[str, Any]:
    """Return the initial values for a new tournament like this one, without its name and times.

    The ruleset is the current one of the game. If the game is not installed, the result is empty.
    """
    if tournament.game not in GAMES:
        return {}
    times = dict.fromkeys(("entries_open_at", "entries_close_at", "first_round_at"))
    return tournament_form_initial(tournament) | times | {"name": ""}


def _initial_tie_breaks(tournament: Tournament) -> dict[str, str]:
    chosen = [code for code in tournament.tie_breaks if code != LOT]
    if tuple(chosen) == _tie_breaks_customary(tournament.stages.all()[0].format):
        return {}
    return {f"tie_break_{place}": code for place, code in enumerate(chosen or [LOT], start=1)}


class NonceForm(forms.Form):
    """The form for a text that somebody adds to the luck."""

    text = forms.CharField(
        label=_("Your own randomness"),
        help_text=_("Anything that nobody could foresee: dice you threw, today's headline. Everyone sees it."),
        max_length=100,
    )


def _is_shown(shown: Any, value: object) -> bool:
    return bool(shown) is value if isinstance(value, bool) else str(shown) == str(value)


def _tie_break_field(place: int) -> forms.Field:
    choices = [("", "—"), *((one.code, gettext(one.name)) for one in TIE_BREAKS.values())]
    label = _("Tie-break %(place)d") % {"place": place}
    return forms.ChoiceField(label=label, choices=choices, required=False)


def _named(codes: Sequence[str]) -> str:
    return ", ".join(gettext(TIE_BREAKS[code].name) for code in codes)
