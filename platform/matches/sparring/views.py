"""The page of a bot's sparring matches, for its author alone."""

from typing import Final, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractUser
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from bots.views import UNPROCESSABLE, own_bot
from contests.game_settings_form import missing_game_message
from games.catalogue import GAMES
from matches.models import Sparring
from matches.sparring.forms import SparringForm
from matches.sparring.panels import sparring_context
from matches.sparring.selectors import seconds_used, sparrings_with
from matches.sparring.services import SparringRefused, sparring_create, sparring_stop

PER_PAGE: Final = 20


@login_required
def spar(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for a match, and those that were made before."""
    bot = own_bot(request, slug)
    form = SparringForm(request.POST if request.method == "POST" else None, bot=bot)
    if request.method == "POST" and form.is_valid():
        try:
            made = sparring_create(author=cast(AbstractUser, request.user), **form.asked)
        except SparringRefused as error:
            form.refuse(error)
        else:
            return redirect("matches:detail", made.match_id)
    page = Paginator(sparrings_with(bot), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "bot": bot,
        "missing": "" if bot.game in GAMES else missing_game_message(bot.game),
        "form": form,
        "page_obj": page,
        "found": [sparring_context(match) for match in page.object_list],
        "minutes_used": seconds_used(bot.owner_id) // 60,
        "minutes_most": settings.SPARRING_MINUTES_MOST,
        "open_most": settings.SPARRING_OPEN_MOST,
    }
    status = UNPROCESSABLE if form.is_bound and form.errors else 200
    return render(request, "matches/sparring.html", context, status=status)


@login_required
@require_POST
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    """Call one's match off."""
    found = get_object_or_404(Sparring, match__pk=pk, author=request.user.pk)
    if sparring_stop(sparring=found):
        messages.success(request, _("The match is called off."))
    else:
        messages.info(request, _("The match is over already."))
    return redirect("matches:detail", pk)
