"""The parts of the tournament's page that change while it is played, read with a fixed number of queries."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Final

from django.db.models import Q

from bots.selectors import bot_author_shown
from matches.models import Seat as MatchSeat
from tournaments.models import Bye, Entry, Fixture, Stage, Tournament
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.selectors.rounds.fixtures import (
    LET_GO,
    FixturePairing,
    Progress,
    fixture_pairings_of,
    fixture_progress_of,
    fixture_rounds_of,
    fixture_tables_of_round,
)
from tournaments.selectors.standings.ranking import standings_snapshot
from tournaments.selectors.standings.ratings import RatingTable, tournament_ratings_snapshot
from tournaments.standings import Row
from web.boards import Board, BoardQuery, board_of, board_whole
from web.snapshots import StoredPart

ALL_ROUNDS_UP_TO: Final = 100  # fixtures; a stage with more shows one round at a time
EVERYTHING: Final = BoardQuery()
CROSSTABLE_UP_TO: Final = 24  # entries


@dataclass(frozen=True, slots=True)
class BoardRound:
    """A round on the page. If it ``waits``, it has not begun; it begins automatically at ``starts_at``, if set."""

    number: int
    pairings: tuple[FixturePairing, ...]
    byes: tuple[Entry, ...]
    waits: bool
    starts_at: datetime | None


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """The page of one stage of a tournament.

    ``stages`` are all stages that have begun. ``tables`` are the tables on the page. If the page has a crosstable,
    ``crossed`` are all pairings. ``drawn`` is the number of tables in all rounds together. The rows of the standings
    for the page are computed by ``standings_shown``.
    """

    stage: Stage
    stages: tuple[Stage, ...]
    progress: Progress
    standings: StoredPart[Sequence[Row]]
    ratings: StoredPart[RatingTable]
    crossed: Sequence[FixturePairing]
    rounds: tuple[BoardRound, ...]
    tables: Board[FixturePairing]
    drawn: int
    all_rounds: tuple[int, ...]
    played_rounds: frozenset[int]  # rounds with a finished match
    round: int | None  # the round that is shown, or None for all rounds
    waiting: Mapping[int, datetime | None]  # rounds that have not begun, and when they begin automatically

    @property
    def rows(self) -> Sequence[Row]:
        return self.standings.value

    @property
    def next_at(self) -> datetime | None:
        """When the next round begins automatically."""
        known = self.all_rounds  # rounds that the organiser has not approved are hidden from the reader
        return min((at for number, at in self.waiting.items() if at and number in known), default=None)

    @property
    def latest(self) -> int | None:
        """The number of the last round that has begun."""
        return max((number for number in self.all_rounds if number not in self.waiting), default=None)

    @property
    def watchable(self) -> int | None:
        """The number of the round to watch, which is the last round that has begun.

        Once the tournament is over, it is the last round that has a finished match.
        """
        return max(self.played_rounds, default=None) if self.stage.tournament.is_over else self.latest

    @property
    def stale_until(self) -> float:
        """When newer rows or ratings may be available, in seconds since 1970; 0 if they are current."""
        return max(self.standings.stale_until, self.ratings.stale_until)


def tournament_entries_of(tournament: Tournament) -> list[Entry]:
    """Return all entries, including withdrawn ones, with bot, author and frozen version."""
    entries = tournament.entries.select_related("bot__owner", "version")
    return list(entries)


def tournament_board_filter_words(entry: Entry) -> tuple[str, ...]:
    """Return the names by which a board is filtered: the names of the bot and its author."""
    return entry.bot.name, entry.bot.author_name


def tournament_board_filter_names(tournament: Tournament) -> dict[int, tuple[str, str]]:
    """Return the names by which a board is filtered, by entry."""
    entries = tournament.entries.values_list("pk", "bot__name", bot_author_shown("bot__"))
    return {pk: (bot, author) for pk, bot, author in entries}


def tournament_page_seatings(stage: Stage, number: int, *, drafts: bool = False) -> dict[int, list[int]]:
    """Return the entries at each table of a round, by number of the table and in order.

    For ``drafts`` see ``fixture_rounds_of``.
    """
    entries = entry_by_version(stage.tournament)
    fixtures = Fixture.objects.filter(Q() if drafts else LET_GO, round__stage=stage, round__number=number)
    seats = MatchSeat.objects.filter(match__fixture__in=fixtures).order_by("match__fixture__table", "index")
    seatings = defaultdict[int, list[int]](list)
    for table, version in seats.values_list("match__fixture__table", "version"):
        seatings[table].append(entries[version])
    return seatings


def tournament_page_of(
    tournament: Tournament, query: BoardQuery = EVERYTHING, *, drafts: bool = False
) -> TournamentPage:
    """Return the page of the stage that ``query`` names by "stage", or of the stage to show first.

    The page of a large stage has only the tables of one round: the one that ``query`` names by "round", or the round
    that is being played. With ``drafts``, rounds that wait for the organiser are included.
    """
    begun = tuple(stage for stage in tournament.stages.all() if stage.started_at)
    round_wanted = query.number("round")
    stage = tournament_stage_shown(tournament, query)
    progress = fixture_progress_of(tournament)
    rounds = fixture_rounds_of(stage, drafts=drafts)
    drawn = sum(tables for _, tables, _ in rounds)
    shown = _round_shown(rounds, round_wanted) if drawn > ALL_ROUNDS_UP_TO or round_wanted else None
    standings = standings_snapshot(stage)
    entrants = len(standings.value)
    with_crosstable = bool(rounds) and stage.kind.has_crosstable and stage.players_per_table == 2
    with_crosstable = with_crosstable and 2 < entrants <= CROSSTABLE_UP_TO
    pairings = fixture_pairings_of(stage, drafts=drafts) if with_crosstable or shown is None else None
    tables = _tables(stage, shown, query, drafts, pairings)
    waiting = dict(stage.played.filter(started_at__isnull=True).values_list("number", "starts_at"))
    return TournamentPage(
        stage=stage,
        stages=begun,
        progress=progress,
        standings=standings,
        ratings=tournament_ratings_snapshot(tournament),
        crossed=pairings or () if with_crosstable else (),
        rounds=_rounds(stage, tables, waiting),
        tables=tables,
        drawn=drawn,
        all_rounds=tuple(number for number, _, _ in rounds),
        played_rounds=frozenset(number for number, _, finished in rounds if finished),
        round=shown,
        waiting=waiting,
    )


def _tables(
    stage: Stage, shown: int | None, query: BoardQuery, drafts: bool, known: Sequence[FixturePairing] | None
) -> Board[FixturePairing]:
    """Return a page of the tables of the round ``shown``. If it is None, return the tables of all rounds.

    ``known`` are the tables of all rounds, if they were read.
    """
    if shown is None:
        return board_whole(known or (), query)
    if known is not None:
        return board_of([pairing for pairing in known if pairing.round == shown], query, name="tables")
    page = board_of(fixture_tables_of_round(stage, shown, drafts=drafts), query, name="tables")
    return page.showing(fixture_pairings_of(stage, rounds=[shown], drafts=drafts, tables=page.rows))


def tournament_stage_shown(tournament: Tournament, query: BoardQuery) -> Stage:
    """Return the stage that ``query`` names, if it has begun; else the stage to show first."""
    begun = (stage for stage in tournament.stages.all() if stage.started_at)
    return next((stage for stage in begun if stage.number == query.number("stage")), tournament.stage_to_show)


def _rounds(
    stage: Stage, tables: Board[FixturePairing], waiting: Mapping[int, datetime | None]
) -> tuple[BoardRound, ...]:
    shown = [(number, tuple(pairings)) for number, pairings in groupby(tables.rows, key=attrgetter("round"))]
    idle = defaultdict[int, list[Entry]](list)
    if tables.number == tables.pages:
        there = Bye.objects.filter(round__stage=stage, round__number__in=[number for number, _ in shown])
        for bye in there.select_related("round", "entry__bot"):
            idle[bye.round.number].append(bye.entry)
    return tuple(
        BoardRound(number, pairings, tuple(idle[number]), number in waiting, waiting.get(number))
        for number, pairings in shown
    )


def _round_shown(rounds: Sequence[tuple[int, int, int]], wanted: int | None) -> int | None:
    if any(number == wanted for number, _, _ in rounds):
        return wanted
    open_rounds = (number for number, tables, finished in rounds if finished < tables)
    return next(open_rounds, rounds[-1][0] if rounds else None)
