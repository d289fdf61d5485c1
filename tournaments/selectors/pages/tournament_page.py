"""Everything the tournament's page shows that changes while it runs, read with a fixed number of queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Final

from luck.adjusting import Adjusted
from tournaments.models import Bye, Entry, Stage, Tournament
from tournaments.selectors.rounds.fixtures import FixturePairing, Progress, pairings_of, progress_of, rounds_of
from tournaments.selectors.standings.adjusted import adjusted_lately
from tournaments.selectors.standings.lately import standings_lately
from tournaments.selectors.standings.ratings import Rated, ratings_of
from tournaments.standings import TIE_BREAKS, Row, TieBreak, Value
from web.boards import Board, BoardQuery, board_of, board_whole

ALL_ROUNDS_UP_TO: Final = 100  # fixtures; larger tournaments show one round at a time
EVERYTHING: Final = BoardQuery()
CROSSTABLE_UP_TO: Final = 24  # entries


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A row of the standings with its bot; ``values`` are in the order of the announced tie-breaks. ``rated``: how
    strong it is by all games of the tournament, once there are any."""

    row: Row
    entry: Entry
    values: tuple[tuple[TieBreak, Value | None], ...]
    total: int | None  # matches it plays in all; None where that depends on who goes on
    rated: Rated | None
    adjusted: Adjusted | None  # by all games of the tournament; nobody is ranked by it


@dataclass(frozen=True, slots=True)
class BoardCell:
    """Where a row meets a column: ``points`` of the row's bot once decided; no pairing on the diagonal."""

    row: int
    column: int
    pairing: FixturePairing | None
    points: float | None


@dataclass(frozen=True, slots=True)
class BoardRound:
    """``byes``: who found no table. ``waits``: nobody plays it yet, until ``starts_at`` if that is set."""

    number: int
    pairings: tuple[FixturePairing, ...]
    byes: tuple[Entry, ...]
    waits: bool
    starts_at: datetime | None


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """One stage of a tournament; ``stages``: all that have begun. ``standings`` and ``tables`` are what of its lines
    and of its rounds stands on the page. ``old_until``: see ``RecentStandings``."""

    stage: Stage
    stages: tuple[Stage, ...]
    progress: Progress
    tie_breaks: tuple[TieBreak, ...]
    lines: tuple[BoardLine, ...]
    adjusts: bool  # whether there is a share with the luck taken off to show
    standings: Board[BoardLine]
    crosstable: tuple[tuple[BoardLine, tuple[BoardCell, ...]], ...]
    rounds: tuple[BoardRound, ...]
    tables: Board[FixturePairing]
    all_rounds: tuple[int, ...]
    round: int | None  # the one shown, or None for all
    old_until: float

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(line.row for line in self.lines)


def entries_of(tournament: Tournament) -> list[Entry]:
    """Return all entries with bot, author and frozen version, the withdrawn ones included."""
    entries = tournament.entries.select_related("bot__owner", "version")
    return list(entries)


def words_of(entry: Entry) -> tuple[str, ...]:
    """Return the names by which a board is filtered: the bot's and its author's."""
    return entry.bot.name, entry.bot.owner.get_username()


def tie_breaks_of(tournament: Tournament) -> tuple[TieBreak, ...]:
    """Return the tie-breaks as announced; none of a tournament that is nothing but a knockout."""
    return tuple(TIE_BREAKS[code] for code in tournament.tie_breaks if tournament.breaks_ties)


def page_of(
    tournament: Tournament, entries: Sequence[Entry], query: BoardQuery = EVERYTHING, *, drafts: bool = False
) -> TournamentPage:
    """Return the page of the "stage" that is asked for, or of the one that began last; of a large one with the tables
    of the "round" asked for, or of the round being played; with ``drafts`` the rounds too that wait for the organiser.
    """
    begun = tuple(stage for stage in tournament.stages.all() if stage.started_at)
    round_wanted = query.number("round")
    stage = stage_shown(tournament, query)
    progress = progress_of(tournament)
    rounds = rounds_of(stage, drafts=drafts)
    large = sum(tables for _, tables, _ in rounds) > ALL_ROUNDS_UP_TO
    shown = _round_shown(rounds, round_wanted) if large or round_wanted else None
    standings = standings_lately(stage)
    lines = _lines(tournament, stage, entries, rounds, standings.rows)
    with_crosstable = stage.kind.has_crosstable and stage.players_per_table == 2
    with_crosstable = with_crosstable and 2 < len(lines) <= CROSSTABLE_UP_TO
    pairings = pairings_of(stage, entries, None if with_crosstable or shown is None else [shown], drafts=drafts)
    listed = [pairing for pairing in pairings if shown is None or pairing.round == shown]
    tables = board_of(listed, query, name="tables") if shown is not None else board_whole(listed, query)
    return TournamentPage(
        stage=stage,
        stages=begun,
        progress=progress,
        tie_breaks=() if stage.kind.has_bracket else tie_breaks_of(tournament),
        lines=lines,
        adjusts=any(line.adjusted for line in lines),
        standings=board_of(lines, query, name="page", filtered_by="bot", words=lambda line: words_of(line.entry)),
        crosstable=_crosstable(lines, pairings) if with_crosstable and rounds else (),
        rounds=_rounds(stage, entries, tables),
        tables=tables,
        all_rounds=tuple(number for number, _, _ in rounds),
        round=shown,
        old_until=standings.old_until(tournament.revision),
    )


def stage_shown(tournament: Tournament, query: BoardQuery) -> Stage:
    """Return the stage that is asked for, if it has begun; else the one that began last."""
    begun = (stage for stage in tournament.stages.all() if stage.started_at)
    return next((stage for stage in begun if stage.number == query.number("stage")), tournament.stage)


def _rounds(stage: Stage, entries: Sequence[Entry], tables: Board[FixturePairing]) -> tuple[BoardRound, ...]:
    by_id = {entry.pk: entry for entry in entries}
    idle = list(Bye.objects.filter(round__stage=stage).values_list("round__number", "entry"))
    waiting = dict(stage.played.filter(started_at__isnull=True).values_list("number", "starts_at"))
    return tuple(
        BoardRound(
            number=number,
            pairings=tuple(pairings),
            byes=tuple(by_id[entry] for of, entry in idle if of == number and tables.number == tables.pages),
            waits=number in waiting,
            starts_at=waiting.get(number),
        )
        for number, pairings in groupby(tables.rows, key=attrgetter("round"))
    )


def _round_shown(rounds: Sequence[tuple[int, int, int]], wanted: int | None) -> int | None:
    if any(number == wanted for number, _, _ in rounds):
        return wanted
    open_rounds = (number for number, tables, finished in rounds if finished < tables)
    return next(open_rounds, rounds[-1][0] if rounds else None)


def _lines(
    tournament: Tournament,
    stage: Stage,
    entries: Sequence[Entry],
    rounds: Sequence[tuple[int, int, int]],
    rows: Sequence[Row],
) -> tuple[BoardLine, ...]:
    by_id = {entry.pk: entry for entry in entries}
    tables = sum(tables for _, tables, _ in rounds)
    announced_rounds = stage.drawn if stage.finished_at else stage.rounds  # they may have run out
    announced = () if stage.kind.has_bracket else tie_breaks_of(tournament)
    rated = ratings_of(tournament, entries).by_entry()
    less_luck = adjusted_lately(tournament, entries).by_entry
    return tuple(
        BoardLine(
            row=row,
            entry=by_id[row.entrant],
            values=tuple((one, row.values.get(one.code)) for one in announced),
            total=stage.kind.matches_each(stage.terms, announced_rounds, tables, len(rows), row.byes),
            rated=rated.get(row.entrant),
            adjusted=less_luck.get(row.entrant),
        )
        for row in rows
    )


def _crosstable(
    lines: Sequence[BoardLine], pairings: Sequence[FixturePairing]
) -> tuple[tuple[BoardLine, tuple[BoardCell, ...]], ...]:
    met = {
        (mine.entry.pk, theirs.entry.pk): (pairing, _duel_points(pairing, mine.first, theirs.first))
        for pairing in pairings
        for mine, theirs in (pairing.sittings, pairing.sittings[::-1])
    }
    ids = [line.row.entrant for line in lines]
    return tuple(
        (
            line,
            tuple(
                BoardCell(line.row.entrant, column, *met.get((line.row.entrant, column), (None, None)))
                for column in ids
            ),
        )
        for line in lines
    )


def _duel_points(pairing: FixturePairing, mine_first: bool, theirs_first: bool) -> float | None:
    if not pairing.decided:
        return None
    return 0.5 if mine_first and theirs_first else 1.0 if mine_first else 0.0
