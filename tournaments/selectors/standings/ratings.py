"""Ratings of the bots of a tournament: the batch rating of all its games, through all stages."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from math import ceil
from typing import Any, Final

from django.db.models import Count, Max

from matches.analysis.selectors import blocks_with_luck
from matches.models import Analysis, Match, MatchState
from matches.models import Seat as MatchSeat
from matches.referee.block_luck import BlockLuck
from ratings import Bar, Block, FittedRating, Games, GamesWithLuck, Prior, Rank, Ratings, bars, fit, ranks
from tournaments.models import Entry, Tournament
from tournaments.selectors.rulings.corrections import rulings_of
from tournaments.selectors.standings.making import ENTRIES_AT_ONCE, ask_books
from tournaments.selectors.standings.packed_lines import PackedLines
from tournaments.standings import Corrections, corrections
from web.made_lately import LastMade, MadeLately
from web.optional import optional
from web.outage import PartMissingError

CACHED_SECONDS: Final = 86400
REST: Final = 50  # a fit is kept for so many times as long as it took, whatever has finished meanwhile
PACK: Final = 5  # lines: the bots of a page of the standings are anywhere among the ratings
MATCHES_AT_ONCE: Final = 300  # the fit of more is waited for by nobody who looks at the standings
RATINGS_COLUMNS: Final = (
    *("rank", "rank_low", "rank_high", "bot", "version", "author", "rating", "low", "high", "error", "provisional"),
    *("group", "blocks", "games", "faulty_games", "slowest_ms"),
    *("less_luck", "less_luck_low", "less_luck_high"),
)


@dataclass(frozen=True, slots=True)
class Rated:
    """An entry's rating by the games of the tournament. ``slowest_ms``: in 95 of 100 of its matches every action was
    as fast. ``less_luck``: its rating by the same games with their luck taken off, which ranks nobody; None where no
    value was announced, or a game is not analysed."""

    entry: int
    rating: FittedRating
    rank: Rank
    bar: Bar
    faulty_games: int
    slowest_ms: float | None
    less_luck: FittedRating | None = None

    @property
    def group(self) -> int:
        """From 1."""
        return self.rating.group + 1


@dataclass(frozen=True, slots=True)
class RatingTable:
    """The highest rating first; ``matches``: how many it rests on; ``places``: where the line of an entry is.
    ``is_missing``: there would be ratings, if they could be computed."""

    lines: Sequence[Rated]
    matches: int
    places: Mapping[int, int]
    is_missing: bool = False

    def unpacked(self) -> "RatingTable":
        """Return it for a caller who reads all lines, and more than once."""
        return replace(self, lines=tuple(self.lines))

    def required(self) -> "RatingTable":
        """Return it for a caller who shows nothing else. Raises PartMissingError: there is nothing to show."""
        if self.is_missing:
            raise PartMissingError("the ratings of a tournament cannot be computed")
        return self

    def groups(self) -> list[tuple[int, list[int]]]:
        """Return the entries of each group that no chain of games connects with the others, by its number; none if
        there is but one."""
        groups = defaultdict[int, list[int]](list)
        for line in self.lines:
            groups[line.group].append(line.entry)
        return sorted(groups.items()) if len(groups) > 1 else []

    def of(self, entries: Iterable[int]) -> dict[int, Rated]:
        """Return the lines of these entries that have one, by entry."""
        places = [self.places[entry] for entry in entries if entry in self.places]
        lines = self.lines.at(places) if isinstance(self.lines, PackedLines) else [self.lines[one] for one in places]
        return {line.entry: line for line in lines}


@dataclass(frozen=True, slots=True)
class _Seat:
    match: int
    entry: int
    places: Sequence[int]
    faulty_games: int
    slowest_ms: float | None


NOBODY: Final = RatingTable((), 0, {})
MISSING: Final = replace(NOBODY, is_missing=True)


@optional("ratings", lambda _tournament: MISSING)
def ratings_of(tournament: Tournament) -> RatingTable:
    """Return the ratings of all entries of the tournament that have a frozen version. They are fitted when matches have
    finished since; while a large tournament is played, a fit serves a while longer, so that it is not made after every
    match. Rulings hold at once: a void match, or one whose result was replaced, has no games that tell anything; a bot
    that was disqualified and its results annulled is not there.
    """
    lately, matches = _lately(tournament)
    if not matches:
        return NOBODY
    waits = tournament.is_over or not _is_large(matches, tournament.entries.count())
    return ((None if waits else lately.last()) or lately.newest()).value


@optional("ratings on a board", lambda _tournament, _entries: LastMade(MISSING, None))
def ratings_lately(tournament: Tournament, entries: int) -> LastMade[RatingTable]:
    """Return what ``ratings_of`` does, but of a large tournament, of so many ``entries``, the last fit that there is,
    and nobody's ratings where there is none: the next one is made by the books."""
    lately, matches = _lately(tournament)
    if not matches:
        return LastMade(NOBODY, lately.revision)
    return lately.last_or(NOBODY) if _is_large(matches, entries) else lately.newest()


def ratings_renew(tournament_id: int) -> None:
    """Fit the ratings of a large tournament anew, if they are old."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is not None:
        lately, matches = _lately(tournament)
        if matches:
            lately.renew()


def _is_large(matches: int, entries: int) -> bool:
    return entries > ENTRIES_AT_ONCE or matches > MATCHES_AT_ONCE


def ratings_rows(table: RatingTable, entries: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    """Return a dictionary per line, in order; its columns are ``RATINGS_COLUMNS``. Ratings are on the displayed scale;
    the end of an interval that is open is None. Ratings of different groups cannot be compared."""
    by_id = {entry.pk: entry for entry in entries}
    for line in table.lines:
        entry = by_id[line.entry]
        yield {
            "rank": line.rank.shared,
            "rank_low": line.rank.low,
            "rank_high": line.rank.high,
            "bot": entry.bot.name,
            "version": entry.version.number if entry.version else None,
            "author": entry.bot.owner.get_username(),
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


def _lately(tournament: Tournament) -> tuple[MadeLately[RatingTable], int]:
    """Return how they are made, and from how many matches."""
    matches = Match.objects.filter(fixture__round__tournament=tournament, state=MatchState.FINISHED)
    finished = matches.aggregate(count=Count("pk"), latest=Max("finished_at"))
    begun = tournament.started_at
    value = tournament.luck_value
    made = Analysis.objects.filter(game__match__in=matches, value=value, told__isnull=False).count() if value else 0
    rulings = rulings_of(tournament)
    lately = MadeLately(
        # The start is part of the key because a cache may outlive the database whose numbers it was filled from.
        key=f"tournament-ratings/10/{tournament.pk}/{begun and begun.timestamp()}/{len(rulings)}",
        revision=(finished["count"], finished["latest"], made),
        make=lambda: _fitted(tournament, corrections(rulings)),
        ask=partial(ask_books, "ratings", tournament.pk),
        rest=0 if tournament.is_over else REST,
        seconds=CACHED_SECONDS,
    )
    return lately, finished["count"] if begun else 0


def _seats(tournament: Tournament, entrants: Mapping[int, int]) -> list[_Seat]:
    """Return the seats of all finished matches, in seat order."""
    seats = MatchSeat.objects.filter(match__fixture__round__tournament=tournament, match__state=MatchState.FINISHED)
    return [
        _Seat(match, entrants[version], places, faulty_games, slowest_ms)
        for match, version, places, faulty_games, slowest_ms in seats.order_by("match_id", "index").values_list(
            "match_id", "version_id", "places", "faulty_games", "slowest_ms"
        )
    ]


def _fitted(tournament: Tournament, held: Corrections) -> RatingTable:
    entrants = dict(tournament.entries.filter(version__isnull=False).values_list("version_id", "pk"))
    seats = [seat for seat in _seats(tournament, entrants) if held.counts(seat.match) and seat.match not in held.given]
    tables = [list(group) for _, group in groupby(seats, key=lambda seat: seat.match)]
    games = Games.from_matches(([seat.entry for seat in table], [seat.places for seat in table]) for table in tables)
    annulled = {entry for entry in entrants.values() if held.annulled(entry)}
    priors = dict.fromkeys(entrants.values(), Prior())

    def rated(played: Games) -> Ratings:
        return fit(played.without(annulled), priors).among(set(entrants.values()) - annulled)

    less_luck = _less_luck(tournament, tables, lambda lucky: rated(lucky.less_luck(priors)))
    lines = [replace(line, less_luck=less_luck.get(line.entry)) for line in _lines(rated(games), seats)]
    return RatingTable(PackedLines(lines, PACK), len(tables), {line.entry: place for place, line in enumerate(lines)})


@optional("ratings less luck", lambda *_given: {})
def _less_luck(
    tournament: Tournament, tables: Sequence[Sequence[_Seat]], rated: Callable[[GamesWithLuck], Ratings]
) -> dict[int, FittedRating]:
    lucky = _with_luck(tables, tournament.luck_value)
    return {one.entrant: one for one in rated(lucky).all()} if lucky else {}


def _with_luck(tables: Sequence[Sequence[_Seat]], value: str) -> GamesWithLuck | None:
    """Return the blocks of the tables with their luck by ``value``; None where a game of theirs is not analysed."""
    counted = Match.objects.filter(pk__in=[table[0].match for table in tables])
    known = blocks_with_luck(counted, value) if value else {}
    if not tables or any(table[0].match not in known for table in tables):
        return None
    return GamesWithLuck.from_blocks(block for table in tables for block in _blocks(table, known[table[0].match]))


def _blocks(table: Sequence[_Seat], lucky: Sequence[BlockLuck]) -> Iterator[tuple[Block, Sequence[float]]]:
    entrants = tuple(seat.entry for seat in table)
    games = tuple(zip(*(seat.places for seat in table), strict=True))
    for number, block in enumerate(lucky):
        yield Block(entrants, games[number * len(table) : (number + 1) * len(table)]), block.luck


def _lines(ratings: Ratings, seats: Sequence[_Seat]) -> tuple[Rated, ...]:
    rating_of = {rating.entrant: rating for rating in ratings.all()}
    order = ranks(ratings)
    drawn = bars([rating_of[rank.entrant] for rank in order])
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
