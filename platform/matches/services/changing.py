"""Hold, release, publish, cancel and reseat matches. Playing them is in ``queue.leases`` and
``queue.results``.

Every change of state is one conditional update: what has already moved on is left alone.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from games.catalogue import PACKAGES, find, is_played
from games.catalogue.code import code_of
from live import announce
from matches.models import UNDECIDED, Broadcast, Match, MatchLog, MatchState, Seat
from matches.queue.claims import accounts_ready
from matches.queue.dispatch import workers_wake_on_commit
from matches.queue.leases import WASTED, games_drop, kept_drop
from web.database import database_now


def match_hold(*, matches: QuerySet[Match]) -> int:
    """Keep those of ``matches`` that are queued from being played; those being played finish. Return how many."""
    return matches.filter(state=MatchState.QUEUED).update(state=MatchState.HELD)


def match_release(*, matches: QuerySet[Match]) -> int:
    """Queue those of ``matches`` that are held, platform faults forgiven, and tell the workers. Return how many."""
    with transaction.atomic():
        held = matches.filter(state=MatchState.HELD)
        accounts_ready(sorted(set(held.order_by().values_list("account", flat=True)) - {None}))
        pks = list(held.values_list("pk", flat=True)) if PACKAGES else []  # ours are the same everywhere
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
        workers_wake_on_commit(released)
    return released


def _code_renew(pks: Collection[int]) -> None:
    """Let matches be played by the code that is here now: to release them implies that. No match is of two codes: one
    that was begun with another is played from its start."""
    released = Match.objects.filter(pk__in=pks, state=MatchState.QUEUED)
    for ruleset in list(released.order_by().values_list("ruleset", flat=True).distinct()) if pks else ():
        game = ruleset.partition("/")[0]
        if is_played(ruleset) and game in PACKAGES:
            of_other = released.filter(ruleset=ruleset).exclude(code=str(code_of(game)))
            kept_drop(list(of_other.exclude(blocks_kept=0).values_list("pk", flat=True)))
            of_other.update(code=str(code_of(game)))


def match_publish(*, matches: QuerySet[Match], audience: str, group_id: int | None = None) -> int:
    """Let ``audience`` look at ``matches``, of a group its members alone, and nobody else. Return how many."""
    return matches.update(audience=audience, group=group_id)


def seats_assign(*, versions: Mapping[int, int], barred: Collection[int] = (), called_off: bool = False) -> bool:
    """Let other bots sit in seats of matches that nobody has played yet: the version of each seat, by their numbers.
    Versions that are ``barred`` forfeit theirs. ``called_off``: matches that were called off may be among them.

    False, and no change, if one of the matches has been let go to the workers.
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
    """Give those matches, by number, other secrets that nobody has played yet; the others are left alone."""
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
    """Let those versions, in order, sit in a match that nobody has been given to play, which may have been called off;
    it is held then, and to be broadcast as is said now. ``options`` may be partial. False, and no change, if it has
    been let go to the workers."""
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
    """Hold those of ``matches`` that were called off, to be played from their start. Return how many."""
    with transaction.atomic():
        called_off = list(matches.filter(state=MatchState.CANCELLED).values_list("pk", flat=True))
        restored = Match.objects.filter(pk__in=called_off)
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
    """Delete those that were called off before anybody was given them to play."""
    matches.filter(state=MatchState.CANCELLED, attempt=0).delete()


def match_cancel(*, matches: QuerySet[Match]) -> int:
    """Call off those of ``matches`` that are not finished; a worker playing one drops it at its next heartbeat."""
    with transaction.atomic():
        watched = list(matches.filter(state__in=UNDECIDED).values_list("pk", flat=True))
        cancelled = matches.filter(state__in=UNDECIDED).update(state=MatchState.CANCELLED, lease_expires_at=None)
        called_off = matches.filter(state=MatchState.CANCELLED)
        MatchLog.objects.filter(match__in=called_off).delete()
        games_drop(called_off)
        transaction.on_commit(partial(announce, *(f"match.{pk}" for pk in watched)))
    return cancelled


def seats_bar(*, seats: QuerySet[Seat]) -> int:
    """Forfeit those of ``seats`` whose match has not begun: the stand-in plays them. Return how many."""
    return _not_begun(seats).filter(has_forfeited=False).update(has_forfeited=True)


def seats_admit(*, seats: QuerySet[Seat]) -> int:
    """Let the bots play those of ``seats`` that were barred, if the match has not begun. Return how many."""
    return _not_begun(seats).filter(has_forfeited=True).update(has_forfeited=False)


def _not_begun(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    return seats.filter(match__state__in=[MatchState.HELD, MatchState.QUEUED], match__blocks_kept=0)
