"""Push the changed rows of large boards to pages, when a worker has stored the snapshot that contains them.

Rows do not depend on the language or the reader. Only rows that every visitor may read are sent. These are the rows of
tournaments with public results and without a group, computed as for an anonymous visitor.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from contests.audience import OPEN
from live import hub_announce
from tournaments.models import PLAYING, Publication, Stage, Tournament
from tournaments.models.tournament import TOURNAMENT
from tournaments.standings import LOT, SHARED, Row, Value
from web.snapshots import StoredPart

ENTRIES_AT_ONCE: Final = 100  # if there are more, rows are pushed, and no reader waits for ratings or luck
ROWS_MOST: Final = 2000  # rows in one message, which then has 120 kB
LOT_DIGITS: Final = 6
Figures: TypeAlias = Sequence[Any]  # a row, which begins with its primary key


def has_tournament_pushed_rows(stage: Stage, entries: int) -> bool:
    """Return whether rows are pushed to the pages of a stage with this number of ``entries``."""
    tournament = stage.tournament
    is_public = tournament.state in PLAYING and tournament.is_everyones
    return entries > ENTRIES_AT_ONCE and is_public and not stage.kind.has_bracket and tournament.stage == stage


def tournament_standings_push(
    stage: Stage, replaced: StoredPart[Sequence[Row]] | None, stored: StoredPart[Sequence[Row]]
) -> None:
    """Push the changed rows of the standings to the pages of a large tournament. ``replaced`` is the snapshot before.

    A row has these values in order: the entry; its place, from 1; its rank; its points; the number of matches played;
    the numbers of opponents beaten, drawn with and lost to; the game points; the number of games with faults; and the
    values of the announced tie-breaks, in order.
    """
    if not has_tournament_pushed_rows(stage, len(stored.value)):
        return
    codes = [code for code in stage.tournament.tie_breaks if stage.tournament.breaks_ties and code != SHARED]
    before, after = _standings(replaced.value, codes) if replaced else None, _standings(stored.value, codes)
    since = replaced.revision if replaced else None
    _push(stage.tournament_id, f"standings.{stage.pk}", before, after, since, stored)


def tournament_tables_push(
    stage: Stage, number: int, replaced: StoredPart[Any] | None, stored: StoredPart[Any]
) -> None:
    """Push the changed tables of a round; see ``selectors.rounds.fixtures.TableRows``."""
    before = {row[0]: row for row in replaced.value.rows} if replaced else None
    after = {row[0]: row for row in stored.value.rows}
    through: int | None = replaced.value.through if replaced else None
    _push(stage.tournament_id, f"tables.{stage.pk}.{number}", before, after, through, stored)


def tournament_pushed_rows_reload(
    tournament_id: int, _replaced: StoredPart[Any] | None, stored: StoredPart[Any]
) -> None:
    """Make the pages of a large tournament reload their boards, after ratings or luck-adjusted shares have changed."""
    if Tournament.objects.get(pk=tournament_id).entries.count() > ENTRIES_AT_ONCE:
        hub_announce(str(TOURNAMENT.numbered(tournament_id)), revision=stored.revision, reload=True)


def _push(
    tournament_id: int,
    part: str,
    before: Mapping[int, Figures] | None,
    after: Mapping[int, Figures],
    since: int | None,
    stored: StoredPart[Any],
) -> None:
    """Push the rows in ``after`` that differ from ``before``. If too much has changed, make the pages reload."""
    rows = [row for key, row in after.items() if before is None or before.get(key) != row]
    topic = str(TOURNAMENT.numbered(tournament_id))
    if not Tournament.objects.filter(pk=tournament_id, publication=Publication.EVERYONE, audience__in=OPEN).exists():
        return  # hidden since the rows were computed
    if before is None or len(rows) > ROWS_MOST or before.keys() != after.keys():
        hub_announce(topic, revision=stored.revision, reload=True)
    else:
        hub_announce(topic, revision=stored.revision, part=part, since=since, rows=rows)


def _standings(rows: Sequence[Row], codes: Sequence[str]) -> dict[int, Figures]:
    return {
        row.entrant: (
            *(row.entrant, place, row.rank, _number_rounded(row.points), row.played, row.won, row.drawn, row.lost),
            *(row.game_points, row.forfeited),
            *(_tie_break_value(row.values.get(code), code) for code in codes),
        )
        for place, row in enumerate(rows, 1)
    }


def _tie_break_value(value: Value | None, code: str) -> Any:
    if isinstance(value, str):
        return value[:LOT_DIGITS] if code == LOT else value
    return _number_rounded(value)


def _number_rounded(value: float | None) -> float | None:
    """Round a number as pages do: multiples of a quarter stay as they are, others get two decimals."""
    if value is None or value % 0.25 == 0:
        return int(value) if value is not None and value % 1 == 0 else value
    return round(value, 2)
