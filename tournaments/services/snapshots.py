"""Snapshots of tournaments are refreshed by the workers that process results, upon every announced change."""

from typing import Any

from matches.models import Match
from tournaments.contest import TOURNAMENT
from tournaments.models import Stage, Tournament
from tournaments.pushed_rows import ENTRIES_AT_ONCE, has_pushed_rows
from tournaments.selectors.rounds.boards import tables_part
from tournaments.selectors.standings.adjusted import adjusted_part
from tournaments.selectors.standings.ratings import ratings_part
from tournaments.selectors.standings.snapshots import standings_part
from web import boards
from web.snapshots import SnapshotPart


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
