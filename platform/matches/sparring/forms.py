"""The form for a sparring match: who, at which options, and for how long."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bots.models import Bot, BotVersion
from contests.caps import blocks_most
from contests.game_settings_form import LIMIT_LABELS, TermsForm
from matches.sparring.selectors import opponents_for, versions_for
from matches.sparring.services import SparringRefused

BLOCKS: Final = 200  # to begin with
EFFECTS: Final = ((0.05, "55 : 45"), (0.1, "60 : 40"), (0.2, "70 : 30"))


class SparringForm(TermsForm):
    """``asked`` is what the service takes, of a valid form. The game is the bot's, the limits are the site's."""

    version = forms.ModelChoiceField(BotVersion.objects.none(), label=_("Version"), empty_label=None)
    opponent = forms.ModelChoiceField(
        BotVersion.objects.none(),
        label=_("Opponent"),
        empty_label=None,
        help_text=_("Any accepted version of your bots for this game, or a house bot. It sits in all other seats."),
    )
    is_sequential = forms.BooleanField(
        label=_("Stop as soon as it is decided"),
        required=False,
        initial=True,
        help_text=_("At tables of two: better, worse or too close to call, with one wrong answer in twenty at most."),
    )
    effect = forms.TypedChoiceField(
        label=_("The difference that must not be missed"), coerce=float, choices=EFFECTS, initial=0.1
    )
    blocks = forms.IntegerField(
        label=_("Deals, at most"),
        initial=BLOCKS,
        min_value=1,
        help_text=_("A deal is one seed, played once in every rotation of the seats."),
    )

    def __init__(self, data: Any = None, *, bot: Bot) -> None:
        typed = None if data is None else {**data.dict(), "game": bot.game}
        newest, before = (*versions_for(bot)[:2], None, None)[:2]
        opponent = before or opponents_for(bot).filter(bot__is_house=True).last() or newest
        super().__init__(typed, initial={"game": bot.game, "version": newest, "opponent": opponent})
        for name in ("game", *(f"limit_{limit}" for limit in LIMIT_LABELS)):
            del self.fields[name]
        versions, opponents = self.fields["version"], self.fields["opponent"]
        versions.queryset = versions_for(bot)  # type: ignore[attr-defined]  # the stubs say Field
        versions.label_from_instance = lambda one: f"v{one.number}"  # type: ignore[attr-defined]
        opponents.queryset = opponents_for(bot)  # type: ignore[attr-defined]
        opponents.label_from_instance = lambda one: f"{one.bot.name} v{one.number}"  # type: ignore[attr-defined]
        self.fields["blocks"].initial = min(BLOCKS, blocks_most())
        self.fields["blocks"].widget.attrs["max"] = blocks_most()

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        at_two = data.get("players_per_table") == 2
        self.asked: dict[str, Any] = {
            **{name: data.get(name) for name in ("version", "opponent", "blocks")},
            "players": data.get("players_per_table"),
            "options": self._clean_options(data),
            # The box is ticked from the start, and says that it is for tables of two.
            "stopping": {"effect": data.get("effect") or 0.1} if data.get("is_sequential") and at_two else {},
        }
        return data

    def refuse(self, error: SparringRefused) -> None:
        """Say beside its field why there is no match."""
        fields = {"players": "players_per_table", "opponent_version": "opponent", "stopping": "is_sequential"}
        field = fields.get(error.field, error.field)
        self.add_error(field if field in self.fields else None, gettext(str(error)))
