"""The ladder as it follows from the results alone, whatever was kept before."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate

from leagues.models import STANDING, Season, SeasonEntry
from leagues.priors import priors_of
from leagues.selectors.candidates import author_of
from leagues.selectors.results import SeasonGame, SeasonResults, results_of
from ratings import FittedRating, Games, Rank, Ratings, Sides, fit_capped, ranks
from ratings.scale import PER_LOGIT, Z_95


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
    """All versions of a season, what they played, and what follows from it; see ``SeasonEntry.earlier``."""

    entries: list[SeasonEntry]
    results: SeasonResults
    games: Games
    sides: Sides
    ratings: Ratings


def fitted_season(season: Season, near: Mapping[int, float] | None = None) -> Fitted:
    """Fit a season, from scratch unless strengths are given by entry that are thought to be ``near``."""
    found = SeasonEntry.objects.filter(season=season).select_related("version__bot")
    entries = list(found)
    results, sides = results_of(season), sides_of(entries)
    games = Games.from_matches(results.places)
    return Fitted(entries, results, games, sides, fit_capped(games, priors_of(entries), sides, start=near))


def fitted_ladder(season: Season, near: Mapping[int, float] | None = None) -> list[FittedLine]:
    """Return those who stand on the ladder, the strongest first; the provisional where the lower ends of their
    intervals put them. Versions that were replaced are fitted too: what their opponents and their successors are
    thought to be rests on their games.
    """
    fitted = fitted_season(season, near)
    entries, results, everyone = fitted.entries, fitted.results, fitted.ratings
    shown = everyone.among(one.pk for one in entries if one.state in STANDING)
    rated = {one.entrant: one for one in shown.all()}
    errors = dict(zip(shown.entrants.tolist(), shown.errors().tolist(), strict=True))
    ordered = _ordered(ranks(shown), rated, errors)
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


def sides_of(entries: Collection[SeasonEntry]) -> Sides:
    """Return whose each entry is, by bot and author, as it was before it came back and has been since."""
    both = [(number, one) for one in entries for number in (one.pk, one.earlier)]
    return Sides(
        bot={number: one.membership_id for number, one in both}, author={number: author_of(one) for number, one in both}
    )


def _ordered(
    ranked: Iterable[Rank], rated: Mapping[int, FittedRating], errors: Mapping[int, float]
) -> list[tuple[Rank, int]]:
    """Order by rating, the provisional by the lower end of the interval that pages show, points less 1.96 ``errors``
    (in logits); with the rank that each shares there, which is never a better one than that of somebody above.
    """

    def placed_by(rank: Rank) -> tuple[float, int]:
        one = rated[rank.entrant]
        points = one.points if one.settled else one.points - Z_95 * PER_LOGIT * errors[rank.entrant]
        # Equal are those that agree to some digits: two fits of the same games differ in the last ones.
        return -round(points, 6), rank.entrant

    held = sorted(ranked, key=placed_by)
    shared = accumulate((int(rank.shared) for rank in held), max)
    return list(zip(held, shared, strict=True))
