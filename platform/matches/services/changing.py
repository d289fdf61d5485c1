"""Hold, release, publish, cancel and reseat matches. Playing them is in ``queue.leases`` and ``queue.result_writing``.

Every change of state is one conditional update: a match that is no longer in the expected state is not changed.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from games.catalogue import PACKAGES, catalogue_has_ruleset, find
from games.catalogue.code import game_code
from live import hub_announce
from matches.models import UNDECIDED, Broadcast, Match, MatchLog, MatchState, Seat
from matches.queue.claims import claim_accounts_ready
from matches.queue.dispatch import dispatch_workers_on_commit
from matches.queue.leases import WASTED, leases_games_drop, leases_games_reset
from web.database import database_now, database_rows


def match_hold(*, matches: QuerySet[Match]) -> int:
    """Hold the queued ``matches``, so that they are not played. Return the number of matches held.

    Running matches finish.
    """
    return database_rows(matches).filter(state=MatchState.QUEUED).update(state=MatchState.HELD)


def match_release(*, matches: QuerySet[Match]) -> int:
    """Queue the held ``matches``, reset their platform faults, and wake workers. Return the number queued."""
    with transaction.atomic():
        held = database_rows(matches).filter(state=MatchState.HELD)
        claim_accounts_ready(sorted(set(held.order_by().values_list("account", flat=True)) - {None}))
        # Games of the engine have the same code on all machines, so only games of other packages matter.
        pks = list(held.values_list("pk", flat=True)) if PACKAGES else []
        released = held.update(
            state=MatchState.QUEUED,
            dispatch_at=database_now(),
            released_at=database_now(),
            platform_faults=0,
            workers_lost=0,
            last_platform_fault="",
            is_games_fault=False,
        )
        _code_renew(pks)
        dispatch_workers_on_commit(released)
    return released


def _code_renew(pks: Collection[int]) -> None:
    """Let released matches be played with the code that is installed now.

    A match that was begun with other code is played from its start, because all its games must have the same code.
    """
    released = Match.objects.filter(pk__in=pks, state=MatchState.QUEUED)
    for ruleset in list(released.order_by().values_list("ruleset", flat=True).distinct()) if pks else ():
        game = ruleset.partition("/")[0]
        if catalogue_has_ruleset(ruleset) and game in PACKAGES:
            of_other = released.filter(ruleset=ruleset).exclude(code=str(game_code(game)))
            leases_games_reset(list(of_other.exclude(blocks_kept=0).values_list("pk", flat=True)))
            of_other.update(code=str(game_code(game)))


def match_publish(*, matches: QuerySet[Match], audience: str, group_id: int | None = None) -> int:
    """Show ``matches`` only to ``audience``. Return the number of matches changed.

    If there is a group ``group_id``, only its members among the audience may see them.
    """
    return database_rows(matches).update(audience=audience, group=group_id)


def match_held_seats_assign(
    *, versions: Mapping[int, int], barred: Collection[int] = (), called_off: bool = False
) -> bool:
    """Assign other bots to seats of held matches that no worker has claimed yet.

    ``versions`` maps ids of seats to ids of versions. A version in ``barred`` forfeits its matches. All matches must be
    held or, with ``called_off``, held or cancelled. Return False, and change nothing, if one of them was already
    released.
    """
    with transaction.atomic():
        concerned = set(Seat.objects.filter(pk__in=versions).values_list("match", flat=True))
        states = [MatchState.HELD, MatchState.CANCELLED] if called_off else [MatchState.HELD]
        held = Match.objects.select_for_update().filter(pk__in=concerned, state__in=states, attempt=0)
        if len(held) < len(concerned):
            return False
        seats: dict[int, list[int]] = {}
        for seat, version in versions.items():
            seats.setdefault(version, []).append(seat)
        for version, of_version in seats.items():
            Seat.objects.filter(pk__in=of_version).update(version=version, has_forfeited=version in barred)
    return True


def matches_reseed(*, secrets: Mapping[int, bytes]) -> None:
    """Replace the secrets of held matches that no worker has claimed yet. The keys of ``secrets`` are match ids."""
    fresh = list(Match.objects.filter(pk__in=secrets, state=MatchState.HELD, attempt=0).only("pk"))
    for match in fresh:
        match.secret = secrets[match.pk]
    Match.objects.bulk_update(fresh, ["secret"])


def match_reseat(
    *,
    match_id: int,
    versions: Sequence[int],
    options: Mapping[str, Any],
    tempo: str = Broadcast.NONE,
    premieres_at: datetime | None = None,
) -> bool:
    """Replace the entrants, the options and the broadcast of a match that no worker has claimed yet.

    The match must be held or cancelled; it is held afterwards. ``versions`` are ids in the order of seats. ``options``
    may be partial. Return False, and change nothing, if the match was already released.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match_id)
        if match.state not in (MatchState.HELD, MatchState.CANCELLED) or match.attempt:
            return False
        match.state, match.options = MatchState.HELD, find(match.ruleset).validate(len(versions), options)
        match.tempo, match.premieres_at = tempo, premieres_at
        match.save(update_fields=["state", "options", "tempo", "premieres_at"])
        match.seats.filter(index__gte=len(versions)).delete()
        for index, version in enumerate(versions):
            Seat.objects.update_or_create(
                match=match, index=index, defaults={"version_id": version, "has_forfeited": False}
            )
    return True


def match_restore(*, matches: QuerySet[Match]) -> int:
    """Hold the cancelled ``matches``, so that they can be played from their start. Return the number held."""
    with transaction.atomic():
        called_off = list(matches.filter(state=MatchState.CANCELLED).values_list("pk", flat=True))
        restored = Match.objects.filter(pk__in=called_off, state=MatchState.CANCELLED)
        seats = Seat.objects.filter(match__in=called_off)
        seats.update(has_forfeited=False, boxes_lost=0, cpu_ms=None, slowest_ms=None)
        return restored.update(
            state=MatchState.HELD,
            blocks_kept=0,
            **WASTED,
            platform_faults=0,
            workers_lost=0,
            last_platform_fault="",
            is_games_fault=False,
        )


def matches_drop(*, matches: QuerySet[Match]) -> None:
    """Delete those ``matches`` that were cancelled before a worker took them."""
    matches.filter(state=MatchState.CANCELLED, attempt=0).delete()


def match_cancel(*, matches: QuerySet[Match], states: Collection[MatchState] = UNDECIDED) -> int:
    """Cancel the ``matches`` that are in one of ``states``, by default all unfinished ones.

    Return the number of matches cancelled. Workers stop playing them at the next heartbeat. A condition on the state
    must be in ``states``, not in ``matches``: a worker may change the state meanwhile.
    """
    with transaction.atomic():
        # Lock in the order in which workers lock the matches whose results they write. This prevents deadlocks.
        locked = database_rows(matches).filter(state__in=states).select_for_update().order_by("pk")
        cancelled = list(locked.values_list("pk", flat=True))
        Match.objects.filter(pk__in=cancelled).update(state=MatchState.CANCELLED, lease_expires_at=None)
        MatchLog.objects.filter(match__in=cancelled).delete()
        leases_games_drop(cancelled)
        transaction.on_commit(partial(hub_announce, *(f"match.{pk}" for pk in cancelled)))
    return len(cancelled)


def match_seats_forfeit(*, seats: QuerySet[Seat]) -> int:
    """Forfeit the ``seats`` whose match has not begun: the stand-in plays for them. Return the number of seats."""
    return _not_begun_seats_update(seats, has_forfeited=True)


def match_forfeited_seats_admit(*, seats: QuerySet[Seat]) -> int:
    """Undo the forfeits of ``seats`` whose match has not begun: their bots play. Return the number of seats."""
    return _not_begun_seats_update(seats, has_forfeited=False)


def _not_begun_seats_update(seats: QuerySet[Seat], *, has_forfeited: bool) -> int:
    """Update the ``seats`` whose match has not begun. Lock the matches first, so that no worker claims them."""
    with transaction.atomic():
        changed = seats.exclude(has_forfeited=has_forfeited)
        to_play = Match.objects.filter(state__in=[MatchState.HELD, MatchState.QUEUED], blocks_kept=0)
        locked = to_play.filter(pk__in=changed.order_by().values("match")).select_for_update().order_by("pk")
        not_begun = database_rows(changed).filter(match__in=list(locked.values_list("pk", flat=True)))
        return not_begun.update(has_forfeited=has_forfeited)
