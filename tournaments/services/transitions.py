"""A tournament's states change here and nowhere else, each by one conditional update; upon every announced change the
workers that process results refresh its snapshots.

draft -> open (<-> locked) -> running <-> paused; running -> finished; any but finished -> cancelled
"""

from collections.abc import Collection
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F

from live import announce
from matches.models import Match
from tournaments.errors import WrongState
from tournaments.models import Stage, Tournament, TournamentState
from tournaments.models.tournament import TOURNAMENT
from tournaments.pushed_rows import ENTRIES_AT_ONCE, has_pushed_rows
from tournaments.selectors.rounds.fixtures import tables_part
from tournaments.selectors.standings.adjusted import adjusted_part
from tournaments.selectors.standings.ratings import ratings_part
from tournaments.selectors.standings.results import standings_part
from web import boards
from web.snapshots import SnapshotPart


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


def snapshots_refresh(*, what: str, pk: int) -> None:
    """Compute and store "standings" or "tables" of a stage, or "ratings" or "adjusted" of a tournament, by its primary
    key. Of one that is gone, or has not begun, there are none."""
    if what in ("standings", "tables"):
        stage = Stage.objects.select_related("tournament").filter(pk=pk, started_at__isnull=False).first()
        if stage is not None:
            part: SnapshotPart[Any] = standings_part(stage) if what == "standings" else tables_part(stage)
            part.refresh()
        return
    tournament = Tournament.objects.filter(pk=pk, started_at__isnull=False).first()
    if tournament is not None and what == "ratings":
        ratings_part(tournament).refresh()
    elif tournament is not None:
        adjusted_part(tournament).refresh()


def snapshots_schedule(*, tournament_id: int) -> None:
    """Have a worker refresh the snapshots of a large tournament that has begun; those of a small one are computed by
    their readers."""
    tournament = Tournament.objects.filter(pk=tournament_id, started_at__isnull=False).first()
    entries = tournament.entries.count() if tournament is not None else 0
    if tournament is None or entries <= boards.BOARD_ROWS:
        return
    if has_pushed_rows(tournament.stage, entries):
        tables_part(tournament.stage).request()
    standings_part(tournament.stage).request()
    if entries > ENTRIES_AT_ONCE:
        ratings_part(tournament).request()
        if tournament.luck_value:
            adjusted_part(tournament).request()


def luck_snapshots_schedule(*, match: Match) -> None:
    """Have a worker refresh what depends on the luck of a tournament's games, if it is stored, upon the analysis of one
    of them: the revision does not move."""
    number = TOURNAMENT.number_of(match)
    tournament = Tournament.objects.filter(pk=number).first() if number is not None else None
    if tournament is not None and tournament.luck_value:
        ratings_part(tournament).request(only_stored=True)
        adjusted_part(tournament).request(only_stored=True)
