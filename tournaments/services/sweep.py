"""The periodic sweep of tournaments.

It opens and closes entries, starts or postpones tournaments, begins rounds, and withdraws entries.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.core.cache import caches
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from matches.models import Match, MatchState
from matches.queue.stuck_contests import WatchedContest, stuck_contests_tend
from matches.services import match_hold
from tournaments.errors import TooFewEntries, TournamentError, WrongState
from tournaments.hook_events import (
    ENTRIES_CLOSE,
    Stop,
    tournament_entries_event_publish,
    tournament_refusal_event_publish,
    tournament_stop_notify_again,
)
from tournaments.missed_events import tournament_start_missed_event_publish
from tournaments.models import Tournament, TournamentState
from tournaments.models.tournament import TOURNAMENT
from tournaments.selectors.rounds.plans import (
    CLOSE,
    OPEN,
    REMINDED_BEFORE,
    SOURCES,
    START,
    ClockAct,
    entries_reminder_planned_at,
)
from tournaments.services.ceremonies import ceremonies_tend
from tournaments.services.ladder_cups import weekly_cups_tend
from tournaments.services.leaving import (
    entries_withdraw_deleted,
    entries_withdraw_forfeiters,
    entries_withdraw_outsiders,
)
from tournaments.services.lifecycle import (
    tournament_lock,
    tournament_matches_begun,
    tournament_open,
    tournament_pause,
    tournament_reopen,
    tournament_resume,
    tournament_start,
)
from tournaments.services.publishing import tournament_sources_release
from tournaments.services.rounds import tournament_advance
from tournaments.services.tournament_chain import (
    tournament_chain_edit_append,
    tournament_chain_edit_content,
    tournament_chain_results_append,
)
from tournaments.services.transitions import tournament_announce_later, tournament_locked
from tournaments.services.waiting_rounds import waiting_rounds_start_due
from web.email import email_language_of
from web.zones import HALF_DAY

logger = logging.getLogger(__name__)
POSTPONED_BY: Final = 2 * HALF_DAY


def tournament_start_miss(*, tournament: Tournament, entries: int) -> None:
    """Postpone a tournament that could not start because it has only ``entries`` bots.

    The first time, move the start by whole days into the future, and re-open entries if they are closed. The second
    time, leave the start to the organiser. In both cases, notify the organiser and the authors once.

    Raises:
        WrongState: the tournament has started or was cancelled meanwhile.
    """
    with transaction.atomic():
        tournament = tournament_locked(tournament.pk, TournamentState.OPEN, TournamentState.LOCKED)
        if not tournament.is_due or tournament.first_round_at is None:
            return
        fields: dict[str, datetime | int] = {"starts_missed": tournament.starts_missed + 1, "entries_missed": entries}
        if tournament.starts_missed == 0:
            first = tournament.first_round_at
            days = (timezone.now() - first).days + 1
            while (later := tournament.minutes_later(first, days * POSTPONED_BY)) <= timezone.now():
                days += 1  # a day may have 25 hours, when the clocks change
            fields["first_round_at"] = later
            if tournament.state == TournamentState.LOCKED:
                tournament_reopen(tournament=tournament)
        told = tournament_chain_edit_content(tournament)
        Tournament.objects.filter(pk=tournament.pk, starts_missed=tournament.starts_missed).update(**fields)
        tournament.refresh_from_db()
        tournament_chain_edit_append(tournament, told)
        tournament_announce_later(tournament.pk)
        tournament_start_missed_event_publish(tournament)


def tournaments_tend() -> int:
    """Do everything that is due in all tournaments. Return how many tournaments have advanced.

    Open and close entries, start tournaments and rounds, create weekly cups, begin ceremonies and release sources at
    their times.

    Also do what lost messages may have left undone: draw rounds and finish tournaments; withdraw bots that forfeited
    too many matches, were deleted or whose author left the group; pause tournaments that are stuck because of their
    game; and hold matches of paused tournaments that a fault of the platform has queued again.
    """
    entries_open_due()
    entries_close_due()
    entries_close_soon_notify()
    tournaments_start_due()
    weekly_cups_tend()
    waiting_rounds_start_due()
    tournament_held_notify()
    entries_withdraw_deleted()
    entries_withdraw_outsiders()
    stuck_tournaments_tend()
    for tournament_id in _ids(TournamentState.PAUSED):
        with transaction.atomic():
            if Tournament.objects.select_for_update().get(pk=tournament_id).state == TournamentState.PAUSED:
                match_hold(matches=tournament_matches_begun(tournament_id))
    moved = sum(_tend(tournament_id) for tournament_id in _ids(TournamentState.RUNNING))
    ceremonies_tend()
    tournament_sources_release_due()
    return moved


def entries_open_due() -> int:
    """Open the drafts that are due for entries. Return how many were opened."""
    return _each_due(OPEN, tournament_open)


def entries_close_due() -> int:
    """Close entries of the tournaments whose deadline is over. Return how many were closed."""
    return _each_due(CLOSE, tournament_lock)


def tournament_sources_release_due() -> int:
    """Release the sources of the tournaments that are due. Return how many were released."""
    return _each_due(SOURCES, tournament_sources_release)


def entries_close_soon_notify() -> int:
    """Remind members of the group, and followers, who have not entered that entries close within a day.

    Return the number of tournaments for which there was somebody to notify. See ``entries_reminder_planned_at``. The id
    of the event ensures that each person is notified once; the cache only saves work.
    """
    now = timezone.now()
    soon = Tournament.objects.filter(
        CLOSE.to_come & CLOSE.ready,
        entries_close_at__gt=now,
        entries_close_at__lte=now + REMINDED_BEFORE,
    )
    count = 0
    for tournament in soon:
        if entries_reminder_planned_at(tournament) is None:
            continue
        key = f"entries-close/{tournament.pk}/{tournament.entries_close_at}".replace(" ", "/")
        if caches["optional"].get(key):
            continue
        with transaction.atomic():
            count += tournament_entries_event_publish(tournament, ENTRIES_CLOSE)
        caches["optional"].set(key, 1, REMINDED_BEFORE.total_seconds())
    return count


def tournaments_start_due() -> int:
    """Start the tournaments that are due, or postpone those with too few bots. Return how many started."""
    return sum(_start(tournament) for tournament in START.due() if tournament.is_due)


def tournament_held_notify() -> None:
    """Notify the organisers of running tournaments with matches that are held after faults of the platform."""
    held = Q(rounds__started_at__isnull=False, rounds__fixtures__match__state=MatchState.HELD)
    held &= ~Q(rounds__fixtures__match__last_platform_fault="")
    for tournament in Tournament.objects.filter(held, state=TournamentState.RUNNING).distinct():
        tournament_stop_notify_again(tournament, Stop.HELD)


def sweep_matches_begun_announce(*, begun_since: datetime) -> None:
    """Announce to viewers the matches that began since ``begun_since``.

    Workers do not announce them, because they do not know to which tournament a match belongs.
    """
    recent = Q(state=MatchState.RUNNING, started_at__gte=begun_since) | Q(
        state=MatchState.ON_AIR, airs_at__gte=begun_since
    )
    begun = Match.objects.filter(recent, fixture__isnull=False)
    for tournament_id in set(begun.values_list("fixture__round__tournament", flat=True)):
        tournament_announce_later(tournament_id, reload=False)


def _each_due(act: ClockAct, service: Callable[..., Any]) -> int:
    """Call ``service`` for every tournament on which ``act`` is due. Return how many calls succeeded.

    A tournament whose time was moved meanwhile is skipped. An error in one tournament does not stop the others.
    """
    return sum(_acted(act, service, pk) for pk in list(act.due().values_list("pk", flat=True)))


def _acted(act: ClockAct, service: Callable[..., Any], pk: int) -> bool:
    try:
        with transaction.atomic():
            tournament = act.due().select_for_update().filter(pk=pk).first()
            if tournament is None:
                return False
            with email_language_of(tournament.organiser):  # the organiser reads the refusal
                service(tournament=tournament)
            return True
    except WrongState:  # another process was first
        return False
    except TournamentError as error:  # the next sweep tries again, until the organiser has solved the problem
        logger.info("tournament %d waits: %s", pk, error)
        _refused(pk, error)
    except Exception:
        logger.exception("tournament %d: %s was not acted on", pk, act.at)
    return False


def _refused(pk: int, error: TournamentError) -> None:
    """Notify the organiser of the refusal, unless the tournament was deleted.

    Errors are logged, so that they do not stop the other tournaments.
    """
    try:
        if tournament := Tournament.objects.filter(pk=pk).first():
            tournament_refusal_event_publish(tournament, error)
    except Exception:
        logger.exception("the organiser of tournament %d was not notified", pk)


def _start(tournament: Tournament) -> bool:
    try:
        try:
            with email_language_of(tournament.organiser):  # the organiser reads the refusal
                tournament_start(tournament=tournament, by_itself=True)
        except TooFewEntries as error:
            tournament_start_miss(tournament=tournament, entries=error.entries)
            return False
    except WrongState:  # another process was first, or the start was moved
        return False
    except TournamentError as error:  # the next sweep tries again: other tournaments may have freed capacity by then
        logger.info("tournament %d does not start by itself: %s", tournament.pk, error)
        _refused(tournament.pk, error)
        return False
    except Exception:
        logger.exception("tournament %d was not started", tournament.pk)
        return False
    return True


def _tend(tournament_id: int) -> bool:
    """Advance one running tournament. Errors are logged, so that they do not stop the other tournaments."""
    try:
        if tournament_chain_results_append(tournament_id=tournament_id):
            tournament_announce_later(tournament_id, reload=False)
        entries_withdraw_forfeiters(tournament_id=tournament_id)
        return tournament_advance(tournament_id=tournament_id)
    except Exception:
        logger.exception("tournament %d was not tended", tournament_id)
        return False


def _ids(state: TournamentState) -> list[int]:
    return list(Tournament.objects.filter(state=state).values_list("pk", flat=True))


def stuck_tournaments_tend() -> None:
    """Pause tournaments that are stuck because of their game, and resume those that no longer are."""
    stuck = Q(state=TournamentState.PAUSED) & ~Q(paused_because="")
    stuck_contests_tend(
        WatchedContest(
            key=TOURNAMENT.numbered(one.pk),
            ruleset=one.ruleset,
            matches=tournament_matches_begun(one.pk),
            because=one.paused_because,
            pause=partial(tournament_pause, tournament=one),
            resume=partial(tournament_resume, tournament=one),
        )
        for one in Tournament.objects.filter(Q(state=TournamentState.RUNNING) | stuck)
    )
