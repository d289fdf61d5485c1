"""The page of a bot's sparring matches, for its author only."""

from typing import Any, Final, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractUser
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from bots.models import Bot, BotVersion
from bots.views import UNPROCESSABLE, own_bot
from contests.caps import contest_blocks_cap
from contests.game_settings_form import LIMIT_LABELS, TermsForm, game_settings_missing_message
from games.catalogue import GAMES
from matches.models import Sparring
from matches.sparring.panels import sparring_panel_context
from matches.sparring.selectors import sparring_opponents, sparring_seconds_used, sparring_versions, sparrings_with
from matches.sparring.services import SparringRefused, sparring_create, sparring_stop

PER_PAGE: Final = 20


@login_required
def sparring_spar_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for a new sparring match, and the earlier matches."""
    bot = own_bot(request, slug)
    form = SparringForm(request.POST if request.method == "POST" else None, bot=bot)
    if request.method == "POST" and form.is_valid():
        try:
            made = sparring_create(author=cast(AbstractUser, request.user), **form.arguments)
        except SparringRefused as error:
            form.refuse(error)
        else:
            return redirect("matches:detail", made.match_id)
    page = Paginator(sparrings_with(bot), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "missing": "" if bot.game in GAMES else game_settings_missing_message(bot.game),
        "form": form,
        "page_obj": page,
        "found": [sparring_panel_context(match) for match in page.object_list],
        "minutes_used": sparring_seconds_used(bot.owner_id) // 60,
        "minutes_most": settings.SPARRING_MINUTES_MOST,
        "open_most": settings.SPARRING_OPEN_MOST,
    }
    status = UNPROCESSABLE if form.is_bound and form.errors else 200
    return render(request, "matches/sparring.html", context, status=status)


@login_required
@require_POST
def sparring_stop_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel a sparring match of the user."""
    found = get_object_or_404(Sparring, match__pk=pk, author=request.user.pk)
    if sparring_stop(sparring=found):
        messages.success(request, _("The match was cancelled."))
    else:
        messages.info(request, _("The match is over already."))
    return redirect("matches:detail", pk)


def _strongest_house(bot: Bot) -> BotVersion | None:
    """Return the strongest house bot that ``bot`` may play against."""
    there = {one.bot.name: one for one in sparring_opponents(bot).filter(bot__is_house=True)}
    by_strength = reversed(GAMES[bot.game].house_bots if bot.game in GAMES else ())
    return next((there[one.title] for one in by_strength if one.title in there), next(iter(there.values()), None))


BLOCKS: Final = 200  # initial value of the form
EFFECTS: Final = ((0.05, "55 : 45"), (0.1, "60 : 40"), (0.2, "70 : 30"))


class SparringForm(TermsForm):
    """The settings of a sparring match. The game is that of the bot, and the limits are those of the site.

    If the form is valid, ``asked`` has the arguments for ``sparring_create``.
    """

    version = forms.ModelChoiceField(BotVersion.objects.none(), label=gettext_lazy("Version"), empty_label=None)
    opponent = forms.ModelChoiceField(
        BotVersion.objects.none(),
        label=gettext_lazy("Opponent"),
        empty_label=None,
        help_text=gettext_lazy(
            "Any accepted version of your bots for this game, or a house bot. It takes all other seats."
        ),
    )
    is_sequential = forms.BooleanField(
        label=gettext_lazy("Stop as soon as it is decided"),
        required=False,
        initial=True,
        help_text=gettext_lazy(
            "At tables of two: better, worse or too close to call, with one wrong answer in twenty at most."
        ),
    )
    effect = forms.TypedChoiceField(
        label=gettext_lazy("Smallest difference worth detecting"), coerce=float, choices=EFFECTS, initial=0.1
    )
    blocks = forms.IntegerField(
        label=gettext_lazy("Deals, at most"),
        initial=BLOCKS,
        min_value=1,
        help_text=gettext_lazy("A deal is one seed, played once in every rotation of the seats."),
    )

    def __init__(self, data: Any = None, *, bot: Bot) -> None:
        typed = None if data is None else {**data.dict(), "game": bot.game}
        newest, before = (*sparring_versions(bot)[:2], None, None)[:2]
        opponent = before or _strongest_house(bot) or newest
        super().__init__(typed, initial={"game": bot.game, "version": newest, "opponent": opponent})
        for name in ("game", *(f"limit_{limit}" for limit in LIMIT_LABELS)):
            del self.fields[name]
        versions, opponents = self.fields["version"], self.fields["opponent"]
        versions.queryset = sparring_versions(bot)  # type: ignore[attr-defined]  # the stubs have Field
        versions.label_from_instance = lambda one: f"v{one.number}"  # type: ignore[attr-defined]
        opponents.queryset = sparring_opponents(bot)  # type: ignore[attr-defined]
        opponents.label_from_instance = lambda one: f"{one.bot.name} v{one.number}"  # type: ignore[attr-defined]
        self.fields["blocks"].initial = min(BLOCKS, contest_blocks_cap())
        self.fields["blocks"].widget.attrs["max"] = contest_blocks_cap()

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        at_two = data.get("players_per_table") == 2
        self.arguments: dict[str, Any] = {
            **{name: data.get(name) for name in ("version", "opponent", "blocks")},
            "players": data.get("players_per_table"),
            "options": self._clean_options(data),
            # The box is ticked by default, and its label says that it applies to tables of two.
            "stopping": {"effect": data.get("effect") or 0.1} if data.get("is_sequential") and at_two else {},
        }
        return data

    def refuse(self, error: SparringRefused) -> None:
        """Show the reason beside its field."""
        fields = {"players": "players_per_table", "opponent_version": "opponent", "stopping": "is_sequential"}
        field = fields.get(error.field, error.field)
        self.add_error(field if field in self.fields else None, gettext(str(error)))
