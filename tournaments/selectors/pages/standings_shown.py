"""The standings on the page of a tournament. Each row has a bot, its rating, and its share adjusted for luck."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

from luck.adjusted_mean import Adjusted
from matches.pages.labels import game_points_label
from tournaments.models import Entry, Stage, Tournament
from tournaments.selectors.entering.entry_versions import entries_shown
from tournaments.selectors.entering.registration import registration_categories_of
from tournaments.selectors.entering.version_history import VersionSpan, entry_version_spans
from tournaments.selectors.pages.tournament_page import TournamentPage, tournament_board_filter_names
from tournaments.selectors.rounds.fixtures import FixturePairing
from tournaments.selectors.standings.adjusted import adjusted_standings_snapshot
from tournaments.selectors.standings.ranking import (
    entry_places_by_category,
    standings_rows_of_category,
    standings_snapshot,
)
from tournaments.selectors.standings.ratings import Rated
from tournaments.selectors.standings.tie_breaks import tournament_tie_breaks_of
from tournaments.standings import SHARED, CategoryPlace, Row, TieBreak, Value, has_standings_result
from web.boards import Board, BoardQuery, board_of

FORM_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A row of the standings with its bot.

    ``values`` are in the order of the announced tie-breaks. ``total`` is the number of matches that the bot plays in
    the stage; None if it depends on the results. ``rated`` is the rating by all games of the tournament. ``adjusted``
    is the share adjusted for luck in all these games, which does not affect ranks. If the bot has played with several
    versions, ``versions`` has them.

    ``form`` has the results of the bot's last matches, the newest last. At tables of two, a result is "won", "drawn" or
    "lost", with 0. At larger tables, it is "won" or "placed", with the place. If the page does not have the tables of
    all rounds, ``form`` is empty.
    """

    row: Row
    entry: Entry
    values: tuple[tuple[TieBreak, Value | None], ...]
    total: int | None
    rated: Rated | None
    adjusted: Adjusted | None
    form: tuple[tuple[str, int], ...] = ()
    category: CategoryPlace | None = None
    versions: tuple[VersionSpan, ...] = ()

    @property
    def key(self) -> SafeString:
        """The number of the entry, which is part of the ids of the row's HTML elements."""
        return SafeString(self.row.entrant)


@dataclass(frozen=True, slots=True)
class BoardCell:
    """A cell of the crosstable.

    ``points`` are the points of the row's bot; None until the match is decided. ``pairing`` is None on the diagonal.
    """

    row: int
    column: int
    pairing: FixturePairing | None
    points: float | None


@dataclass(frozen=True, slots=True)
class StandingsShown:
    """The standings on the page.

    ``adjusts`` tells whether any bot has an adjusted share. ``crosstable`` is empty if the page has none. ``unit`` is
    the game's name for its own points. ``has_form`` tells whether lines have a ``form``. ``has_ranks`` tells whether a
    bot has played or has points. Once the tournament is over, ``blank`` are the tie-breaks that have no values.
    ``categories`` has a tuple for each category: its name, its address, and whether it is shown. ``lacks_ratings`` and
    ``lacks_luck`` tell whether ratings and adjusted shares could not be computed.
    """

    board: Board[BoardLine]
    tie_breaks: tuple[TieBreak, ...]
    adjusts: bool
    crosstable: tuple[tuple[BoardLine, tuple[BoardCell, ...]], ...]
    unit: str
    has_form: bool
    has_ranks: bool
    blank: frozenset[str]
    lacks_ratings: bool
    lacks_luck: bool
    categories: tuple[tuple[str, str, bool], ...]
    category: str
    whole: str


def standings_shown(tournament: Tournament, page: TournamentPage, query: BoardQuery) -> StandingsShown:
    """Return the standings for ``query``. Only the entries that are shown are read."""
    breaks = () if page.stage.kind.has_bracket else tournament_tie_breaks_of(tournament)
    announced = tuple(one for one in breaks if one.code != SHARED)  # ``SHARED`` has no value to show
    categories, category = registration_categories_of(tournament), standings_category_shown(tournament, query)
    by_category = entry_places_by_category(tournament, page.rows)
    rows, words = standings_rows_of_category(category, page.rows, by_category), _row_filter_words(tournament, query)
    board = board_of(rows, query, name="page", filtered_by="bot", words=words)
    luck = adjusted_standings_snapshot(tournament)
    less_luck = luck.by_entry
    lines = _board_lines(tournament, page, page.rows if page.crossed else board.rows, announced, less_luck, by_category)
    return StandingsShown(
        board=board.showing([lines[row.entrant] for row in board.rows]),
        tie_breaks=announced,
        adjusts=any(less_luck.values()),
        crosstable=_crosstable(list(lines.values()), page.crossed) if page.crossed else (),
        unit=game_points_label(tournament.ruleset),
        has_form=page.round is None or bool(page.crossed),
        has_ranks=has_standings_result(page.rows),
        blank=_blank_tie_breaks(announced, page.rows) if tournament.is_over else frozenset(),
        lacks_ratings=page.ratings.value.is_missing,
        lacks_luck=luck.is_missing,
        categories=tuple((one, query.but(category=one, page=""), one == category) for one in categories),
        category=category,
        whole=query.but(category="", page=""),
    )


def standings_category_shown(tournament: Tournament, query: BoardQuery) -> str:
    """Return the category in ``query``; "" if the tournament has no such category."""
    category = query.text("category")
    return category if category and category in registration_categories_of(tournament) else ""


def _blank_tie_breaks(announced: Sequence[TieBreak], rows: Sequence[Row]) -> frozenset[str]:
    return frozenset(one.code for one in announced if all(row.values.get(one.code) is None for row in rows))


def _row_filter_words(tournament: Tournament, query: BoardQuery) -> Callable[[Row], tuple[str, ...]]:
    """Return a function that returns the names by which a row is filtered.

    The names are read only if the query has a filter.
    """
    names = tournament_board_filter_names(tournament) if query.text("bot") else {}
    return lambda row: names[row.entrant]


def _board_lines(
    tournament: Tournament,
    page: TournamentPage,
    shown: Sequence[Row],
    announced: Sequence[TieBreak],
    less_luck: Mapping[int, Adjusted | None],
    by_category: Mapping[int, CategoryPlace],
) -> dict[int, BoardLine]:
    """Return the lines of these rows by entry."""
    stage = page.stage
    entries = entries_shown(tournament.entries.all()).in_bulk([row.entrant for row in shown])
    rounds = stage.drawn if stage.finished_at else stage.rounds  # fewer may have been drawn
    rated, form = page.ratings.value.of(entries), _recent_form(page)
    versions = entry_version_spans(tournament, entries)
    return {
        row.entrant: BoardLine(
            row=row,
            entry=entries[row.entrant],
            values=tuple((one, row.values.get(one.code)) for one in announced),
            total=stage.kind.matches_each(stage.terms, rounds, page.drawn, len(page.rows), row.byes),
            rated=rated.get(row.entrant),
            adjusted=less_luck.get(row.entrant),
            form=form.get(row.entrant, ()),
            category=by_category.get(row.entrant),
            versions=versions.get(row.entrant, ()),
        )
        for row in shown
    }


def _recent_form(page: TournamentPage) -> dict[int, tuple[tuple[str, int], ...]]:
    """Return how the last matches of each entry ended. The results are taken from the tables on the page."""
    ended: dict[int, tuple[tuple[str, int], ...]] = {}
    for pairing in page.crossed or (page.tables.rows if page.round is None else ()):
        best = sum(one.first for one in pairing.sittings)
        for one in pairing.sittings if pairing.decided else ():
            if len(pairing.sittings) > 2:
                how = ("won" if one.first else "placed", pairing.place_of(one))
            else:
                how = ("lost" if not one.first else "won" if best == 1 else "drawn", 0)
            ended[one.entry.pk] = (*ended.get(one.entry.pk, ()), how)[-FORM_SHOWN:]
    return ended


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


def standings_leaders_of(stage: Stage, most: int) -> list[tuple[Row, Entry]]:
    """Return the first ``most`` rows of the standings with their entries and bots."""
    rows = standings_snapshot(stage).value[:most]
    entries = Entry.objects.filter(pk__in=[row.entrant for row in rows]).select_related("bot")
    by_pk = {entry.pk: entry for entry in entries}
    return [(row, by_pk[row.entrant]) for row in rows]
