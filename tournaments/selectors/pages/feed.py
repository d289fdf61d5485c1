"""What a tournament's feed tells: the rounds whose matches have all been shown, and the final result."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, F, Max, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from matches.models import MatchState
from tournaments.models import Publication, Tournament
from tournaments.selectors.pages.cards import podiums_of
from web.feeds import ENTRIES_MOST, FeedEntry, podium_html


def feed_entries(tournament: Tournament) -> Iterator[FeedEntry]:
    """Yield what has happened in a tournament that everyone may see; no rounds and results before they are published.
    A match that is still to be broadcast has not finished, so its round is not shown either."""
    page = reverse("tournaments:detail", args=[tournament.slug])
    if tournament.publication != Publication.EVERYONE:
        return
    for number, shown_at in _rounds_shown(tournament):
        title = _("Round %(number)d: all results") % {"number": number}
        of_round = reverse("tournaments:pairings", args=[tournament.slug, number])
        yield FeedEntry(f"round-{number}", title, of_round, shown_at)
    podium = podiums_of([tournament]).get(tournament.pk, ())
    if podium and tournament.finished_at is not None:
        first = podium_html((rank, bot.name) for rank, bot in podium)
        ceremony = tournament.ceremony_or_none
        told_at = max(tournament.finished_at, (ceremony and ceremony.ended_at) or tournament.finished_at)
        yield FeedEntry("result", _("Final result"), page, told_at, html=first)


def _rounds_shown(tournament: Tournament) -> list[tuple[int, datetime]]:
    over = Count("fixtures", filter=Q(fixtures__match__state=MatchState.FINISHED))
    rounds = tournament.rounds.filter(started_at__isnull=False).order_by("-number")
    rounds = rounds.annotate(tables=Count("fixtures"), over=over, at=Max("fixtures__match__finished_at"))
    return list(rounds.filter(tables__gt=0, over=F("tables")).values_list("number", "at")[:ENTRIES_MOST])
