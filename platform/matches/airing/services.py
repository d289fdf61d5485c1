"""Announce, move and end broadcasts. Every change is one conditional update, and may be repeated."""

import logging
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone

from games.replay import RecordError
from live import hub_announce
from matches.airing.timetable import timetable_broadcast_times
from matches.hook_events import match_finished_event_publish
from matches.models import Broadcast, Match, MatchState
from matches.queue.dispatch import dispatch_result_on_commit
from matches.queue.leases import REASON_MOST, WASTED, Lease, leases_games_drop
from matches.queue.result_writing import (
    MatchResult,
    match_result_conclusion,
    match_result_seats_write,
    match_result_stored_games,
)
from matches.services.creating import MatchError
from web.database import database_now, database_persistent, database_rows

logger = logging.getLogger(__name__)

AHEAD_MOST: Final = timedelta(days=60)  # the latest premiere that is allowed, from now
_TO_PLAY: Final = (MatchState.HELD, MatchState.QUEUED)


def broadcast_announce(*, matches: QuerySet[Match], tempo: str, premieres_at: datetime | None) -> int:
    """Set the broadcast of those ``matches`` that are held or queued and have no played blocks.

    They are broadcast at ``tempo``, but not before ``premieres_at``. With the tempo "", they are not broadcast. Return
    the number of matches changed.

    Raises:
        MatchError: an unknown tempo, a premiere in the past or too far ahead, or a premiere without a tempo.
    """
    if tempo not in Broadcast.values:
        raise MatchError("tempo", f"{tempo[:20]!r} is not allowed; allowed: {', '.join(Broadcast.values[1:])}")
    if premieres_at is not None and not tempo:
        raise MatchError("premieres_at", "a match has a premiere only if it is broadcast: give a tempo")
    _check_premiere(premieres_at)
    chosen = database_rows(matches).filter(state__in=_TO_PLAY, blocks_kept=0)
    with transaction.atomic():
        _announce_later(chosen)
        return chosen.update(tempo=tempo, premieres_at=premieres_at)


def broadcast_premiere_move(*, matches: QuerySet[Match], premieres_at: datetime | None) -> int:
    """Change the premiere of those ``matches`` whose broadcast has not begun. Return the number of matches changed.

    With None, the broadcast begins as soon as the match has been played.

    Raises:
        MatchError: a premiere in the past or too far ahead.
    """
    _check_premiere(premieres_at)
    moved = 0
    with transaction.atomic():
        to_come = database_rows(matches).exclude(tempo="")
        _announce_later(to_come)
        moved += to_come.filter(state__in=[*_TO_PLAY, MatchState.RUNNING]).update(premieres_at=premieres_at)
        waiting = to_come.filter(state=MatchState.ON_AIR, airs_at__gt=database_now())
        for match in waiting.annotate(length=Sum("games__air_ms")):
            still = waiting.filter(pk=match.pk).order_by()
            if still.update(premieres_at=premieres_at):
                length = timedelta(milliseconds=match.length or 0)
                moved += Match.objects.filter(pk=match.pk, state=MatchState.ON_AIR).update(
                    **timetable_broadcast_times(length)
                )
    return moved


@database_persistent
def broadcast_end(*, match_id: int, at_once: bool = False) -> bool:
    """Write the result of a match whose broadcast is over. With ``at_once``, it may still be on air. Idempotent.

    Return whether this call wrote the result.

    Raises:
        RecordError: a record is damaged. Nothing is changed.
    """
    over = Q() if at_once else Q(air_ends_at__lte=database_now())
    with transaction.atomic():
        on_air = Match.objects.filter(over, pk=match_id, state=MatchState.ON_AIR)
        match = on_air.prefetch_related("seats").first()
        if match is None:
            return False
        played = MatchResult(
            Lease(match.pk, match.attempt, match.worker), match, (), 0, match_result_stored_games(match)
        )
        for game in played.kept:
            game.record.verify()
        series = played.series()
        if not Match.objects.filter(pk=match_id, state=MatchState.ON_AIR).update(**match_result_conclusion(series)):
            return False
        match_result_seats_write([played], {match.pk: series})
        match_finished_event_publish(matches=[match])
        dispatch_result_on_commit(match)
        transaction.on_commit(partial(hub_announce, f"match.{match_id}"))
    return True


def broadcasts_end() -> int:
    """Write the results of all matches whose broadcast is over. Return the number of results written.

    Matches with a damaged record are held instead.
    """
    due = Match.objects.filter(state=MatchState.ON_AIR, air_ends_at__lte=database_now())
    ended = 0
    for pk in due.order_by("air_ends_at").values_list("pk", flat=True):
        try:
            ended += broadcast_end(match_id=pk)
        except RecordError as error:
            logger.exception("match %d: the record of its broadcast cannot be read", pk)
            _void(pk, f"{type(error).__name__}: {error}")
    return ended


def _void(match_id: int, reason: str) -> None:
    """Hold a match that is on air, and delete its games, so that it can be played again."""
    with transaction.atomic():
        on_air = Match.objects.filter(pk=match_id, state=MatchState.ON_AIR)
        if on_air.update(
            state=MatchState.HELD,
            attempt=F("attempt") + 1,
            blocks_kept=0,
            **WASTED,
            last_platform_fault=reason[:REASON_MOST],
        ):
            leases_games_drop([match_id])
            transaction.on_commit(partial(hub_announce, f"match.{match_id}"))


def broadcast_premiere_allowed(*, premieres_at: datetime | None) -> bool:
    """Return whether a premiere may be at ``premieres_at``: within the next ``AHEAD_MOST``, or None."""
    now = timezone.now()
    return premieres_at is None or now < premieres_at <= now + AHEAD_MOST


def _check_premiere(premieres_at: datetime | None) -> None:
    if not broadcast_premiere_allowed(premieres_at=premieres_at):
        raise MatchError("premieres_at", f"a premiere is in the future, and at most {AHEAD_MOST.days} days ahead")


def _announce_later(matches: QuerySet[Match]) -> None:
    topics = [f"match.{pk}" for pk in matches.values_list("pk", flat=True)]
    transaction.on_commit(lambda: hub_announce(*topics))
