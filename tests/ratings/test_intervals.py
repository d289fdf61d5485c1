"""Intervals by the likelihood: against a search by hand, open where nothing bounds them, and how often they hold."""

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest

from ratings import Block, Games, Prior, strengths_fit
from ratings.scale import PER_LOGIT, rating_displayed
from tests.ratings.simulated import field, round_robin

SWEEP = [Block((1, 2), ((1, 2), (1, 2)))]
EVEN = [Block((1, 2), ((1, 2), (2, 1)))]


def test_the_interval_of_two_is_where_the_likelihood_falls_by_what_the_dispersion_allows():
    blocks = SWEEP * 12 + [Block((1, 2), ((2, 1), (2, 1)))] * 5
    ratings = strengths_fit(Games.from_blocks(blocks))
    evidence, difference = ratings.evidence, ratings.difference(1, 2)
    assert evidence.dispersion > 1  # the games of a block are alike: blocks vary twice as much as their games would
    student = 1.959964 + (1.959964**3 + 1.959964) / (4 * evidence.degrees)

    def log_likelihood(lead):
        return 24 * lead - 34 * np.logaddexp(0, lead)

    leads = np.arange(-4, 6, 0.0005)
    high_enough = leads[log_likelihood(np.log(24 / 10)) - log_likelihood(leads) <= evidence.dispersion * student**2 / 2]
    assert difference.low / PER_LOGIT == pytest.approx(high_enough[0], abs=0.003)
    assert difference.high / PER_LOGIT == pytest.approx(high_enough[-1], abs=0.003)


def test_unbeaten_and_winless_bots_have_one_sided_intervals():
    ratings = strengths_fit(Games.from_blocks(SWEEP * 10))
    best, worst = ratings.all()
    assert (best.high, worst.low) == (np.inf, -np.inf)
    assert (best.ceiling, worst.floor) == (None, None)
    assert best.low < best.points
    assert worst.high > worst.points
    assert not best.settled
    difference = ratings.difference(1, 2)
    assert difference.high == np.inf
    assert 0 < difference.low < difference.points
    assert ratings.difference(2, 1).low == -np.inf


def test_a_bot_without_games_has_an_unbounded_interval():
    ratings = strengths_fit(Games.from_blocks(EVEN * 9), {3: Prior()})
    assert [np.isfinite(one.low) for one in ratings.all()] == [True, True, False]
    assert ratings.groups().tolist() == [0, 0, 1]


def test_everyone_of_an_even_field_has_a_bar_as_wide_as_the_errors():
    ratings = strengths_fit(field(1, 12, 2, 120, sd=0.3).games)
    low, high = ratings.bounds()
    within = 1.959964 * ratings.errors()
    assert (high - low) / 2 == pytest.approx(within, rel=0.2)
    assert (high + low) / 2 == pytest.approx(ratings.mean, abs=0.06)
    assert [one.low for one in ratings.all()] == pytest.approx([rating_displayed(each) for each in low])


def test_some_of_a_field_keep_their_intervals():
    ratings = strengths_fit(field(2, 12, 2, 8).games)
    some = ratings.among([3, 7, 9])
    everyone = {one.entrant: (one.low, one.high) for one in ratings.all()}
    assert [(one.low, one.high) for one in some.all()] == [everyone[entrant] for entrant in (3, 7, 9)]
    assert some.difference(3, 9) == ratings.difference(3, 9)


def covered(fields, blocks, shared_luck=0.0, bots=6, most=3.0):
    """By band of one logit, the share of true differences that lie in their interval, and of how many."""
    inside = defaultdict(list)
    for seed in range(fields):
        simulated = round_robin(seed, bots, blocks, most=most, shared_luck=shared_luck)
        ratings = strengths_fit(simulated.games, dict.fromkeys(range(bots), Prior()))
        for one, other in combinations(range(bots), 2):
            lead = simulated.strength[one] - simulated.strength[other]
            difference = ratings.difference(one, other)
            inside[int(abs(lead))].append(difference.low <= lead * PER_LOGIT <= difference.high)
    return {band: (float(np.mean(found)), len(found)) for band, found in sorted(inside.items())}


@pytest.mark.simulation
@pytest.mark.parametrize(("blocks", "least"), [(2, 0.90), (5, 0.93)])
def test_differences_of_every_size_lie_in_their_intervals(blocks, least):
    found = covered(14, blocks)
    for two_bands in ((0, 1), (2, 3), (4, 5)):
        shares = [found[band] for band in two_bands]
        count = sum(each for _, each in shares)
        share = sum(part * each for part, each in shares) / count
        assert share >= least - 2 * np.sqrt(least * (1 - least) / count * 3)  # differences of one field go together


@pytest.mark.slow
@pytest.mark.parametrize("shared_luck", [0.0, 0.5])
@pytest.mark.parametrize(("blocks", "least"), [(2, 0.90), (5, 0.93), (10, 0.93)])
def test_differences_of_every_size_lie_in_their_intervals_at_the_nominal_rate(blocks, least, shared_luck):
    for share, count in covered(250, blocks, shared_luck, bots=8).values():
        assert least - 0.02 <= share <= 0.985 or count < 300
