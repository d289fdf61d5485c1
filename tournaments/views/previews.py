"""What other sites show of a link to a tournament."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from contests.game_settings_form import game_title
from tournaments.models import Tournament
from tournaments.selectors.pages.cards import podiums_of
from tournaments.views.lookups import counted_or_404
from web.page_cache import public_page
from web.previews import PreviewCard, PreviewHead, preview_head, preview_picture


def preview_of(request: HttpRequest, tournament: Tournament) -> PreviewHead:
    """Return the head of the tournament's page for ``site/preview_head.html``."""
    page, picture = (reverse(f"tournaments:{one}", args=[tournament.slug]) for one in ("detail", "preview"))
    return preview_head(request, _card(tournament), page, f"{picture}?{tournament.state}")


@public_page()
@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the picture of a link to the tournament: its name, game, formats and state, and who won it if everyone may
    know."""
    tournament = counted_or_404(request, slug)
    first = [bot.name for rank, bot in podiums_of([tournament], to_rank=1).get(tournament.pk, ())]
    winner = [_("Winner: %(name)s") % {"name": ", ".join(first)}] if first else []
    count = getattr(tournament, "entry_count", 0)
    bots = ngettext("%(count)d bot", "%(count)d bots", count) % {"count": count}
    return preview_picture(_card(tournament, before=winner, after=[bots]))


def _card(tournament: Tournament, *, before: Sequence[str] = (), after: Sequence[str] = ()) -> PreviewCard:
    """Return the card with its state, and lines before and after it."""
    formats = " → ".join(str(one.get_format_display()) for one in tournament.stages.all())
    kicker = f"{game_title(tournament.game)} · {formats}"
    return PreviewCard(kicker, tournament.name, (*before, str(tournament.get_state_display()), *after))
