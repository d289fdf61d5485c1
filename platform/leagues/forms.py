"""Forms of organisers and authors. They convert input to typed values, and show each error beside its field."""

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.contrib.auth.models import AbstractBaseUser
from django.utils.translation import gettext_lazy as _

from bots.bot_names import validate_bot_name
from bots.forms import house_bots_field
from bots.models import Bot
from contests.audience_form import AudienceForm, audience_form_settings, audience_value
from contests.caps import blocks_cap_validate, pace_cap_validate
from contests.game_settings_form import TermsForm, game_settings_initial
from leagues.models import League
from leagues.models.league import DIVISION_SIZE_MOST, DIVISIONS_MOST, REASON_MOST
from leagues.selectors.permissions import bots_permitted_to_join_league, may_run_league
from teams.services import MEMBERS_MOST
from web.boards import WORD_MOST
from web.long_select import LongSelect

MAX_BLOCKS: Final = 50
MAX_BOTS_PER_AUTHOR: Final = 20
MAX_SEASON_DAYS: Final = 366
OWN_FIELDS: Final = (
    "name",
    "description",
    "players_per_table",
    "blocks",
    "min_action_ms",
    "bots_per_author",
    "team_size",
    "season_days",
    "divisions",
    "division_size",
    "division_moves",
    "enters_cups",
)


class LeagueForm(TermsForm, AudienceForm):
    """All settings of a league. ``cleaned_data["settings"]`` has the arguments for the services."""

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
    blocks = forms.IntegerField(
        label=_("Deals per match"),
        initial=2,
        min_value=1,
        max_value=MAX_BLOCKS,
        validators=[blocks_cap_validate],
        help_text=_("The same dice or cards, played once from every seat. Shorter matches settle the ladder sooner."),
    )
    min_action_ms = forms.IntegerField(
        label=_("Pace (ms)"),
        initial=0,
        min_value=0,
        validators=[pace_cap_validate],
        widget=forms.NumberInput({"data-unset": _("Full speed")}),
        help_text=_("The least time between two actions, for matches that are watched live. 0: full speed."),
    )
    bots_per_author = forms.IntegerField(
        label=_("Bots per author"),
        initial=3,
        min_value=1,
        max_value=MAX_BOTS_PER_AUTHOR,
        help_text=_("Bots of one author never meet each other."),
    )
    team_size = forms.IntegerField(
        label=_("People per team"),
        required=False,
        min_value=1,
        max_value=MEMBERS_MOST,
        widget=forms.NumberInput({"data-unset": _("Teams of any size")}),
        help_text=_("A larger team cannot join. Leave it empty for teams of any size."),
    )
    season_days = forms.IntegerField(
        label=_("Days per season"),
        initial=0,
        min_value=0,
        max_value=MAX_SEASON_DAYS,
        widget=forms.NumberInput({"data-unset": _("No end date")}),
        help_text=_(
            "Then the next season begins; no bot changes its version in the last tenth. 0: it lasts until you end it."
        ),
    )

    divisions = forms.IntegerField(
        label=_("Divisions"),
        initial=1,
        min_value=1,
        max_value=DIVISIONS_MOST,
        help_text=_(
            "The maximum number. Divisions are formed when the next season begins, if there are enough bots. Bots of "
            "different divisions do not meet. 1: no divisions."
        ),
    )
    division_size = forms.IntegerField(
        label=_("Bots per division"),
        initial=10,
        min_value=2,
        max_value=DIVISION_SIZE_MOST,
        help_text=_("The lowest division takes all others, and bots that join."),
    )
    division_moves = forms.IntegerField(
        label=_("Promoted and relegated"),
        initial=2,
        min_value=1,
        max_value=DIVISION_SIZE_MOST // 2,
        help_text=_(
            "Bots that go up and down between two divisions at the end of a season, half a division at most. Bots that"
            " share a rank move together or stay."
        ),
    )
    enters_cups = forms.BooleanField(
        label=_("Bots may be entered in the league's cups"),
        required=False,
        help_text=_(
            "Authors who join agree to this. They get an email each time and can withdraw the bot. Cannot be changed "
            "once the league is open."
        ),
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        league_divisions_validate(self, data.get("players_per_table"))
        data["settings"] = {
            **{name: data.get(name) for name in OWN_FIELDS},
            **self.clean_terms(data),
            **audience_form_settings(data.get("audience", "")),
        }
        return data


def league_divisions_validate(form: forms.Form, seats: int | None) -> None:
    """Add an error to the form if more than half of a division would move, or if half of it cannot fill a table."""
    data = form.cleaned_data
    size, moves = data.get("division_size"), data.get("division_moves")
    if size is None:
        return
    if moves is not None and 2 * moves > size:
        form.add_error("division_moves", _("At most half of the bots of a division."))
    if data.get("divisions", 1) > 1 and seats is not None and size < 2 * seats:
        form.add_error("division_size", _("At least twice the players of a table."))


class EditLeagueForm(AudienceForm):
    """The settings that can be changed once the league is open.

    ``cleaned_data["settings"]`` has the arguments for ``services.league_edit``.
    """

    description = LeagueForm.base_fields["description"]
    bots_per_author = LeagueForm.base_fields["bots_per_author"]
    team_size = LeagueForm.base_fields["team_size"]
    season_days = LeagueForm.base_fields["season_days"]
    divisions = LeagueForm.base_fields["divisions"]
    division_size = LeagueForm.base_fields["division_size"]
    division_moves = LeagueForm.base_fields["division_moves"]

    field_order = (
        *("description", "bots_per_author", "team_size", "season_days"),
        *("divisions", "division_size", "division_moves", "audience"),
    )

    def __init__(self, data: Any = None, *, league: League) -> None:
        super().__init__(data, initial=league_form_initial(league))
        self.seats = league.players_per_table
        self.only_wider(league)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        league_divisions_validate(self, self.seats)
        settings = {name: value for name, value in data.items() if name != "audience"}
        return {"settings": settings | audience_form_settings(data.get("audience", ""))}


def league_form_initial(league: League) -> dict[str, Any]:
    """Return the initial values for the form of an existing draft."""
    return {
        **{name: getattr(league, name) for name in OWN_FIELDS},
        "audience": audience_value(league),
        **game_settings_initial(game=league.game, options=league.options, limits=league.limits),
    }


class JoinForm(forms.Form):
    """The form to enter bots.

    Authors choose one of their bots. The organiser may also choose house bots, and an excluded bot, which is then
    readmitted. ``cleaned_data["bots"]`` has all chosen bots. For ``limit`` see ``league_limit_reached``.
    """

    bot = forms.ModelChoiceField(
        Bot.objects.none(),
        label=_("Bot"),
        empty_label=None,
        error_messages={
            "invalid_choice": _("This bot cannot join: it is not yours, plays another game or has already joined.")
        },
    )

    def __init__(self, *args: Any, league: League, user: AbstractBaseUser, limit: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        allowed = bots_permitted_to_join_league(league, user)
        self.limit_reached = limit
        self.fields["bot"].queryset = allowed.filter(is_house=True) if limit else allowed  # type: ignore[attr-defined]
        if may_run_league(user, league):
            self.fields["bot"].queryset = allowed.none() if limit else allowed.filter(is_house=False)  # type: ignore[attr-defined]
            self.fields["bot"].required = False
            self.fields["bot"].empty_label = "—"  # type: ignore[attr-defined]
            self.fields["house_bots"] = house_bots_field(allowed.filter(is_house=True))

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        data["bots"] = [bot for bot in (data.get("bot"), *data.get("house_bots", ())) if bot is not None]
        if not data["bots"] and not self.errors:
            self.add_error("bot", self.fields["bot"].error_messages["required"])
        return data


class LeaveForm(forms.Form):
    """The organiser's reason for excluding or readmitting somebody else's bot."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON_MOST, required=False)


class RecordFilter(forms.Form):
    """A filter for the matches of a bot in a season. Invalid values are ignored."""

    season = forms.IntegerField(required=False, widget=forms.HiddenInput)
    version = forms.TypedChoiceField(label=_("Version"), required=False, coerce=int, empty_value=None)
    opponent = forms.ChoiceField(label=_("Opponent"), required=False, widget=LongSelect)

    def __init__(self, data: Any, *, versions: Iterable[int], opponents: Iterable[tuple[str, str]]) -> None:
        super().__init__(data)
        numbers = [(number, f"v{number}") for number in sorted(set(versions), reverse=True)]
        self.fields["version"].choices = [("", _("all")), *numbers]  # type: ignore[attr-defined]
        self.fields["opponent"].choices = [("", _("all")), *opponents]  # type: ignore[attr-defined]

    def picked(self) -> dict[str, Any]:
        """Return the keyword arguments for ``selectors.matches.league_bot_season_matches``."""
        self.full_clean()
        return {"version": self.cleaned_data.get("version"), "opponent": self.cleaned_data.get("opponent", "")}


class CompareForm(forms.Form):
    """The form to choose two bots of a season. The user types a name, a part of a name, or a slug for each."""

    one = forms.CharField(label=_("Bot"), max_length=WORD_MOST)
    other = forms.CharField(label=_("Compare with"), max_length=WORD_MOST)

    def __init__(self, bots: dict[str, str]) -> None:
        super().__init__(initial=bots)  # not bound, because a link with only one bot is no error
        for field in self.fields.values():
            field.widget.attrs |= {"list": "season-names", "autocomplete": "off"}
