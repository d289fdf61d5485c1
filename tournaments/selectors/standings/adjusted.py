"""Shares of opponents beaten with the luck taken off, beside the official result; nobody is ranked by them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from time import time
from typing import Final

from django.core.cache import caches

from luck.adjusting import Adjusted
from matches.analysis.selectors import blocks_with_luck
from matches.models import Analysis, Match, MatchState
from matches.models import Seat as MatchSeat
from matches.referee.block_luck import adjusted_of as adjusted_mean
from tournaments.models import Tournament
from tournaments.selectors.rulings.corrections import rulings_of
from tournaments.selectors.standings.making import ENTRIES_AT_ONCE, ask_books
from tournaments.standings import Corrections, corrections
from web.kept_parts import REST
from web.made_lately import MadeLately
from web.optional import optional

CACHED_SECONDS: Final = 3600
LATELY_SECONDS: Final = 30
# Halves of the blocks are told apart by their order, so whoever verifies needs the same: see ``proof.adjusting``.
ORDER: Final = ("match__fixture__round__number", "match__fixture__table", "match__fixture__attempt")


@dataclass(frozen=True, slots=True)
class AdjustedTable:
    """By entry what its share of opponents beaten is, raw and adjusted, by the value that was announced; None of an
    entry with too few blocks, or with a game that is not analysed (yet). ``is_missing``: it cannot be computed."""

    value: str
    by_entry: dict[int, Adjusted | None]
    is_missing: bool = False


def _missing(tournament: Tournament, _entries: int = 0) -> AdjustedTable:
    return AdjustedTable(tournament.luck_value, {}, is_missing=True)


@optional("shares less luck", _missing)
def adjusted_of(tournament: Tournament) -> AdjustedTable:
    """Return the table of a tournament; an empty one where no value was announced. Void and replaced matches are left
    out. Kept per number of finished matches, of analyses that were made, and of rulings."""
    value = tournament.luck_value
    if not value or tournament.started_at is None:
        return AdjustedTable(value, {})
    matches = Match.objects.filter(fixture__round__tournament=tournament, state=MatchState.FINISHED)
    made = Analysis.objects.filter(game__match__in=matches, value=value, told__isnull=False).count()
    rulings = rulings_of(tournament)
    counted = f"{matches.count()}/{made}/{len(rulings)}"
    key = f"tournament-adjusted/1/{tournament.pk}/{tournament.started_at:%Y%m%d%H%M%S%f}/{counted}"
    table: dict[int, Adjusted | None] | None = caches["optional"].get(key)
    if table is None:
        table = _table(tournament, corrections(rulings))
        caches["optional"].set(key, table, CACHED_SECONDS)
    return AdjustedTable(value, table)


@optional("shares less luck on a board", _missing)
def adjusted_lately(tournament: Tournament, entries: int) -> AdjustedTable:
    """Return the table as it is, or while the tournament runs as it was half a minute ago at most: the page of its
    standings asks whenever a match ends, and the table is reckoned from all games. Of a large tournament, of so many
    ``entries``, it is the last one that the books have made, and an empty one where there is none."""
    value = tournament.luck_value
    if not value or tournament.started_at is None:
        return AdjustedTable(value, {})
    lately = _lately(tournament)
    if entries > ENTRIES_AT_ONCE:
        return lately.last_or(AdjustedTable(value, {})).value
    return adjusted_of(tournament) if tournament.is_over else lately.newest().value


def adjusted_renew(tournament_id: int) -> None:
    """Reckon the table of a large tournament anew, if it is old."""
    tournament = Tournament.objects.filter(pk=tournament_id, started_at__isnull=False).first()
    if tournament is not None:
        _lately(tournament).renew()


def _lately(tournament: Tournament) -> MadeLately[AdjustedTable]:
    return MadeLately(
        key=f"tournament-adjusted-lately/2/{tournament.pk}/{tournament.started_at:%Y%m%d%H%M%S%f}",
        revision=int(time() / LATELY_SECONDS),
        make=lambda: adjusted_of(tournament),
        ask=partial(ask_books, "adjusted", tournament.pk),
        rest=REST,
        seconds=CACHED_SECONDS,
    )


def _table(tournament: Tournament, held: Corrections) -> dict[int, Adjusted | None]:
    entrants = dict(tournament.entries.filter(version__isnull=False).values_list("version_id", "pk"))
    seats = MatchSeat.objects.filter(match__fixture__round__tournament=tournament, match__state=MatchState.FINISHED)
    rows = seats.order_by(*ORDER, "index").values_list("match", "index", "version")
    sat = [row for row in rows if held.counts(row[0]) and row[0] not in held.given and row[2] in entrants]
    counts = Match.objects.filter(pk__in={match for match, _, _ in sat})
    known = blocks_with_luck(counts, tournament.luck_value)
    blocks: defaultdict[int, list[tuple[float, Sequence[float]]]] = defaultdict(list)
    lacking: set[int] = set()
    for match, seat, version in sat:
        entry = entrants[version]
        if match not in known:
            lacking.add(entry)
        for block in known.get(match, ()):
            blocks[entry].append((block.shares[seat], block.moments[seat]))
    return {
        entry: None if entry in lacking else adjusted_mean(blocks[entry])
        for entry in entrants.values()
        if not held.annulled(entry)
    }
