"""Change the state of tournaments, each time by one conditional update. No other module writes the state.

draft -> open (<-> locked) -> running <-> paused; running -> finished; any but finished -> cancelled

After each announced change, workers refresh the snapshots of the tournament.
"""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.db.models import F

from live import hub_announce
from matches.models import Match
from tournaments.errors import WrongState
from tournaments.formats.knockout.pages.snapshots import bracket_snapshot_part
from tournaments.models import Stage, Tournament, TournamentState
from tournaments.models.tournament import TOURNAMENT
from tournaments.pushed_rows import ENTRIES_AT_ONCE, has_tournament_pushed_rows
from tournaments.selectors.rounds.fixtures import fixture_tables_snapshot_part
from tournaments.selectors.standings.adjusted import adjusted_standings_snapshot_part
from tournaments.selectors.standings.ranking import standings_snapshot_part
from tournaments.selectors.standings.ratings import tournament_ratings_snapshot_part
from web import boards
from web.snapshots import SnapshotPart


def tournament_state_move(
    tournament_id: int, origin: Collection[TournamentState], target: TournamentState, **fields: Any
) -> None:
    """Change the state from one of ``origin`` to ``target``. Of two concurrent calls, one succeeds.

    Raises:
        WrongState: the tournament is in none of the states ``origin``. Nothing was changed.
    """
    moved = Tournament.objects.filter(pk=tournament_id, state__in=origin).update(state=target, **fields)
    if not moved:
        raise WrongState(_state_of(tournament_id), origin)


def tournament_locked(tournament_id: int, *needed: TournamentState) -> Tournament:
    """Lock the row of the tournament until the transaction ends, and return the tournament.

    Raises:
        WrongState: it is in none of the needed states.
    """
    assert transaction.get_connection().in_atomic_block  # noqa: S101  a lock ends with its transaction
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    tournament_state_require(tournament, *needed)
    return tournament


def tournament_state_require(tournament: Tournament, *needed: TournamentState) -> None:
    """Require that the tournament, as it was read, is in one of the needed states.

    This can refuse a request early. It does not replace ``tournament_state_move`` or ``tournament_locked``.

    Raises:
        WrongState: the tournament is in none of the needed states.
    """
    if tournament.state not in needed:
        raise WrongState(TournamentState(tournament.state), needed)


def _state_of(tournament_id: int) -> TournamentState:
    return TournamentState(Tournament.objects.values_list("state", flat=True).get(pk=tournament_id))


def tournament_announce_later(tournament_id: int, *, reload: bool = True) -> None:
    """Increment the revision of the tournament. After the commit, announce it to viewers and refresh the snapshots.

    After a new revision, pages are rendered again, and a round that is being drawn is drawn again. Pass ``reload`` as
    False if only results and begun matches are new. Then pages that receive rows do not reload.
    """
    Tournament.objects.filter(pk=tournament_id).update(revision=F("revision") + 1)
    transaction.on_commit(partial(_announce, tournament_id, reload=reload))
    transaction.on_commit(partial(_snapshots_schedule, tournament_id=tournament_id), robust=True)


def _announce(tournament_id: int, *, reload: bool) -> None:
    revision = Tournament.objects.filter(pk=tournament_id).values_list("revision", flat=True).first()
    if revision is not None:
        hub_announce(f"tournament.{tournament_id}", revision=revision, **({"reload": True} if reload else {}))


PARTS_OF_STAGE: Final[Mapping[str, Callable[[Stage], SnapshotPart[Any]]]] = {
    "standings": standings_snapshot_part,
    "tables": fixture_tables_snapshot_part,
    "bracket": bracket_snapshot_part,
}


def tournament_snapshots_refresh(*, what: str, pk: int) -> None:
    """Compute and store the snapshot ``what``. Do nothing if its stage or tournament was deleted or has not begun.

    ``pk`` is the primary key of a stage for ``PARTS_OF_STAGE``, and of a tournament for "ratings" and "adjusted".
    """
    if what in PARTS_OF_STAGE:
        stage = Stage.objects.select_related("tournament").filter(pk=pk, started_at__isnull=False).first()
        if stage is not None:
            PARTS_OF_STAGE[what](stage).refresh()
        return
    tournament = Tournament.objects.filter(pk=pk, started_at__isnull=False).first()
    if tournament is not None and what == "ratings":
        tournament_ratings_snapshot_part(tournament).refresh()
    elif tournament is not None:
        adjusted_standings_snapshot_part(tournament).refresh()


def _snapshots_schedule(*, tournament_id: int) -> None:
    """Have a worker refresh the snapshots of a large tournament that has begun.

    The snapshots of a small tournament are computed by its readers.
    """
    tournament = Tournament.objects.filter(pk=tournament_id, started_at__isnull=False).first()
    entries = tournament.entries.count() if tournament is not None else 0
    if tournament is None or entries <= boards.BOARD_ROWS:
        return
    if has_tournament_pushed_rows(tournament.stage, entries):
        fixture_tables_snapshot_part(tournament.stage).request()
    standings_snapshot_part(tournament.stage).request()
    if tournament.stage.kind.has_bracket:
        bracket_snapshot_part(tournament.stage).request()
    if entries > ENTRIES_AT_ONCE:
        tournament_ratings_snapshot_part(tournament).request()
        if tournament.luck_value:
            adjusted_standings_snapshot_part(tournament).request()


def tournament_luck_snapshots_schedule(*, match: Match) -> None:
    """Have a worker refresh the stored snapshots that depend on the luck of games, after ``match`` was analysed.

    This is needed because an analysis does not change the revision of the tournament.
    """
    number = TOURNAMENT.number_of(match)
    tournament = Tournament.objects.filter(pk=number).first() if number is not None else None
    if tournament is not None and tournament.luck_value:
        tournament_ratings_snapshot_part(tournament).request(only_stored=True)
        adjusted_standings_snapshot_part(tournament).request(only_stored=True)
