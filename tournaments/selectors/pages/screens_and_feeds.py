"""The data of a tournament for projectors and for feeds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, F, Max, Q, prefetch_related_objects
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from announcements.selectors import announcement_entries
from matches.models import MatchState
from tournaments.models import ENTERING, PLAYING, Entry, Publication, Stage, Tournament, TournamentState
from tournaments.selectors.pages.honours import honours_podium_of, honours_podiums_of
from tournaments.selectors.pages.standings_shown import standings_leaders_of
from tournaments.selectors.rounds.fixtures import (
    Progress,
    RoundTable,
    fixture_progress_of,
    fixture_rounds_of,
    fixture_tables_of_round,
    fixture_tables_shown,
)
from tournaments.selectors.standings.ranking import FinalRank
from tournaments.standings import Row, has_standings_result
from web.feeds import ENTRIES_MOST, FeedEntry, feed_podium_html

ROWS_MOST: Final = 120  # rows of the standings, or entries before the start
ROWS_BESIDE: Final = 12
TABLES_MOST: Final = 60  # tables of a round, which fill three pages of a screen
PICTURES_MOST: Final = 12  # tables; if a round has more, there is no room for boards


@dataclass(frozen=True, slots=True)
class RoundOnScreen:
    """A round with its first ``tables``, the number ``of`` all tables, and the number of ``finished`` ones.

    ``premiere`` is when the round is shown, if that is in the future.
    """

    number: int
    of: int
    finished: int
    tables: Sequence[RoundTable]
    premiere: datetime | None

    @property
    def lines(self) -> int:
        """The number of text lines of the largest table: its number and its bots."""
        return 1 + max(len(one.pairing.sittings) for one in self.tables)


@dataclass(frozen=True, slots=True)
class TournamentScreen:
    """The parts of a screen. A part without data is empty.

    ``next_at`` is when the next round or broadcast begins, if that is known.
    """

    stage: Stage
    progress: Progress
    round: RoundOnScreen | None
    leaders: Sequence[tuple[Row, Entry]]
    podium: Sequence[FinalRank]
    next_at: datetime | None

    @property
    def has_ranks(self) -> bool:
        """Whether a bot has played or has points."""
        return has_standings_result(row for row, _entry in self.leaders)

    @property
    def has_long_standings(self) -> bool:
        """Whether the standings have too many rows to be shown beside the other parts."""
        return len(self.leaders) > ROWS_BESIDE


def tournament_screen_of(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> TournamentScreen:
    """Return the screen of a tournament that has begun. ``user`` must be allowed to see the results.

    Everybody in a room sees a projector, so rounds that wait for the organiser are never shown.
    """
    stage, is_over = tournament.stage_to_show, tournament.state == TournamentState.FINISHED
    progress = fixture_progress_of(tournament)
    return TournamentScreen(
        stage=stage,
        progress=progress,
        round=None if is_over else _round(user, stage),
        leaders=standings_leaders_of(stage, ROWS_MOST),
        podium=honours_podium_of(tournament) if is_over else (),
        next_at=tournament_screen_next_at(tournament, progress),
    )


def tournament_screen_entries(tournament: Tournament) -> list[Entry]:
    """Return the first ``ROWS_MOST`` entries, in the order in which they entered."""
    found = tournament.entries.filter(is_withdrawn=False).select_related("bot").order_by("pk")
    return list(found[:ROWS_MOST])


def _round(user: AbstractBaseUser | AnonymousUser, stage: Stage) -> RoundOnScreen | None:
    """Return the first round that has begun and is not over; None if no round has begun.

    If all rounds that have begun are over, return the last of them.
    """
    begun = dict(stage.played.filter(started_at__isnull=False).values_list("number", "premieres_at"))
    rounds = [one for one in fixture_rounds_of(stage) if one[0] in begun]
    if not rounds:
        return None
    number, of, finished = next((one for one in rounds if one[2] < one[1]), rounds[-1])
    premiere, tables = begun[number], fixture_tables_of_round(stage, number)[:TABLES_MOST]
    shown = fixture_tables_shown(user, stage, number, tables, pictures=of <= PICTURES_MOST)
    return RoundOnScreen(
        number, of, finished, shown, premiere if premiere is not None and premiere > timezone.now() else None
    )


def tournament_screen_next_at(tournament: Tournament, progress: Progress | None = None) -> datetime | None:
    """Return when the next round begins automatically, or else when the next broadcast begins.

    Before the start, return when the tournament starts, or else when entries close. Return None if no time is known.
    """
    if tournament.state in ENTERING:
        closes = tournament.entries_close_at if tournament.state != TournamentState.LOCKED else None
        return tournament.first_round_at or closes
    if tournament.state not in PLAYING:
        return None
    waiting = tournament.rounds.filter(started_at__isnull=True, starts_at__isnull=False)
    times = () if tournament.has_round_review else waiting.values_list("starts_at", flat=True)
    airs_at = (progress or fixture_progress_of(tournament)).airs_at
    return min((at for at in times if at), default=airs_at)


def tournament_feed_entries(tournament: Tournament) -> Iterator[FeedEntry]:
    """Yield the feed entries of a tournament that everyone may see: finished rounds and the result, once published.

    A match that is still to be broadcast does not count as finished, so its round is left out.
    """
    page = reverse("tournaments:detail", args=[tournament.slug])
    if tournament.publication != Publication.EVERYONE:
        return
    for number, shown_at in _rounds_shown(tournament):
        title = _("Round %(number)d: all results") % {"number": number}
        of_round = reverse("tournaments:pairings", args=[tournament.slug, number])
        yield FeedEntry(f"round-{number}", title, of_round, shown_at)
    for _one, published_at, first in _results_of([tournament]):
        yield FeedEntry("result", _("Final result"), page, published_at, html=first)


def tournaments_feed_entries(tournaments: Sequence[Tournament]) -> Iterator[FeedEntry]:
    """Yield the announcements, starts and results of several tournaments.

    The readers of the feed must be allowed to see the tournaments. The result of a tournament is included once
    everybody who may see the tournament may see its results.
    """
    yield from announcement_entries("tournament", tournaments, names=True)
    for one in tournaments:
        if one.started_at is not None:
            title = _("%(name)s has started.") % {"name": one.name}
            page = reverse("tournaments:detail", args=[one.slug])
            yield FeedEntry(f"tournament-{one.pk}-start", title, page, one.started_at)
    prefetch_related_objects(tournaments, "ceremony")
    for one, told_at, first in _results_of(tournaments):
        title = f"{one.name}: {_('Final result')}"
        page = reverse("tournaments:detail", args=[one.slug])
        yield FeedEntry(f"tournament-{one.pk}-result", title, page, told_at, html=first)


def _results_of(tournaments: Sequence[Tournament]) -> Iterator[tuple[Tournament, datetime, str]]:
    """Yield each finished tournament with public results.

    It comes with the time since which the results are public, and with its podium as HTML.
    """
    podiums = honours_podiums_of(tournaments)
    for one in tournaments:
        if one.pk in podiums and one.finished_at is not None:
            ceremony = one.ceremony_or_none
            told_at = max(one.finished_at, (ceremony and ceremony.ended_at) or one.finished_at)
            yield one, told_at, feed_podium_html((rank, bot.name) for rank, bot in podiums[one.pk])


def _rounds_shown(tournament: Tournament) -> list[tuple[int, datetime]]:
    over = Count("fixtures", filter=Q(fixtures__match__state=MatchState.FINISHED))
    rounds = tournament.rounds.filter(started_at__isnull=False).order_by("-number")
    rounds = rounds.annotate(tables=Count("fixtures"), over=over, at=Max("fixtures__match__finished_at"))
    return list(rounds.filter(tables__gt=0, over=F("tables")).values_list("number", "at")[:ENTRIES_MOST])
