"""The table of a series, over its finished tournaments with public results."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Final

import msgspec
from django.contrib.auth import get_user_model

from bots.deletion import NOBODY
from bots.models import Bot
from series.models import SeriesScoring, TournamentSeries
from series.selectors.visible import is_series_result_visible, series_visible_event_order
from series.standings import (
    EventScore,
    Finisher,
    SeriesCell,
    SeriesRow,
    series_event_scores_by_place,
    series_event_scores_by_share,
    series_standings,
)
from tournaments.models import Tournament
from tournaments.selectors.standings.ranking import final_ranking_of, standings_snapshot
from tournaments.standings import Row
from web.database import database_now
from web.snapshots import Moment, SnapshotKey, SnapshotPart

FORM: Final = 2  # version of the stored table; increment it when the encoding changes
PODIUM: Final = 3


class _StoredRow(msgspec.Struct, frozen=True, array_like=True):
    """A row as it is stored.

    A cell has these values in order: the index of the event, the bot, its rank, its points as a fraction, whether it is
    disqualified, and whether the points count.
    """

    rank: int
    entrant: str
    total: tuple[int, int]
    cells: list[tuple[int, int, int, int, int, bool, bool]]


class _StoredTable(msgspec.Struct, frozen=True, array_like=True):
    """The stored table. ``made_of`` has the ids and the revisions of the tournaments for which it is valid."""

    form: int
    made_of: list[tuple[int, int]]
    lines: list[_StoredRow]


@dataclass(frozen=True, slots=True)
class Entrant:
    """The entrant of a row.

    It is an author or a team with all their bots; an author under an alias, with the bots that have this alias
    (``is_alias``); or a single bot without an author (``is_bot``).
    """

    key: str
    name: str
    slug: str = ""
    is_house: bool = False
    is_alias: bool = False

    @property
    def is_bot(self) -> bool:
        return bool(self.slug)


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """A row with its entrant. ``bots`` has the bots of the row's cells, by id."""

    row: SeriesRow
    entrant: Entrant
    bots: Mapping[int, Bot]
    events: Sequence[Tournament]

    @property
    def total(self) -> float:
        return float(self.row.total)

    @property
    def cells(self) -> list[tuple[Tournament, SeriesCell | None, Bot | None]]:
        """The events, each with the entrant's result and the bot that achieved it."""
        pairs = zip(self.events, self.row.cells, strict=True)
        return [(event, cell, self.bots.get(cell.score.bot) if cell else None) for event, cell in pairs]


@dataclass(frozen=True, slots=True)
class SeriesTable:
    """The table. ``events`` are the finished tournaments with public results, in the order of the cells."""

    events: Sequence[Tournament]
    rows: Sequence[EntrantRow]

    @property
    def podium(self) -> list[EntrantRow]:
        return [one for one in self.rows if one.row.rank <= PODIUM and one.row.total > 0]


def series_table(series: TournamentSeries) -> SeriesTable:
    """Return the table over the finished tournaments with public results.

    A tournament counts only if everyone who may see the series may see its result. So all of them see the same table.
    """
    events = series.events.select_related("tournament").prefetch_related("tournament__stages")
    over = sorted(
        (one.tournament for one in events if is_series_result_visible(series, one.tournament)),
        key=series_visible_event_order,
    )
    if not over:
        return SeriesTable((), ())
    made_of = [(one.pk, one.revision) for one in over]
    part = SnapshotPart(
        key=SnapshotKey(f"series.{series.pk}", "standings"),
        moment=partial(_series_revision_moment, series),
        compute=partial(_computed, series, over, made_of),
        encode=msgspec.msgpack.encode,
        decode=partial(msgspec.msgpack.decode, type=_StoredTable),
        send=lambda _wait: None,  # sends no task, because the reader computes the table
        refresh_ratio=0,
        is_valid=lambda table: table.form == FORM and table.made_of == made_of,
    )
    table = part.read(lambda _stored: False).value
    return SeriesTable(over, _named([_series_row(line, len(over)) for line in table.lines], over))


def _series_revision_moment(series: TournamentSeries) -> Moment:
    """Return the revision of the series, and the time by the database's clock."""
    moment: Moment = TournamentSeries.objects.filter(pk=series.pk).values_list("revision", database_now()).get()
    return moment


def _computed(series: TournamentSeries, over: Sequence[Tournament], made_of: list[tuple[int, int]]) -> _StoredTable:
    finished = [_finishers(one) for one in over]
    if series.scoring == SeriesScoring.SHARE:
        scores = [series_event_scores_by_share(one) for one in finished]
    else:
        scores = [series_event_scores_by_place(one, series.place_points) for one in finished]
    return _StoredTable(FORM, made_of, [_stored_row(row) for row in series_standings(scores, series.best)])


def _finishers(tournament: Tournament) -> list[Finisher]:
    begun = [one for one in tournament.stages.all() if one.started_at and not one.kind.is_play_off]
    rows = {one.number: standings_snapshot(one).value for one in begun}
    beaten: dict[int, list[Row]] = {}
    for stage in rows.values():
        for row in stage:
            beaten.setdefault(row.entrant, []).append(row)
    return [
        Finisher(
            entrant=_entrant_of(one.entry.bot),
            bot=one.entry.bot_id,
            rank=one.placed.rank,
            share=_opponents_share(beaten[one.entry.pk]),
            disqualified=one.placed.row.disqualified,
        )
        for one in final_ranking_of(tournament, known=rows)
    ]


def _opponents_share(rows: Iterable[Row]) -> Fraction:
    """Return the share of opponents beaten over all stages; draws count half."""
    met = [(row.won, row.drawn, row.lost) for row in rows]
    opponents = sum(map(sum, met))
    return Fraction(sum(2 * won + drawn for won, drawn, _lost in met), 2 * opponents) if opponents else Fraction(0)


def _entrant_of(bot: Bot) -> str:
    """Return the key of the entrant for whom a bot counts, which is its author or team.

    If some of an author's bots have an alias, these count as those of another entrant. House bots, and bots whose
    author was deleted, count for themselves.
    """
    alone = bot.is_house or bot.owner.username == NOBODY
    if bot.author_alias and not alone:
        return f"alias.{bot.alias_group_id}.{bot.owner_id}"
    return f"bot.{bot.pk}" if alone else f"owner.{bot.owner_id}"


def _alias_of(bots: Iterable[Bot]) -> str:
    """Return the alias of the author, from the newest of ``bots`` that has one; "" if these bots were deleted."""
    return next((bot.author_alias for bot in sorted(bots, key=lambda bot: -bot.pk) if bot.author_alias), "")


def _stored_row(row: SeriesRow) -> _StoredRow:
    cells = [(at, cell.score, cell.counts) for at, cell in enumerate(row.cells) if cell is not None]
    stored = [
        (at, one.bot, one.rank, *one.points.as_integer_ratio(), one.disqualified, counts) for at, one, counts in cells
    ]
    return _StoredRow(row.rank, row.entrant, row.total.as_integer_ratio(), stored)


def _series_row(line: _StoredRow, events: int) -> SeriesRow:
    cells: list[SeriesCell | None] = [None] * events
    for at, bot, rank, above, below, disqualified, counts in line.cells:
        cells[at] = SeriesCell(EventScore(bot, rank, Fraction(above, below), disqualified), counts)
    return SeriesRow(line.rank, line.entrant, Fraction(*line.total), tuple(cells))


def _named(rows: Sequence[SeriesRow], over: Sequence[Tournament]) -> list[EntrantRow]:
    """Return the rows with current names. Two queries."""
    numbers = {cell.score.bot for row in rows for cell in row.cells if cell}
    bots = Bot.objects.select_related("owner").in_bulk(numbers)
    owners = get_user_model().objects.in_bulk(
        [int(row.entrant.partition(".")[2]) for row in rows if row.entrant.startswith("owner.")]
    )
    found = []
    for row in rows:
        kind, _dot, number = row.entrant.partition(".")
        own = {cell.score.bot: bots[cell.score.bot] for cell in row.cells if cell and cell.score.bot in bots}
        if kind == "owner" and int(number) in owners:
            entrant = Entrant(row.entrant, owners[int(number)].get_username())
        elif kind == "alias" and (alias := _alias_of(own.values())):
            entrant = Entrant(row.entrant, alias, is_alias=True)
        else:  # a bot without an author, or one whose author's account was deleted meanwhile
            bot = own[int(number)] if kind == "bot" else next(iter(own.values()))
            entrant = Entrant(row.entrant, bot.name, bot.slug, bot.is_house)
        found.append(EntrantRow(row, entrant, own, over))
    return found
