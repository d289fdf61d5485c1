"""Everything the tournament's page shows that changes while it runs, read with a fixed number of queries."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Final

from luck.adjusting import Adjusted
from tournaments.models import Bye, Entry, Stage, Tournament
from tournaments.selectors.rounds.fixtures import (
    FixturePairing,
    Progress,
    pairings_of,
    progress_of,
    rounds_of,
    tables_in,
)
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
    """One stage of a tournament; ``stages``: all that have begun. ``standings`` and ``tables`` are what of its rows
    and of its rounds stands on the page. ``old_until``: see ``RecentStandings``."""

    stage: Stage
    stages: tuple[Stage, ...]
    progress: Progress
    tie_breaks: tuple[TieBreak, ...]
    rows: Sequence[Row]
    adjusts: bool  # whether there is a share with the luck taken off to show
    standings: Board[BoardLine]
    crosstable: tuple[tuple[BoardLine, tuple[BoardCell, ...]], ...]
    rounds: tuple[BoardRound, ...]
    tables: Board[FixturePairing]
    all_rounds: tuple[int, ...]
    round: int | None  # the one shown, or None for all
    old_until: float


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


def page_of(tournament: Tournament, query: BoardQuery = EVERYTHING, *, drafts: bool = False) -> TournamentPage:
    """Return the page of the "stage" that is asked for, or of the one that began last; of a large one with the tables
    of the "round" asked for, or of the round being played; with ``drafts`` the rounds too that wait for the organiser.
    Of the entries those are read that are shown.
    """
    begun = tuple(stage for stage in tournament.stages.all() if stage.started_at)
    round_wanted = query.number("round")
    stage = stage_shown(tournament, query)
    progress = progress_of(tournament)
    rounds = rounds_of(stage, drafts=drafts)
    large = sum(tables for _, tables, _ in rounds) > ALL_ROUNDS_UP_TO
    shown = _round_shown(rounds, round_wanted) if large or round_wanted else None
    standings = standings_lately(stage)
    rows = standings.rows
    with_crosstable = bool(rounds) and stage.kind.has_crosstable and stage.players_per_table == 2
    with_crosstable = with_crosstable and 2 < len(rows) <= CROSSTABLE_UP_TO
    pairings = pairings_of(stage, drafts=drafts) if with_crosstable or shown is None else None
    tables = _tables(stage, shown, query, drafts, pairings)
    page = board_of(rows, query, name="page", filtered_by="bot", words=_words(tournament, query))
    less_luck = adjusted_lately(tournament, lambda: entries_of(tournament)).by_entry
    lines = _lines(tournament, stage, rows if with_crosstable else page.rows, rounds, len(rows), less_luck)
    return TournamentPage(
        stage=stage,
        stages=begun,
        progress=progress,
        tie_breaks=() if stage.kind.has_bracket else tie_breaks_of(tournament),
        rows=rows,
        adjusts=any(less_luck.get(row.entrant) for row in rows),
        standings=page.showing([lines[row.entrant] for row in page.rows]),
        crosstable=_crosstable(list(lines.values()), pairings or ()) if with_crosstable else (),
        rounds=_rounds(stage, tables),
        tables=tables,
        all_rounds=tuple(number for number, _, _ in rounds),
        round=shown,
        old_until=standings.old_until(tournament.revision),
    )


def _tables(
    stage: Stage, shown: int | None, query: BoardQuery, drafts: bool, known: Sequence[FixturePairing] | None
) -> Board[FixturePairing]:
    """Return the tables of the round that is ``shown``, a page of them, or of all rounds; ``known``: those of all."""
    if shown is None:
        return board_whole(known or (), query)
    if known is not None:
        return board_of([pairing for pairing in known if pairing.round == shown], query, name="tables")
    page = board_of(tables_in(stage, shown, drafts=drafts), query, name="tables")
    return page.showing(pairings_of(stage, rounds=[shown], drafts=drafts, tables=page.rows))


def _words(tournament: Tournament, query: BoardQuery) -> Callable[[Row], tuple[str, ...]]:
    """Return what gives the names by which a row is found, which are read if the query asks for one."""
    entries = tournament.entries.values_list("pk", "bot__name", "bot__owner__username")
    names = {pk: (bot, author) for pk, bot, author in entries} if query.text("bot") else {}
    return lambda row: names[row.entrant]


def stage_shown(tournament: Tournament, query: BoardQuery) -> Stage:
    """Return the stage that is asked for, if it has begun; else the one that began last."""
    begun = (stage for stage in tournament.stages.all() if stage.started_at)
    return next((stage for stage in begun if stage.number == query.number("stage")), tournament.stage)


def _rounds(stage: Stage, tables: Board[FixturePairing]) -> tuple[BoardRound, ...]:
    shown = [(number, tuple(pairings)) for number, pairings in groupby(tables.rows, key=attrgetter("round"))]
    idle = defaultdict[int, list[Entry]](list)
    if tables.number == tables.pages:
        there = Bye.objects.filter(round__stage=stage, round__number__in=[number for number, _ in shown])
        for bye in there.select_related("round", "entry__bot"):
            idle[bye.round.number].append(bye.entry)
    waiting = dict(stage.played.filter(started_at__isnull=True).values_list("number", "starts_at"))
    return tuple(
        BoardRound(number, pairings, tuple(idle[number]), number in waiting, waiting.get(number))
        for number, pairings in shown
    )


def _round_shown(rounds: Sequence[tuple[int, int, int]], wanted: int | None) -> int | None:
    if any(number == wanted for number, _, _ in rounds):
        return wanted
    open_rounds = (number for number, tables, finished in rounds if finished < tables)
    return next(open_rounds, rounds[-1][0] if rounds else None)


def _lines(
    tournament: Tournament,
    stage: Stage,
    shown: Sequence[Row],
    rounds: Sequence[tuple[int, int, int]],
    of: int,
    less_luck: Mapping[int, Adjusted | None],
) -> dict[int, BoardLine]:
    """Return the lines of these rows, of so many, by entry."""
    entries = tournament.entries.select_related("bot__owner", "version").in_bulk([row.entrant for row in shown])
    tables = sum(tables for _, tables, _ in rounds)
    announced_rounds = stage.drawn if stage.finished_at else stage.rounds  # they may have run out
    announced = () if stage.kind.has_bracket else tie_breaks_of(tournament)
    rated = ratings_of(tournament, lambda: entries_of(tournament)).of(entries)
    return {
        row.entrant: BoardLine(
            row=row,
            entry=entries[row.entrant],
            values=tuple((one, row.values.get(one.code)) for one in announced),
            total=stage.kind.matches_each(stage.terms, announced_rounds, tables, of, row.byes),
            rated=rated.get(row.entrant),
            adjusted=less_luck.get(row.entrant),
        )
        for row in shown
    }


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
