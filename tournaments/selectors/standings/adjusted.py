"""Shares of opponents beaten, adjusted for luck. Pages show them beside the official results. Ranks ignore them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec
from django.db.models import Exists, OuterRef, Q

from luck.adjusted_mean import Adjusted
from matches.analysis.selectors import analysis_blocks_with_luck
from matches.models import Analysis, Game, Match, MatchState
from matches.models import Seat as MatchSeat
from matches.referee.scoring import scoring_adjusted as adjusted_mean
from tournaments.models import Tournament
from tournaments.pushed_rows import ENTRIES_AT_ONCE, tournament_pushed_rows_reload
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.selectors.rulings.corrections import ruling_corrections_of
from tournaments.selectors.standings.ranking import (
    standings_snapshot_key,
    standings_snapshot_moment,
    standings_snapshot_refresh_send,
)
from tournaments.standings import Corrections
from web.optional import optional
from web.snapshots import SnapshotPart

REFRESH_RATIO: Final = 20  # workers spend at most a twentieth of the time on computing these shares
# The order of the blocks decides into which half a block falls. ``proof.verify`` uses the same order.
ORDER: Final = ("match__fixture__round__number", "match__fixture__table", "match__fixture__attempt")


@dataclass(frozen=True, slots=True)
class AdjustedTable:
    """The share of opponents beaten for each entry, raw and adjusted for luck by the announced value function.

    It is None for an entry that has too few blocks, or a game that is not analysed. ``is_pending`` tells whether games
    are still to be analysed. ``is_missing`` tells whether the table cannot be computed.
    """

    value: str
    by_entry: dict[int, Adjusted | None]
    is_pending: bool = False
    is_missing: bool = False


def _missing(tournament: Tournament) -> AdjustedTable:
    return AdjustedTable(tournament.luck_value, {}, is_missing=True)


@optional("luck-adjusted shares", _missing)
def adjusted_standings_of(tournament: Tournament) -> AdjustedTable:
    """Return the table of a tournament. It is empty if no value function was announced.

    Void and replaced matches do not count. The table of a large tournament may be stale until the tournament is over.
    """
    if not _has_luck(tournament):
        return AdjustedTable(tournament.luck_value, {})
    return (
        adjusted_standings_snapshot_part(tournament)
        .read(lambda _table: not tournament.is_over and _is_large(tournament))
        .value
    )


@optional("luck-adjusted shares on a board", _missing)
def adjusted_standings_snapshot(tournament: Tournament) -> AdjustedTable:
    """Return the table as ``adjusted_standings_of`` does, but compute nothing for a large tournament.

    For a large tournament, a worker computes the table. The result is the last stored table, or an empty one.
    """
    empty = AdjustedTable(tournament.luck_value, {})
    if not _has_luck(tournament):
        return empty
    return adjusted_standings_snapshot_part(tournament).read(lambda _table: _is_large(tournament), empty).value


def adjusted_standings_snapshot_part(tournament: Tournament) -> SnapshotPart[AdjustedTable]:
    return SnapshotPart(
        key=standings_snapshot_key(tournament.pk, "adjusted"),
        moment=partial(standings_snapshot_moment, tournament.pk),
        compute=lambda: _computed(tournament),
        encode=msgspec.msgpack.encode,
        decode=msgspec.msgpack.Decoder(AdjustedTable).decode,
        send=partial(standings_snapshot_refresh_send, "adjusted", tournament.pk),
        refresh_ratio=0 if tournament.is_over else REFRESH_RATIO,
        stored=partial(tournament_pushed_rows_reload, tournament.pk),
        is_pending=lambda table: table.is_pending,
    )


def _has_luck(tournament: Tournament) -> bool:
    return bool(tournament.luck_value) and tournament.started_at is not None


def _is_large(tournament: Tournament) -> bool:
    return tournament.entries.count() > ENTRIES_AT_ONCE


def _computed(tournament: Tournament) -> AdjustedTable:
    # This is read first, so that an analysis that is stored meanwhile is not missed.
    is_pending = are_adjusted_analyses_pending(tournament)
    return AdjustedTable(tournament.luck_value, _table(tournament, ruling_corrections_of(tournament)), is_pending)


def _table(tournament: Tournament, held: Corrections) -> dict[int, Adjusted | None]:
    entrants = entry_by_version(tournament)
    seats = MatchSeat.objects.filter(match__fixture__round__tournament=tournament, match__state=MatchState.FINISHED)
    rows = seats.order_by(*ORDER, "index").values_list("match", "index", "version")
    sat = [row for row in rows if held.counts(row[0]) and row[0] not in held.given and row[2] in entrants]
    counts = Match.objects.filter(pk__in={match for match, _, _ in sat})
    known = analysis_blocks_with_luck(counts, tournament.luck_value)
    blocks: defaultdict[int, list[tuple[float, Sequence[float]]]] = defaultdict(list)
    lacking: set[int] = set()
    for match, seat, version in sat:
        entry = entrants[version]
        if match not in known:
            lacking.add(entry)
        for block in known.get(match, ()):
            blocks[entry].append((block.shares[seat], block.moments[seat]))
    return {
        entry: None if entry in lacking else adjusted_mean(blocks[entry])
        for entry in entrants.values()
        if not held.annulled(entry)
    }


def are_adjusted_analyses_pending(tournament: Tournament) -> bool:
    """Return whether a finished game is still to be analysed; False if the tournament has no value function."""
    if not tournament.luck_value:
        return False
    analysed = Analysis.objects.filter(game=OuterRef("pk"), value=tournament.luck_value)
    analysed = analysed.filter(Q(told__isnull=False) | Q(is_kept=False))
    games = Game.objects.filter(match__fixture__round__tournament=tournament, match__state=MatchState.FINISHED)
    return games.filter(~Exists(analysed)).exists()
