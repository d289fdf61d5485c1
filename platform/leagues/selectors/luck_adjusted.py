"""Luck-adjusted ratings of a season; they are shown beside the ladder and do not order it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from leagues.models import STANDING, Season, SeasonEntry
from leagues.selectors.candidates import latest_ratings
from leagues.selectors.fitting import priors_of, sides_of
from matches.analysis.selectors import blocks_with_luck
from matches.models import Analysis, Game, Match, MatchState
from matches.models import Seat as MatchSeat
from matches.referee.scoring import BlockLuck
from ratings import Block, GamesWithLuck, fit_capped

NEWEST: Final = 5000  # matches of a season that are looked at: an analysis costs as much as a game


@dataclass(frozen=True, slots=True)
class SeasonLuckAdjusted:
    """By entry (mean, standard error) in logits of those that played in one of the ``matches`` it rests on."""

    matches: int
    by_entry: dict[int, tuple[float, float]]


def matches_to_analyse(season: Season) -> QuerySet[Match]:
    """Return the newest finished matches. Which they are does not depend on how they went."""
    return Match.objects.filter(
        league_match__season=season,
        league_match__number__gt=season.scheduled - NEWEST,
        state=MatchState.FINISHED,
    )


def matches_with_luck(season: Season) -> QuerySet[Match]:
    """Return those of them of which every game has been analysed. One with a game that cannot be, as after too many
    turns, is never among them."""
    analysed = Analysis.objects.filter(game=OuterRef("pk"), value=season.luck_value, sums__isnull=False)
    lacking = Game.objects.filter(~Exists(analysed), match=OuterRef("pk"))
    return matches_to_analyse(season).filter(~Exists(lacking))


def fitted_luck_adjusted(season: Season) -> SeasonLuckAdjusted:
    """Fit who stands on the ladder to the matches that are analysed by now, as ``fitted_ladder`` does to all."""
    matches = matches_with_luck(season)
    entries = list(SeasonEntry.objects.filter(season=season).select_related("version__bot"))
    tables = list(_tables(matches, {one.version_id: one for one in entries}))
    known = blocks_with_luck(matches, season.luck_value)
    games = GamesWithLuck.from_blocks(block for table in tables for block in _blocks(table, known.get(table.match, ())))
    priors = priors_of(entries)
    near = {entry: mean for entry, (mean, _se) in latest_ratings(season).items()}
    ratings = fit_capped(games.less_luck(priors), priors, sides_of(entries), start=near)
    found = ratings.among(one.pk for one in entries if one.state in STANDING)
    played = {entry for table in tables for entry in table.entries}
    errors = found.errors()
    return SeasonLuckAdjusted(
        len(tables),
        {
            entry: (float(found.mean[at]), float(errors[at]))
            for at, entry in enumerate(found.entrants.tolist())
            if entry in played
        },
    )


@dataclass(frozen=True, slots=True)
class _Table:
    match: int
    entries: tuple[int, ...]  # as a fit knows them, see ``SeasonEntry.earlier``
    places: tuple[Sequence[int], ...]  # of each by game


def _tables(matches: QuerySet[Match], entries: Mapping[int, SeasonEntry]) -> Iterator[_Table]:
    seats = MatchSeat.objects.filter(match__in=matches).order_by("match__league_match__number", "index")
    rows = seats.values_list("match", "match__league_match__number", "version", "places")
    for match, group in groupby(rows, key=itemgetter(0)):
        table = list(group)
        yield _Table(match, tuple(entries[row[2]].known_in(row[1]) for row in table), tuple(row[3] for row in table))


def _blocks(table: _Table, lucky: Sequence[BlockLuck]) -> Iterator[tuple[Block, Sequence[float]]]:
    games, seats = tuple(zip(*table.places, strict=True)), len(table.entries)
    for number, block in enumerate(lucky):
        yield Block(table.entries, games[number * seats : (number + 1) * seats]), block.luck
