"""Fit a season: read its results, derive priors, compute the ladder, and compare it with the stored one.

Luck-adjusted ratings are computed too. Pages show them beside the ladder. They do not affect its order.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, groupby
from math import ceil, isclose
from operator import attrgetter, itemgetter
from typing import Final, TypeAlias

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from leagues.models import STANDING, Membership, Rating, RatingSnapshot, Season, SeasonEntry
from leagues.selectors.entry_ratings import latest_season_entry_ratings, season_entry_author_of
from leagues.selectors.matches import season_matches_finished
from matches.analysis.selectors import analysis_blocks_with_luck
from matches.models import Analysis, Game, Match, MatchState
from matches.models import Seat as MatchSeat
from matches.referee.scoring import BlockLuck
from ratings import (
    Block,
    FittedRating,
    Games,
    GamesWithLuck,
    Prior,
    Rank,
    Ratings,
    Sides,
    prior_of_new_version,
    rating_ranks,
    ratings_fit_capped,
)
from ratings.scale import PER_LOGIT, Z_95

NEWCOMER: Final = Prior()
CARRIED_SD: Final = 0.5  # logits; smallest standard deviation of a prior that comes from an earlier season
Places: TypeAlias = tuple[tuple[int, ...], tuple[Sequence[int], ...]]  # entries, and the places of each entry by game
CLOSE: Final = 1e-6  # logits; two fits that add up the same games in another order differ by less


def season_fit_starting_prior(season: Season, member: Membership, parent: SeasonEntry | None) -> Prior:
    """Return the prior of a new version.

    If the version has a parent, the prior is based on the parent. Otherwise, it is the last rating of the bot on a
    ladder of the league. If there is no such rating, it is the prior of a newcomer.
    """
    if parent is not None:
        return prior_of_new_version(parent.pk)
    last = (
        Rating.objects.filter(entry__membership=member, snapshot__season__league=season.league_id)
        .order_by("-snapshot__season__number", "-snapshot__number")
        .first()
    )
    return NEWCOMER if last is None else _prior_carried_over(last.mean, last.se)


def season_fit_starting_priors(season: Season) -> dict[int, Prior]:
    """Return the priors of bots that have not played in the season, by membership. Newcomers are left out.

    Nearly all bots are on the last ladder. Earlier ladders are read only for the other bots: to read all ladders took
    PostgreSQL 20 s for 10,000 bots and 120 ladders. Takes four queries.
    """
    ladders = RatingSnapshot.objects.filter(season__league=season.league_id)
    newest = Rating.objects.filter(snapshot=ladders.order_by("-season__number", "-number").first())
    carried = {
        member: _prior_carried_over(*rating)
        for member, *rating in newest.values_list("entry__membership", "mean", "se")
    }
    before = Rating.objects.filter(snapshot__season__league=season.league_id, entry__membership=OuterRef("pk"))
    last = before.order_by("-snapshot__season__number", "-snapshot__number").values("pk")[:1]
    others = Membership.objects.filter(league=season.league_id).exclude(pk__in=newest.values("entry__membership"))
    rated = others.annotate(last=Subquery(last)).filter(last__isnull=False)
    by_rating = dict(rated.values_list("last", "pk"))
    rows = Rating.objects.filter(pk__in=rated.values("last")).values_list("pk", "mean", "se")
    return carried | {by_rating[pk]: _prior_carried_over(mean, se) for pk, mean, se in rows}


def _prior_carried_over(mean: float, se: float) -> Prior:
    return Prior(mean=mean, sd=max(se, CARRIED_SD))


def season_fit_priors_of(entries: Collection[SeasonEntry]) -> dict[int, Prior]:
    """Return the priors for the fit, by entry.

    An entry to which its author switched back has two ids and two priors: one with the id ``earlier`` for the matches
    before that, and one for the matches since. The first is the parent of the second. The author may have switched back
    because the version had been lucky. In this way, its luck affects the new rating only as a parent's rating does.
    """
    priors: dict[int, Prior] = {}
    known = {one.pk: one for one in entries}
    for one in entries:
        parent = None if one.parent_id is None else known[one.parent_id]
        came_from = None if parent is None else parent.pk
        if parent is not None and parent.returned_at and one.joined_at < parent.returned_at:
            came_from = parent.earlier
        priors[one.earlier if one.returned_at else one.pk] = Prior(one.prior_mean, one.prior_sd, came_from)
        if one.returned_at:
            priors[one.pk] = prior_of_new_version(one.earlier)
    return priors


@dataclass(frozen=True, slots=True)
class SeasonGame:
    """The totals of an entry.

    ``score`` sums the shares of opponents beaten over all games, so it is between 0 and ``games``. ``slowest_ms`` is
    the 95th percentile of the slowest actions of its matches, in milliseconds; see ``models.Rating``.
    """

    matches: int = 0
    games: int = 0
    score: float = 0.0
    forfeits: int = 0
    faulty_games: int = 0
    slowest_ms: float | None = None


@dataclass(frozen=True, slots=True)
class SeasonResults:
    """All finished matches of a season: the places for a fit, and the totals of each entry.

    If an author switched back to a version, ``places`` has the version under the id ``SeasonEntry.earlier`` in the
    matches before that.
    """

    places: list[Places]
    played: dict[int, SeasonGame]


def season_results_of(season: Season) -> SeasonResults:
    """Return the results of a season. Two queries."""
    found = SeasonEntry.objects.filter(season=season).only("pk", "version_id", "since")
    entries = {one.version_id: one for one in found}
    seats = list(
        MatchSeat.objects.filter(match__league_match__season=season, match__state=MatchState.FINISHED)
        .order_by("match__league_match__number", "index")
        .values_list(
            *("match__league_match__number", "version_id", "places"),
            *("score", "has_forfeited", "faulty_games", "slowest_ms"),
        )
    )
    places: list[Places] = []
    for number, group in groupby(seats, key=itemgetter(0)):
        table = list(group)
        entrants = tuple(entries[seat[1]].known_in(number) for seat in table)
        places.append((entrants, tuple(seat[2] for seat in table)))
    own = sorted(seats, key=itemgetter(1))
    return SeasonResults(
        places, {entries[version].pk: _season_game(list(rows)) for version, rows in groupby(own, itemgetter(1))}
    )


def _season_game(rows: Sequence[tuple[int, int, Sequence[int], float | None, bool, int, float | None]]) -> SeasonGame:
    slowest = sorted(row[6] for row in rows if row[6] is not None)
    return SeasonGame(
        matches=len(rows),
        games=sum(len(row[2]) for row in rows),
        score=sum(row[3] or 0 for row in rows),
        forfeits=sum(row[4] for row in rows),
        faulty_games=sum(row[5] for row in rows),
        slowest_ms=slowest[ceil(0.95 * len(slowest)) - 1] if slowest else None,
    )


@dataclass(frozen=True, slots=True)
class FittedRow:
    """A place on the ladder; see ``models.Rating``."""

    mean: float
    se: float
    rank: int
    rank_low: int
    rank_high: int
    blocks: int
    is_provisional: bool


@dataclass(frozen=True, slots=True)
class FittedLine:
    entry: int
    standing: FittedRow
    played: SeasonGame


@dataclass(frozen=True, slots=True)
class Fitted:
    """All versions of a season, their results, and the fit. For the ids see ``SeasonEntry.earlier``."""

    entries: list[SeasonEntry]
    results: SeasonResults
    games: Games
    sides: Sides
    ratings: Ratings


def fitted_season(season: Season, near: Mapping[int, float] | None = None) -> Fitted:
    """Fit a season. The fit starts from the strengths in ``near``, by entry. Without them, it starts from scratch."""
    found = SeasonEntry.objects.filter(season=season).select_related("version__bot")
    entries = list(found)
    results, sides = season_results_of(season), fitted_ladder_sides_of(entries)
    games = Games.from_matches(results.places)
    return Fitted(
        entries, results, games, sides, ratings_fit_capped(games, season_fit_priors_of(entries), sides, start=near)
    )


def fitted_ladder(season: Season, near: Mapping[int, float] | None = None) -> list[FittedLine]:
    """Return the entries on the ladder, by division and then by strength. Ranks are those in the division.

    Provisional entries are placed by the lower ends of their intervals. Each division has its own ranks, because its
    bots meet no others. Replaced versions are included in the fit, because the ratings of their opponents and
    successors depend on their games.
    """
    fitted = fitted_season(season, near)
    standing = sorted((one for one in fitted.entries if one.state in STANDING), key=attrgetter("division"))
    divisions = groupby(standing, key=attrgetter("division"))
    return [line for _number, entries in divisions for line in _fitted_division(fitted, list(entries))]


def _fitted_division(fitted: Fitted, entries: Sequence[SeasonEntry]) -> list[FittedLine]:
    results = fitted.results
    shown = fitted.ratings.among(one.pk for one in entries)
    rated = {one.entrant: one for one in shown.all()}
    errors = dict(zip(shown.entrants.tolist(), shown.errors().tolist(), strict=True))
    ordered = _ordered(rating_ranks(shown), rated, errors)
    return [
        FittedLine(
            entry=rank.entrant,
            standing=FittedRow(
                mean=float(shown.mean[shown.index(rank.entrant)]),
                se=errors[rank.entrant],
                rank=shared,
                rank_low=int(rank.low),
                rank_high=int(rank.high),
                blocks=rated[rank.entrant].blocks,
                is_provisional=not rated[rank.entrant].settled,
            ),
            played=results.played.get(rank.entrant, SeasonGame()),
        )
        for rank, shared in ordered
    ]


def fitted_ladder_sides_of(entries: Collection[SeasonEntry]) -> Sides:
    """Return the bot and the author of each entry, once for its id ``pk`` and once for its id ``earlier``."""
    both = [(number, one) for one in entries for number in (one.pk, one.earlier)]
    return Sides(
        bot={number: one.membership_id for number, one in both},
        author={number: season_entry_author_of(one) for number, one in both},
    )


def _ordered(
    ranked: Iterable[Rank], rated: Mapping[int, FittedRating], errors: Mapping[int, float]
) -> list[tuple[Rank, int]]:
    """Order the entries by rating, and return each with its shared rank.

    The rank is never better than that of an entry above. Provisional entries are ordered by the lower end of the 95 %
    interval that pages show. ``errors`` are standard errors in logits.
    """

    def placed_by(rank: Rank) -> tuple[float, int]:
        one = rated[rank.entrant]
        points = one.points if one.settled else one.points - Z_95 * PER_LOGIT * errors[rank.entrant]
        # The points are rounded, because two fits of the same games differ in the last digits.
        return -round(points, 6), rank.entrant

    held = sorted(ranked, key=placed_by)
    shared = accumulate((int(rank.shared) for rank in held), max)
    return list(zip(held, shared, strict=True))


class Agreement(StrEnum):
    AGREES = "agrees"
    DIFFERS = "differs"
    BEHIND = "behind"  # results or entries are newer than the last refit
    EMPTY = "empty"  # never fitted


def fitted_ladder_agreement_of(season: Season) -> Agreement:
    """Compare the last stored refit with a fit from scratch."""
    snapshot = RatingSnapshot.objects.filter(season=season).order_by("-number").first()
    if snapshot is None:
        return Agreement.EMPTY
    if snapshot.matches != season_matches_finished(season):
        return Agreement.BEHIND
    shown = list(snapshot.ratings.order_by("place"))
    fitted = fitted_ladder(season)
    if {rating.entry_id for rating in shown} != {line.entry for line in fitted}:
        return Agreement.BEHIND if season.is_running else Agreement.DIFFERS
    same = all(_agrees(rating, line) for rating, line in zip(shown, fitted, strict=True))
    return Agreement.AGREES if same else Agreement.DIFFERS


def _agrees(rating: Rating, line: FittedLine) -> bool:
    standing, played = line.standing, line.played
    return (
        rating.entry_id == line.entry
        and isclose(rating.mean, standing.mean, abs_tol=CLOSE)
        and isclose(rating.se, standing.se, abs_tol=CLOSE)
        and (rating.rank, rating.rank_low, rating.rank_high) == (standing.rank, standing.rank_low, standing.rank_high)
        and (rating.matches, rating.games, rating.forfeits) == (played.matches, played.games, played.forfeits)
        and isclose(rating.score, played.score, abs_tol=CLOSE)
    )


NEWEST: Final = 5000  # matches of a season that are analysed; no more, because an analysis takes as long as a game


@dataclass(frozen=True, slots=True)
class SeasonLuckAdjusted:
    """The luck-adjusted ratings of a season: (mean, standard error) in logits by entry, from ``matches`` matches.

    Only entries on the ladder that played in one of these matches are included.
    """

    matches: int
    by_entry: dict[int, tuple[float, float]]


def season_fit_matches_to_analyse(season: Season) -> QuerySet[Match]:
    """Return the newest finished matches. The choice does not depend on their results."""
    return Match.objects.filter(
        league_match__season=season,
        league_match__number__gt=season.scheduled - NEWEST,
        state=MatchState.FINISHED,
    )


def season_fit_matches_with_luck(season: Season) -> QuerySet[Match]:
    """Return those of ``season_fit_matches_to_analyse`` whose games have all been analysed.

    A match with a game that cannot be analysed, for example because it has too many turns, is never included.
    """
    analysed = Analysis.objects.filter(game=OuterRef("pk"), value=season.luck_value, sums__isnull=False)
    lacking = Game.objects.filter(~Exists(analysed), match=OuterRef("pk"))
    return season_fit_matches_to_analyse(season).filter(~Exists(lacking))


def fitted_ladder_luck_adjusted(season: Season) -> SeasonLuckAdjusted:
    """Fit the entries on the ladder to the matches that are analysed so far, adjusted for luck."""
    matches = season_fit_matches_with_luck(season)
    entries = list(SeasonEntry.objects.filter(season=season).select_related("version__bot"))
    tables = list(_season_tables(matches, {one.version_id: one for one in entries}))
    known = analysis_blocks_with_luck(matches, season.luck_value)
    games = GamesWithLuck.from_blocks(
        block for table in tables for block in _luck_blocks(table, known.get(table.match, ()))
    )
    priors = season_fit_priors_of(entries)
    near = {entry: mean for entry, (mean, _se) in latest_season_entry_ratings(season).items()}
    ratings = ratings_fit_capped(games.less_luck(priors), priors, fitted_ladder_sides_of(entries), start=near)
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
    entries: tuple[int, ...]  # ids in the fit, see ``SeasonEntry.earlier``
    places: tuple[Sequence[int], ...]  # by entry, then by game


def _season_tables(matches: QuerySet[Match], entries: Mapping[int, SeasonEntry]) -> Iterator[_Table]:
    seats = MatchSeat.objects.filter(match__in=matches).order_by("match__league_match__number", "index")
    rows = seats.values_list("match", "match__league_match__number", "version", "places")
    for match, group in groupby(rows, key=itemgetter(0)):
        table = list(group)
        yield _Table(match, tuple(entries[row[2]].known_in(row[1]) for row in table), tuple(row[3] for row in table))


def _luck_blocks(table: _Table, lucky: Sequence[BlockLuck]) -> Iterator[tuple[Block, Sequence[float]]]:
    games, seats = tuple(zip(*table.places, strict=True)), len(table.entries)
    for number, block in enumerate(lucky):
        yield Block(table.entries, games[number * seats : (number + 1) * seats]), block.luck
