"""The page of a bot's challenges: its author answers them, and other authors challenge the bot."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractUser
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from bots.models import Bot, ChallengedBy
from bots.selectors import bots_public
from bots.views import UNPROCESSABLE
from matches.challenges.selectors import (
    challenge_challengers,
    challenge_sentence,
    challenges_of,
    challenges_taken_by,
    challenges_to_change,
)
from matches.challenges.services import (
    challenge_accept,
    challenge_create,
    challenge_decline,
    challenge_withdraw,
)
from matches.models import Challenge, ChallengeState, MatchState
from matches.sparring.services import SparringRefused
from teams.selectors import acts_for_owner, team_owner_keys

PER_PAGE: Final = 20
ACTS: Final[Mapping[str, Callable[..., bool]]] = MappingProxyType(
    {"accept": challenge_accept, "decline": challenge_decline, "withdraw": challenge_withdraw}
)


class ChallengeForm(forms.Form):
    """Choose the bot that challenges another one."""

    bot = forms.ModelChoiceField(Bot.objects.none(), label=gettext_lazy("Your bot"), empty_label=None)

    def __init__(self, data: Any = None, *, opponent: Bot, user: AbstractUser) -> None:
        super().__init__(data)
        self.fields["bot"].queryset = challenge_challengers(opponent, user)  # type: ignore[attr-defined]


@login_required
def challenge_list_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the challenges that a bot of the user has made and received.

    For another author's bot, show the challenges that involve the user's bots, and the form for a new one. Respond with
    404 if there is neither.
    """
    user = cast(AbstractUser, request.user)
    bot = get_object_or_404(bots_public().filter(deleted_at__isnull=True), slug=slug)
    found, is_owner = challenges_of(bot, user), acts_for_owner(user, bot.owner_id)
    how = ChallengedBy.NOBODY if is_owner else challenges_taken_by(bot, user)
    if not is_owner and how == ChallengedBy.NOBODY and not found.exists():
        raise Http404
    form = ChallengeForm(request.POST if request.method == "POST" else None, opponent=bot, user=user)
    if request.method == "POST" and not is_owner and form.is_valid():
        try:
            made = challenge_create(author=user, bot=form.cleaned_data["bot"], opponent=bot)
        except SparringRefused as error:
            form.add_error("bot" if error.field == "bot" else None, str(error))
        else:
            return redirect("matches:detail", made.match_id) if made.match_id else redirect("bots:challenges", slug)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    mine = team_owner_keys(user)
    context = {
        "bot": bot,
        "is_owner": is_owner,
        "how": how,
        "form": form,
        "may_ask": how != ChallengedBy.NOBODY and form.fields["bot"].queryset.exists(),  # type: ignore[attr-defined]
        "page_obj": page,
        "rows": [_row(one, mine) for one in page.object_list],
    }
    status = UNPROCESSABLE if form.is_bound and form.errors else 200
    return render(request, "matches/challenges.html", context, status=status)


@login_required
@require_POST
def challenge_answer_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept or decline a challenge as the author of the challenged bot, or withdraw it as the challenger."""
    found = get_object_or_404(challenges_to_change(request.user), pk=pk)
    act = request.POST.get("act", "")
    side = found.bot if act == "withdraw" else found.opponent
    if act not in ACTS or not acts_for_owner(request.user, side.owner_id):
        raise Http404
    try:
        if ACTS[act](challenge=found):
            found.refresh_from_db()
            messages.success(request, challenge_sentence(found))
        else:
            messages.info(request, _("It is too late for that."))
    except SparringRefused as error:
        messages.error(request, str(error))
    own = found.opponent if acts_for_owner(request.user, found.opponent.owner_id) else found.bot
    return redirect("bots:challenges", own.slug)


def _row(challenge: Challenge, mine: frozenset[int]) -> dict[str, Any]:
    """Return a row of the table, with what the reader may do.

    ``mine`` has the owners for whom the reader acts: the reader and their teams.
    """
    is_asked = challenge.state == ChallengeState.ASKED
    match = challenge.match if challenge.state == ChallengeState.ACCEPTED else None
    waits = match is not None and match.state in (MatchState.HELD, MatchState.QUEUED) and not match.blocks_kept
    open_match = match is not None and match.state in (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING)
    challenged = challenge.opponent.owner_id in mine
    return {
        "challenge": challenge,
        "match": match,
        "words": challenge_sentence(challenge),
        "may_accept": challenged and is_asked,
        "may_decline": challenged and (is_asked or waits),
        "may_withdraw": challenge.bot.owner_id in mine and (is_asked or open_match),
    }
