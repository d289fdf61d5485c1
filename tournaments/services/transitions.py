"""A tournament's states change here and nowhere else, each by one conditional update.

draft -> open (<-> locked) -> running <-> paused        running -> finished        any but finished -> cancelled
"""

from collections.abc import Collection
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F

from live import announce
from tournaments.errors import WrongState
from tournaments.models import Tournament, TournamentState
from tournaments.services.snapshots import snapshots_schedule


def state_move(tournament_id: int, origin: Collection[TournamentState], target: TournamentState, **fields: Any) -> None:
    """Move it into ``target`` from one of ``origin``; of two at once, one moves it and the other is refused.

    Raises:
        WrongState: it is in none of them; nothing was changed.
    """
    moved = Tournament.objects.filter(pk=tournament_id, state__in=origin).update(state=target, **fields)
    if not moved:
        raise WrongState(state_of(tournament_id), origin)


def tournament_locked(tournament_id: int, *needed: TournamentState) -> Tournament:
    """Return the tournament in one of the needed states, its row locked until the transaction ends.

    Raises:
        WrongState: it is in none of them.
    """
    assert transaction.get_connection().in_atomic_block  # noqa: S101  a lock without a transaction holds nothing
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    state_require(tournament, *needed)
    return tournament


def state_require(tournament: Tournament, *needed: TournamentState) -> None:
    """Refuse early, by what was read before: never instead of ``state_move`` or ``tournament_locked``.

    Raises:
        WrongState: it is in none of the needed states.
    """
    if tournament.state not in needed:
        raise WrongState(TournamentState(tournament.state), needed)


def state_of(tournament_id: int) -> TournamentState:
    return TournamentState(Tournament.objects.values_list("state", flat=True).get(pk=tournament_id))


def announce_later(tournament_id: int, *, reload: bool = True) -> None:
    """Count up the revision of the tournament: its pages are rendered again, and a round that is being drawn is drawn
    again. After the commit its viewers are notified and its snapshots are refreshed. Without ``reload`` only results
    and begun matches are new: pages that are sent rows wait for these."""
    Tournament.objects.filter(pk=tournament_id).update(revision=F("revision") + 1)
    transaction.on_commit(partial(_announce, tournament_id, reload=reload))
    transaction.on_commit(partial(snapshots_schedule, tournament_id=tournament_id), robust=True)


def _announce(tournament_id: int, *, reload: bool) -> None:
    revision = Tournament.objects.filter(pk=tournament_id).values_list("revision", flat=True).first()
    if revision is not None:
        announce(f"tournament.{tournament_id}", revision=revision, **({"reload": True} if reload else {}))
