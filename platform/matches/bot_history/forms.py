"""Which of a bot's matches a page lists."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from bots.models import Bot, BotVersion
from bots.selectors import versions_of
from matches.bot_history.head_to_head import Rivalry
from web.long_select import LongSelect


class ResultsFilter(forms.Form):
    """Which of a bot's matches to list; what makes no sense is left out rather than complained about."""

    version = forms.TypedChoiceField(label=_("Version"), required=False, coerce=int, empty_value=None)
    opponent = forms.ChoiceField(label=_("Opponent"), required=False, widget=LongSelect)

    def __init__(self, data: Any, *, versions: Iterable[BotVersion], rivals: Iterable[Rivalry]) -> None:
        super().__init__(data)
        named = sorted((rival.name, rival.slug) for rival in rivals)
        self.fields["version"].choices = [  # type: ignore[attr-defined]  # the stubs say Field
            ("", _("all")),
            *((one.number, f"v{one.number}") for one in versions),
        ]
        self.fields["opponent"].choices = [("", _("all")), *((slug, name) for name, slug in named)]  # type: ignore[attr-defined]

    def picked(self) -> dict[str, Any]:
        """Return the arguments for ``matches_of``."""
        self.full_clean()
        return {"version": self.cleaned_data.get("version"), "opponent": self.cleaned_data.get("opponent", "")}


class OutputFilter(forms.Form):
    """Which of a bot's games to show what it printed in; what makes no sense is left out."""

    text = forms.CharField(label=_("Text"), required=False, max_length=100, strip=False)
    version = forms.TypedChoiceField(label=_("Version"), required=False, coerce=int, empty_value=None)
    match = forms.IntegerField(label=_("Match"), required=False, min_value=1, max_value=2**31 - 1)
    game = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, bot: Bot) -> None:
        super().__init__(data)
        numbers = versions_of(bot).values_list("number", flat=True)
        self.fields["version"].choices = [  # type: ignore[attr-defined]  # the stubs say Field
            ("", _("all")),
            *((number, f"v{number}") for number in numbers),
        ]

    def picked(self) -> dict[str, Any]:
        """Return the arguments for ``games_found``; of a game only with its match."""
        self.full_clean()
        picked = {name: self.cleaned_data.get(name) for name in ("version", "match", "game")}
        picked["game"] = picked["game"] if picked["match"] else None
        return picked | {"text": self.cleaned_data.get("text", "")}
