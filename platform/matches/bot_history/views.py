"""Pages of a bot: its matches for everyone; faults, output and costly decisions for its author."""

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from bots.models import Bot, BotVersion
from bots.selectors import bot_versions_of, bots_public
from bots.views import own_bot
from matches.bot_history.costliest import DRILL, DRILL_NAME, bot_costliest_drill_prepared, costliest_of
from matches.bot_history.decision_bundles import (
    bot_decision_bundle,
    bot_decision_of,
    decision_bundle_of_failure_response,
    decision_bundle_response,
)
from matches.bot_history.head_to_head import Rivalry, head_to_head
from matches.bot_history.logs import bot_logs_games_found, bot_logs_outputs, bot_logs_readable_by, bot_logs_timings
from matches.bot_history.selectors import bot_failures as failures_of_page
from matches.bot_history.selectors import (
    bot_history_faults,
    bot_history_reader,
    bot_history_versions_with_faults,
    bot_history_versions_with_matches,
    bot_match_rows,
    bot_matches_counted,
    bot_matches_of,
)
from matches.bot_history.skill import Skill, bot_skill_of
from matches.challenges.selectors import challenge_offer_of
from matches.pages.labels import game_label
from teams.selectors import acts_for_owner
from web.long_select import LongSelect
from web.page_cache import LIST_SECONDS, public_page
from web.prepared.answers import prepared_answer_offer, prepared_answer_polls
from web.previews import PreviewCard, PreviewHead, preview_head, preview_picture

PER_PAGE: Final = 25
RESULTS_PER_PAGE: Final = 10
GAMES_PER_PAGE: Final = 5
PRINTS_SHOWN: Final = 40  # prints shown for each game; if one game is requested, all of its prints are shown


@public_page(max_age=LIST_SECONDS)
@require_safe
def bot_history_preview_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the picture of a link to the bot: its name, game and author."""
    return preview_picture(_card(get_object_or_404(bots_public(), slug=slug)))


def _preview(request: HttpRequest, bot: Bot) -> PreviewHead:
    page, picture = (reverse(f"bots:{one}", args=[bot.slug]) for one in ("detail", "preview"))
    return preview_head(request, _card(bot), page, picture)


def _card(bot: Bot) -> PreviewCard:
    by = _("house bot") if bot.is_house else _("by %(author)s") % {"author": bot.author_name}
    blurb = (_(bot.blurb) if bot.is_house else bot.blurb,) if bot.blurb else ()
    return PreviewCard(game_label(bot.game), bot.name, (*blurb, *(() if bot.deleted_at else (by,))))


@public_page(max_age=LIST_SECONDS, query=("version", "opponent", "lost", "page"))
@require_safe
def bot_history_view(request: HttpRequest, slug: str) -> HttpResponse:
    bot = get_object_or_404(bots_public(), slug=slug)
    is_owner = acts_for_owner(request.user, bot.owner_id)
    reader = bot_history_reader(request.user, bot)
    found = bot_history_versions_with_matches(bot, reader)
    versions, record = (
        list(bot_history_versions_with_faults(found, bot) if is_owner else found),
        head_to_head(bot, reader),
    )
    finished = sum(getattr(one, "matches", 0) for one in versions)
    chosen = ResultsFilter(request.GET, versions=versions, rivals=record.met)
    pages = Paginator(bot_matches_of(bot, reader, **(picked := chosen.picked())), RESULTS_PER_PAGE)
    if not (picked["opponent"] or picked["lost"]):
        pages.count = bot_matches_counted(versions, picked["version"])
    page = pages.get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "versions": versions,
        "filter": chosen,
        "page_obj": page,
        "rows": bot_match_rows(page.object_list, record.tables),
        "skill": bot_skill_of(bot, record.tables) if finished else Skill((), ()),
        "record": record,
        "is_owner": is_owner,
        "challenge": challenge_offer_of(bot, request.user),
        "preview": _preview(request, bot),
        "finished": finished,
        "failing": sum(getattr(one, "faults", 0) for one in versions if one.pk == bot.current_id),
    }
    return render(request, "matches/bot.html", context)


@login_required
@require_safe
def bot_history_failures_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the owner the bot's faults in matches, newest first."""
    bot = own_bot(request, slug)
    page = Paginator(bot_history_faults(bot), PER_PAGE).get_page(request.GET.get("page"))
    context = {"bot": bot, "page_obj": page, "failures": failures_of_page(page.object_list)}
    return render(request, "matches/bot_failures.html", context)


@login_required
@require_safe
def bot_history_costliest_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the author, and staff, the costliest decisions of a bot, with the drill file to download."""
    bot = get_object_or_404(bot_logs_readable_by(request.user), slug=slug)
    file = prepared_answer_offer(DRILL, bot.pk, DRILL_NAME, reverse("bots:drill", args=[slug]), f"{slug}-{DRILL_NAME}")
    context = {
        "bot": bot,
        "is_owner": acts_for_owner(request.user, bot.owner_id),
        "found": costliest_of(bot),
        "file": file,
    }
    return prepared_answer_polls(render(request, "matches/bot_costliest.html", context), [file])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bot_history_drill_view(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Request the drill file or send it; see ``prepared_response``."""
    bot = get_object_or_404(bot_logs_readable_by(request.user), slug=slug)
    return bot_costliest_drill_prepared(request, bot, page=reverse("bots:costliest", args=[slug]))


@login_required
@require_safe
def bot_history_failure_file_view(request: HttpRequest, slug: str, pk: int, index: int) -> HttpResponse:
    """Send the owner a failure as a file to replay at home."""
    return decision_bundle_of_failure_response(own_bot(request, slug), pk, index)


@login_required
@require_safe
@gzip_page
def bot_history_decision_view(
    request: HttpRequest, slug: str, pk: int, index: int, seat: int, step: int
) -> HttpResponse:
    """Show the bot's author, and staff, what the bot saw and did at a step of a finished game."""
    bot = get_object_or_404(bot_logs_readable_by(request.user), slug=slug)
    found = bot_decision_of(bot, pk, index, seat, step)
    return JsonResponse(found.to_dict(), headers={"Cache-Control": "private, no-cache"})


@login_required
@require_safe
def bot_history_decision_file_view(
    request: HttpRequest, slug: str, pk: int, index: int, seat: int, step: int
) -> HttpResponse:
    """Send the author, and staff, every request to the bot up to a decision, as a file to replay at home."""
    bot = get_object_or_404(bot_logs_readable_by(request.user), slug=slug)
    return decision_bundle_response(
        bot_decision_bundle(bot, pk, index, seat, step), f"{pk}-{index + 1}-{step}", "decision"
    )


@login_required
@require_safe
def bot_history_output_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the author, and staff, what a bot printed in its games and how long its actions took."""
    bot = get_object_or_404(bot_logs_readable_by(request.user), slug=slug)
    chosen = OutputFilter(request.GET, bot=bot)
    picked = chosen.picked()
    page = Paginator(bot_logs_games_found(bot, **picked), GAMES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "is_owner": acts_for_owner(request.user, bot.owner_id),
        "filter": chosen,
        "page_obj": page,
        "games": bot_logs_outputs(page.object_list, picked["text"]),
        "prints_shown": None if picked["game"] else PRINTS_SHOWN,
        "timings": bot_logs_timings(bot, version=picked["version"]),
        "days": settings.OUTPUT_DAYS,
    }
    return render(request, "matches/bot_output.html", context)


class ResultsFilter(forms.Form):
    """Filter the matches of a bot. Invalid values are ignored, without an error."""

    version = forms.TypedChoiceField(label=gettext_lazy("Version"), required=False, coerce=int, empty_value=None)
    opponent = forms.ChoiceField(label=gettext_lazy("Opponent"), required=False, widget=LongSelect)
    lost = forms.BooleanField(label=gettext_lazy("Only matches that it lost"), required=False)

    def __init__(self, data: Any, *, versions: Iterable[BotVersion], rivals: Iterable[Rivalry]) -> None:
        super().__init__(data)
        named = sorted((rival.name, rival.slug) for rival in rivals)
        self.fields["version"].choices = [  # type: ignore[attr-defined]  # the stubs have Field
            ("", gettext_lazy("all")),
            *((one.number, f"v{one.number}") for one in versions),
        ]
        self.fields["opponent"].choices = [("", gettext_lazy("all")), *((slug, name) for name, slug in named)]  # type: ignore[attr-defined]

    def picked(self) -> dict[str, Any]:
        """Return the keyword arguments for ``bot_matches_of``."""
        self.full_clean()
        version, opponent = self.cleaned_data.get("version"), self.cleaned_data.get("opponent", "")
        return {"version": version, "opponent": opponent, "lost": self.cleaned_data.get("lost", False)}


class OutputFilter(forms.Form):
    """Filter the games of a bot by what it printed. Invalid values are ignored."""

    text = forms.CharField(label=gettext_lazy("Text"), required=False, max_length=100, strip=False)
    version = forms.TypedChoiceField(label=gettext_lazy("Version"), required=False, coerce=int, empty_value=None)
    match = forms.IntegerField(label=gettext_lazy("Match"), required=False, min_value=1, max_value=2**31 - 1)
    game = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, bot: Bot) -> None:
        super().__init__(data)
        numbers = bot_versions_of(bot).values_list("number", flat=True)
        self.fields["version"].choices = [  # type: ignore[attr-defined]  # the stubs have Field
            ("", gettext_lazy("all")),
            *((number, f"v{number}") for number in numbers),
        ]

    def picked(self) -> dict[str, Any]:
        """Return the keyword arguments for ``bot_logs_games_found``. ``game`` is used only together with ``match``."""
        self.full_clean()
        picked = {name: self.cleaned_data.get(name) for name in ("version", "match", "game")}
        picked["game"] = picked["game"] if picked["match"] else None
        return picked | {"text": self.cleaned_data.get("text", "")}
