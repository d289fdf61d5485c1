"""Snapshots of a tournament: which parts there are, and the standings as readers get them.

Services, proofs and files fold the standings themselves (``results.standings_of``): theirs are never stale.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

import msgspec
from celery import current_app
from django.db.models import Exists, OuterRef, Q

from matches.models import Analysis, Game, MatchState
from matches.queue.dispatch import UNREACHABLE
from tournaments.contest import TOURNAMENT
from tournaments.models import PLAYING, Stage, Tournament
from tournaments.pushed_rows import standings_push
from tournaments.selectors.standings.results import standings_of
from tournaments.standings import Row
from web import boards
from web.database import database_now
from web.snapshots import Lines, SnapshotKey, SnapshotPart, StoredPart, decode_table, encode_table

logger = logging.getLogger(__name__)

REFRESH_TASK: Final = "tournaments.refresh_snapshots"
EXPIRES: Final = 10  # seconds: a reader computes it then
REFRESH_RATIO: Final = 20  # standings are folded for a twentieth of the time at most
TIED_WITH: Final = Row._fields.index("tied_with")
FORM: Final = 1  # of the payload: count up when ``Row`` or its encoding changes


def key_of(tournament_id: int, part: str) -> SnapshotKey:
    return SnapshotKey(str(TOURNAMENT.numbered(tournament_id)), part)


def moment_of(tournament_id: int) -> tuple[int, datetime]:
    """Return the revision of a tournament and the time in the database; call it before reading anything else."""
    moment: tuple[int, datetime] = (
        Tournament.objects.filter(pk=tournament_id).values_list("revision", database_now()).get()
    )
    return moment


def send_refresh(what: str, pk: int, wait: float) -> None:
    """Have a worker refresh "standings" or "tables" of a stage, or "ratings" or "adjusted" of a tournament, by its
    primary key, in ``wait`` seconds. Never raises where the broker is away: a reader computes them then."""
    try:
        current_app.send_task(REFRESH_TASK, [what, pk], countdown=wait or None, expires=wait + EXPIRES)
    except UNREACHABLE:
        logger.exception("the broker took no message; %s of %d are computed by a reader", what, pk)


def awaits_analyses(tournament: Tournament) -> bool:
    """Tell whether a finished game of a tournament with a luck value is still to be analysed."""
    if not tournament.luck_value:
        return False
    analysed = Analysis.objects.filter(game=OuterRef("pk"), value=tournament.luck_value)
    analysed = analysed.filter(Q(told__isnull=False) | Q(is_kept=False))
    games = Game.objects.filter(match__fixture__round__tournament=tournament, match__state=MatchState.FINISHED)
    return games.filter(~Exists(analysed)).exists()


def standings_snapshot(stage: Stage) -> StoredPart[Sequence[Row]]:
    """Return the rows of a stage for a reader. They may be stale only while the tournament is being played, and of more
    entries than a page of a board has."""
    if stage.started_at is None:
        revision, now = moment_of(stage.tournament_id)
        return StoredPart(standings_of(stage), revision, now, now)
    is_played = stage.tournament.state in PLAYING
    return standings_part(stage).read(lambda rows: is_played and len(rows) > boards.BOARD_ROWS)


def standings_part(stage: Stage) -> SnapshotPart[Sequence[Row]]:
    return SnapshotPart(
        key=key_of(stage.tournament_id, f"standings.{stage.pk}"),
        moment=partial(moment_of, stage.tournament_id),
        compute=lambda: standings_of(stage),
        encode=_encode,
        decode=_decode,
        send=partial(send_refresh, "standings", stage.pk),
        refresh_ratio=REFRESH_RATIO,
        stored=partial(standings_push, stage),
    )


def _encode(rows: Sequence[Row]) -> bytes:
    """Return the rows as a table. Its head is the groups of tied entries, each once: a row names them by number."""
    numbers: dict[int, int] = {}  # by identity: to hash a thousand groups of a thousand takes longer than all else
    groups: list[tuple[int, ...]] = []
    lines: list[list[object]] = []
    for row in rows:
        for tied in row.tied_with.values():
            if numbers.setdefault(id(tied), len(groups)) == len(groups):
                groups.append(tied)
        lines.append([*row])
        lines[-1][TIED_WITH] = {code: numbers[id(tied)] for code, tied in row.tied_with.items()}
    return encode_table(FORM, groups, lines)


def _decode(payload: bytes) -> Sequence[Row]:
    groups, lines = decode_table(payload, FORM, list[tuple[int, ...]])
    return Lines(lines, partial(_row, groups))


def _row(groups: Sequence[tuple[int, ...]], line: msgspec.Raw) -> Row:
    fields = _DECODE(line)
    fields[TIED_WITH] = {code: groups[number] for code, number in fields[TIED_WITH].items()}
    return Row(*fields)


_DECODE: Final[Callable[[msgspec.Raw], Any]] = msgspec.msgpack.Decoder().decode  # whole numbers stay whole
