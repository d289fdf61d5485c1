"""Ratings of the bots of a tournament. They are fitted to the games of all stages at once."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from math import ceil
from typing import Any, Final

import msgspec
from django.db.models import QuerySet

from matches.analysis.selectors import analysis_blocks_with_luck
from matches.models import Match, MatchState
from matches.models import Seat as MatchSeat
from matches.referee.scoring import BlockLuck
from ratings import (
    Bar,
    Block,
    FittedRating,
    Games,
    GamesWithLuck,
    Prior,
    Rank,
    Ratings,
    rank_bars,
    rating_ranks,
    strengths_fit,
)
from tournaments.models import Entry, Tournament
from tournaments.pushed_rows import ENTRIES_AT_ONCE, tournament_pushed_rows_reload
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.selectors.rulings.ruling_log import rulings_of
from tournaments.selectors.standings.adjusted import are_adjusted_analyses_pending
from tournaments.selectors.standings.ranking import (
    standings_snapshot_key,
    standings_snapshot_moment,
    standings_snapshot_refresh_send,
)
from tournaments.standings import standings_corrections
from web.database import PartMissingError
from web.optional import optional
from web.snapshots import NEVER, Lines, SnapshotPart, StoredPart, snapshot_table_decode, snapshot_table_encode

REFRESH_RATIO: Final = 50  # workers spend at most a fiftieth of the time on fitting ratings
FORM: Final = 1  # version of the payload; increment it when ``Rated`` changes
MATCHES_AT_ONCE: Final = 300  # if there are more matches, readers of the standings do not wait for the fit
RATINGS_COLUMNS: Final = (
    *("rank", "rank_low", "rank_high", "bot", "version", "author", "rating", "low", "high", "error", "provisional"),
    *("group", "blocks", "games", "faulty_games", "slowest_ms"),
    *("less_luck", "less_luck_low", "less_luck_high"),
)


@dataclass(frozen=True, slots=True)
class Rated:
    """The rating of an entry by the games of the tournament.

    For each match of the entry, the time of its slowest action is taken. ``slowest_ms`` is the 95th percentile of these
    times, in milliseconds. ``less_luck`` is the rating by the same games, adjusted for luck. It does not affect ranks.
    It is None if no value function was announced, or if a game is not analysed.
    """

    entry: int
    rating: FittedRating
    rank: Rank
    bar: Bar
    faulty_games: int
    slowest_ms: float | None
    less_luck: FittedRating | None = None

    @property
    def group(self) -> int:
        """The number of the entry's group, from 1; see ``RatingTable.groups``."""
        return self.rating.group + 1


@dataclass(frozen=True, slots=True)
class RatingTable:
    """The ratings of a tournament, the highest first.

    ``matches`` is the number of matches to which they were fitted. ``places`` has the index of each entry in ``lines``.
    ``rulings`` is the number of rulings at the time of the fit. ``is_pending`` tells whether games are still to be
    analysed for ``less_luck``. ``is_missing`` tells whether the ratings cannot be computed.
    """

    lines: Sequence[Rated]
    matches: int
    places: Mapping[int, int]
    rulings: int = 0
    is_pending: bool = False
    is_missing: bool = False

    def unpacked(self) -> "RatingTable":
        """Return the table with decoded lines, for callers that read all lines more than once."""
        return replace(self, lines=tuple(self.lines))

    def required(self) -> "RatingTable":
        """Return the table. For callers that have nothing to show without it.

        Raises:
            PartMissingError: the ratings cannot be computed.
        """
        if self.is_missing:
            raise PartMissingError("the ratings of a tournament cannot be computed")
        return self

    def groups(self) -> list[tuple[int, list[int]]]:
        """Return the number and the entries of each group; nothing if there is only one group.

        Entries of different groups are not connected by any chain of games, so their ratings cannot be compared.
        """
        groups = defaultdict[int, list[int]](list)
        for line in self.lines:
            groups[line.group].append(line.entry)
        return sorted(groups.items()) if len(groups) > 1 else []

    def of(self, entries: Iterable[int]) -> dict[int, Rated]:
        """Return the line of each of these entries, by entry. Entries without a line are left out."""
        places = [self.places[entry] for entry in entries if entry in self.places]
        return {line.entry: line for line in (self.lines[place] for place in places)}


@dataclass(frozen=True, slots=True)
class _Seat:
    match: int
    entry: int
    places: Sequence[int]
    faulty_games: int
    slowest_ms: float | None


NOBODY: Final = RatingTable((), 0, {})
MISSING: Final = replace(NOBODY, is_missing=True)


class _Head(msgspec.Struct, frozen=True, array_like=True):
    entries: tuple[int, ...]  # in the order of the lines
    matches: int
    rulings: int
    is_pending: bool


@optional("ratings", lambda _tournament: MISSING)
def tournament_ratings_of(tournament: Tournament) -> RatingTable:
    """Return the ratings of all entries that have a frozen version.

    The ratings of a large tournament may be stale until the tournament is over. But rulings take effect at once: void
    and replaced matches do not count, and disqualified bots whose results are annulled have no rating.
    """
    return (
        tournament_ratings_snapshot_part(tournament)
        .read(lambda _table: not tournament.is_over and _is_fit_slow(tournament))
        .value
    )


@optional("ratings on a board", lambda _tournament: StoredPart(MISSING, 0, NEVER, NEVER))
def tournament_ratings_snapshot(tournament: Tournament) -> StoredPart[RatingTable]:
    """Return the ratings as ``tournament_ratings_of`` does, but without a fit for a large tournament.

    For a large tournament, a worker fits the ratings. The result is the last stored fit, or an empty table.
    """
    return tournament_ratings_snapshot_part(tournament).read(lambda _table: _is_fit_slow(tournament), NOBODY)


def tournament_ratings_snapshot_part(tournament: Tournament) -> SnapshotPart[RatingTable]:
    rulings = len(rulings_of(tournament))
    return SnapshotPart(
        key=standings_snapshot_key(tournament.pk, "ratings"),
        moment=partial(standings_snapshot_moment, tournament.pk),
        compute=lambda: _fitted(tournament),
        encode=_encode,
        decode=_decode,
        send=partial(standings_snapshot_refresh_send, "ratings", tournament.pk),
        refresh_ratio=0 if tournament.is_over else REFRESH_RATIO,
        stored=partial(tournament_pushed_rows_reload, tournament.pk),
        is_valid=lambda table: table.rulings == rulings,
        is_pending=lambda table: table.is_pending,
    )


def _is_fit_slow(tournament: Tournament) -> bool:
    """Return whether a fit takes too long for readers of the standings to wait for it."""
    return tournament.entries.count() > ENTRIES_AT_ONCE or _finished(tournament).count() > MATCHES_AT_ONCE


def _encode(table: RatingTable) -> bytes:
    lines = tuple(table.lines)
    entries = tuple(line.entry for line in lines)
    return snapshot_table_encode(FORM, _Head(entries, table.matches, table.rulings, table.is_pending), lines)


def _decode(payload: bytes) -> RatingTable:
    head, lines = snapshot_table_decode(payload, FORM, _Head)
    places = {entry: place for place, entry in enumerate(head.entries)}
    return RatingTable(Lines(lines, _DECODE), head.matches, places, head.rulings, head.is_pending)


_DECODE: Final = msgspec.msgpack.Decoder(Rated).decode


def tournament_ratings_rows(table: RatingTable, entries: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    """Yield a dictionary for each line, in order, with the keys ``RATINGS_COLUMNS``.

    Ratings are on the displayed scale. The end of an open interval is None. Ratings of different groups are not
    comparable.
    """
    by_id = {entry.pk: entry for entry in entries}
    for line in table.lines:
        entry = by_id[line.entry]
        yield {
            "rank": line.rank.shared,
            "rank_low": line.rank.low,
            "rank_high": line.rank.high,
            "bot": entry.bot.name,
            "version": entry.version.number if entry.version else None,
            "author": entry.bot.author_name,
            "rating": round(line.rating.points, 1),
            "low": _tenth(line.rating.floor),
            "high": _tenth(line.rating.ceiling),
            "error": round(line.rating.error, 1),
            "provisional": not line.rating.settled,
            "group": line.group,
            "blocks": line.rating.blocks,
            "games": line.rating.games,
            "faulty_games": line.faulty_games,
            "slowest_ms": line.slowest_ms,
            "less_luck": _tenth(line.less_luck.points if line.less_luck else None),
            "less_luck_low": _tenth(line.less_luck.floor if line.less_luck else None),
            "less_luck_high": _tenth(line.less_luck.ceiling if line.less_luck else None),
        }


def _finished(tournament: Tournament) -> QuerySet[Match]:
    return Match.objects.filter(fixture__round__tournament=tournament, state=MatchState.FINISHED)


def _seats(tournament: Tournament, entrants: Mapping[int, int]) -> list[_Seat]:
    """Return the seats of all finished matches, in seat order."""
    seats = MatchSeat.objects.filter(match__fixture__round__tournament=tournament, match__state=MatchState.FINISHED)
    return [
        _Seat(match, entrants[version], places, faulty_games, slowest_ms)
        for match, version, places, faulty_games, slowest_ms in seats.order_by("match_id", "index").values_list(
            "match_id", "version_id", "places", "faulty_games", "slowest_ms"
        )
    ]


def _fitted(tournament: Tournament) -> RatingTable:
    rulings = rulings_of(tournament)
    if tournament.started_at is None or not _finished(tournament).exists():
        return replace(NOBODY, rulings=len(rulings))
    held = standings_corrections(rulings)
    awaits = are_adjusted_analyses_pending(tournament)  # before the games are read
    entrants = entry_by_version(tournament)
    seats = [seat for seat in _seats(tournament, entrants) if held.counts(seat.match) and seat.match not in held.given]
    tables = [list(group) for _, group in groupby(seats, key=lambda seat: seat.match)]
    games = Games.from_matches(([seat.entry for seat in table], [seat.places for seat in table]) for table in tables)
    annulled = {entry for entry in entrants.values() if held.annulled(entry)}
    priors = dict.fromkeys(entrants.values(), Prior())

    def rated(played: Games) -> Ratings:
        return strengths_fit(played.without(annulled), priors).among(set(entrants.values()) - annulled)

    less_luck = _less_luck(tournament, tables, lambda lucky: rated(lucky.less_luck(priors)))
    lines = [replace(line, less_luck=less_luck.get(line.entry)) for line in _rated_lines(rated(games), seats)]
    places = {line.entry: place for place, line in enumerate(lines)}
    return RatingTable(lines, len(tables), places, len(rulings), is_pending=awaits and not less_luck)


@optional("luck-adjusted ratings", lambda *_given: {})
def _less_luck(
    tournament: Tournament, tables: Sequence[Sequence[_Seat]], rated: Callable[[GamesWithLuck], Ratings]
) -> dict[int, FittedRating]:
    lucky = _with_luck(tables, tournament.luck_value)
    return {one.entrant: one for one in rated(lucky).all()} if lucky else {}


def _with_luck(tables: Sequence[Sequence[_Seat]], value: str) -> GamesWithLuck | None:
    """Return the blocks of the tables with their luck, which the value function ``value`` measures.

    Return None if one of the games is not analysed.
    """
    counted = Match.objects.filter(pk__in=[table[0].match for table in tables])
    known = analysis_blocks_with_luck(counted, value) if value else {}
    if not tables or any(table[0].match not in known for table in tables):
        return None
    return GamesWithLuck.from_blocks(block for table in tables for block in _luck_blocks(table, known[table[0].match]))


def _luck_blocks(table: Sequence[_Seat], lucky: Sequence[BlockLuck]) -> Iterator[tuple[Block, Sequence[float]]]:
    entrants = tuple(seat.entry for seat in table)
    games = tuple(zip(*(seat.places for seat in table), strict=True))
    for number, block in enumerate(lucky):
        yield Block(entrants, games[number * len(table) : (number + 1) * len(table)]), block.luck


def _rated_lines(ratings: Ratings, seats: Sequence[_Seat]) -> tuple[Rated, ...]:
    rating_of = {rating.entrant: rating for rating in ratings.all()}
    order = rating_ranks(ratings)
    drawn = rank_bars([rating_of[rank.entrant] for rank in order])
    own: defaultdict[int, list[_Seat]] = defaultdict(list)
    for seat in seats:
        own[seat.entry].append(seat)
    return tuple(
        Rated(
            entry=rank.entrant,
            rating=rating_of[rank.entrant],
            rank=rank,
            bar=bar,
            faulty_games=sum(seat.faulty_games for seat in own[rank.entrant]),
            slowest_ms=_slowest([seat.slowest_ms for seat in own[rank.entrant] if seat.slowest_ms is not None]),
        )
        for rank, bar in zip(order, drawn, strict=True)
    )


def _tenth(points: float | None) -> float | None:
    return None if points is None else round(points, 1)


def _slowest(times: Sequence[float]) -> float | None:
    return sorted(times)[ceil(0.95 * len(times)) - 1] if times else None
