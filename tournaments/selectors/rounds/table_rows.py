"""The tables of a round as rows of data, as every visitor may see them: what is sent to the pages that show them."""

from functools import partial
from typing import Final

import msgspec

from matches.models import MatchState
from tournaments.models import Stage
from tournaments.pushed_rows import tables_push
from tournaments.selectors.rounds.fixtures import FixturePairing, pairings_of, rounds_of
from tournaments.selectors.standings.snapshots import key_of, moment_of, send_refresh
from web.snapshots import SnapshotPart

REFRESH_RATIO: Final = 5  # tables are computed for a fifth of the time at most
PLAIN: Final = (MatchState.RUNNING, MatchState.ON_AIR, MatchState.FINISHED)  # that a page shows from a row alone


class TableRows(msgspec.Struct, frozen=True, array_like=True):
    """``rows``: fixture, state of the match ("" where a page cannot show it from the row), and of each seat the score,
    and whether it is the best and forfeited. They hold at least all changes up to the revision ``through``."""

    through: int
    rows: list[tuple[int, str, list[tuple[float | None, bool, bool]]]]


def tables_part(stage: Stage) -> SnapshotPart[TableRows]:
    """Return the part of the round of ``stage`` that is being played."""
    number = round_played(stage)
    return SnapshotPart(
        key=key_of(stage.tournament_id, f"tables.{stage.pk}.{number}"),
        moment=partial(moment_of, stage.tournament_id),
        compute=partial(_table_rows, stage, number),
        encode=msgspec.msgpack.encode,
        decode=msgspec.msgpack.Decoder(TableRows).decode,
        send=partial(send_refresh, "tables", stage.pk),
        refresh_ratio=REFRESH_RATIO,
        stored=partial(tables_push, stage, number),
    )


def round_played(stage: Stage) -> int:
    """Return the first round that is not over, else the last; 0 before there is one."""
    rounds = rounds_of(stage)
    open_rounds = (number for number, tables, finished in rounds if finished < tables)
    return next(open_rounds, rounds[-1][0] if rounds else 0)


def _table_rows(stage: Stage, number: int) -> TableRows:
    rows = [_row(pairing) for pairing in pairings_of(stage, rounds=[number])]
    return TableRows(moment_of(stage.tournament_id)[0], rows)


def _row(pairing: FixturePairing) -> tuple[int, str, list[tuple[float | None, bool, bool]]]:
    is_plain = pairing.state in PLAIN and not (pairing.void or pairing.replaced or pairing.airs_later)
    seats = [(one.score, one.first, one.forfeited) for one in pairing.sittings]
    return pairing.fixture_id, str(pairing.state) if is_plain else "", seats if is_plain else []
