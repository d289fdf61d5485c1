"""The tables of a round as pages show them, and the same as rows that are pushed to pages."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from matches.models import Match, MatchState
from matches.replay.pictures import MatchPicture, match_boards
from tournaments.models import Entry, Stage
from tournaments.pushed_rows import tables_push
from tournaments.selectors.entering.visible import matches_readable
from tournaments.selectors.rounds.fixtures import FixturePairing, Sitting, pairings_of, rounds_of
from tournaments.selectors.standings.results import key_of, moment_of, send_refresh, standings_snapshot
from tournaments.standings import Row
from web.snapshots import SnapshotPart


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table with its board, where the reader may look at the match."""

    pairing: FixturePairing
    board: MatchPicture | None

    @property
    def podium(self) -> list[Sitting]:
        """Everyone at a table that is over, the winner first: an ended board is an empty one. None before."""
        if not self.pairing.decided:
            return []
        return sorted(self.pairing.sittings, key=lambda one: (not one.first, -(one.score or 0)))

    @property
    def placed(self) -> list[tuple[int, Sitting]]:
        """The podium with everyone's place."""
        return [(self.pairing.place_of(one), one) for one in self.podium]


def tables_shown(
    user: AbstractBaseUser | AnonymousUser,
    stage: Stage,
    number: int,
    tables: Collection[int],
    *,
    pictures: bool = True,
) -> list[RoundTable]:
    """Return these tables of a round in their order, with ``pictures`` of their boards."""
    pairings = pairings_of(stage, rounds=[number], tables=tables)
    if not pictures:
        return [RoundTable(one, None) for one in pairings]
    readable = matches_readable(user, stage.tournament)
    bots = {
        one.match_id: [sitting.entry.bot.name for sitting in one.sittings]
        for one in pairings
        if one.match_id in readable
    }
    boards = match_boards(list(Match.objects.filter(pk__in=bots)), ends=True, bots=bots)
    return [RoundTable(one, boards.get(one.match_id)) for one in pairings]


def leaders_of(stage: Stage, most: int) -> list[tuple[Row, Entry]]:
    """Return so many rows of the standings, from the top, with their entries and bots."""
    rows = standings_snapshot(stage).value[:most]
    entries = Entry.objects.filter(pk__in=[row.entrant for row in rows]).select_related("bot")
    by_pk = {entry.pk: entry for entry in entries}
    return [(row, by_pk[row.entrant]) for row in rows]


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
    entries = list(stage.tournament.entries.only("tournament", "version", "bot"))  # no bots or authors
    rows = [_row(pairing) for pairing in pairings_of(stage, entries, [number])]
    return TableRows(moment_of(stage.tournament_id)[0], rows)


def _row(pairing: FixturePairing) -> tuple[int, str, list[tuple[float | None, bool, bool]]]:
    is_plain = pairing.state in PLAIN and not (pairing.void or pairing.replaced or pairing.airs_later)
    seats = [(one.score, one.first, one.forfeited) for one in pairing.sittings]
    return pairing.fixture_id, str(pairing.state) if is_plain else "", seats if is_plain else []
