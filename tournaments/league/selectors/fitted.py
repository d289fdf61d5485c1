"""The ladder as it follows from the results alone: fitted from scratch, whatever was kept before."""

from dataclasses import dataclass

from tournaments.league.models import STANDING, Contender, Season
from tournaments.league.priors import prior_of
from tournaments.league.selectors.results import Played, results_of
from tournaments.ratings import Games, fit, ranks


@dataclass(frozen=True, slots=True)
class Standing:
    """A place on the ladder; see ``models.Rating``."""

    mean: float
    se: float
    rank: int
    rank_low: int
    rank_high: int
    blocks: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class Line:
    contender: int
    standing: Standing
    played: Played


def fitted_ladder(season: Season) -> list[Line]:
    """Those who stand on the ladder, the strongest first. Versions that were replaced are fitted too: what their
    opponents and their successors are thought to be rests on their games."""
    contenders = list(Contender.objects.filter(season=season))
    results = results_of(season)
    everyone = fit(Games.from_matches(results.places), {one.pk: prior_of(one) for one in contenders})
    shown = everyone.among(one.pk for one in contenders if one.state in STANDING)
    rated = {one.entrant: one for one in shown.all()}
    errors = dict(zip(shown.entrants.tolist(), shown.errors().tolist(), strict=True))
    return [
        Line(
            contender=rank.entrant,
            standing=Standing(
                mean=float(shown.mean[shown.index(rank.entrant)]),
                se=errors[rank.entrant],
                rank=int(rank.shared),
                rank_low=int(rank.low),
                rank_high=int(rank.high),
                blocks=rated[rank.entrant].blocks,
                provisional=not rated[rank.entrant].settled,
            ),
            played=results.played.get(rank.entrant, Played()),
        )
        for rank in ranks(shown)
    ]
