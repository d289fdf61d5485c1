"""Fits without a matrix of all pairs: against those with one, on fields small enough for both."""

import numpy as np
import pytest

from ratings import (
    Games,
    Prior,
    Sides,
    prior_of_new_version,
    rating_ranks,
    ratings_fit_capped,
    strengths_fit,
    strengths_fit_values,
)
from ratings import curvature as curvatures
from ratings.covariances import ByDraws, Exact
from tests.ratings.simulated import field, places_of

BOTS = 300
OFF = 0.044  # of a standard error: the root of 1 / (2 * 256)


@pytest.fixture
def large(monkeypatch):
    """Fits as fields above the limit are, however small they are."""

    def fitted(games, priors=None, make=strengths_fit, **options):
        with monkeypatch.context() as patch:
            patch.setattr(curvatures, "EXACT_MOST", 0)
            patch.setattr("ratings.strengths.ENOUGH_DRAWN", 20_000)
            ratings = make(games, priors, **options)
            ratings.all()  # its intervals are found when they are asked for
            return ratings

    return fitted


def laddered(seed):
    """Everyone meets whom the ratings so far put next to it."""
    chance = np.random.default_rng(seed)
    truth, near, games = chance.normal(0, 0.7, BOTS), np.zeros(BOTS), Games()
    for _ in range(5):
        for _ in range(3):
            entrants = chance.permuted(np.argsort(near + chance.normal(0, 0.3, BOTS)).reshape(-1, 2), axis=1)
            luck = chance.gumbel(size=(BOTS // 2, 2, 2))
            games += Games.from_arrays(entrants, places_of(truth[entrants][:, None, :] + luck))
        near = strengths_fit_values(games).mean
    return games


def tree():
    """A knockout: everyone has met one of the half that came farther."""
    order = np.random.default_rng(3).permutation(BOTS)
    entrants = np.array([(order[number], order[(number - 1) // 2]) for number in range(1, BOTS)])
    first = 1 + np.random.default_rng(4).integers(0, 2, (len(entrants), 2))
    return Games.from_arrays(entrants, np.stack([first, 3 - first], axis=2))


FIELDS = {
    "nine rounds of two": lambda: field(1, BOTS, 2, 9).games,
    "three rounds of four": lambda: field(2, BOTS, 4, 3, shared_luck=0.5).games,
    "a ladder": lambda: laddered(5),
    "a tree": tree,
}


@pytest.fixture(scope="module", params=FIELDS)
def games(request):
    return FIELDS[request.param]()


def test_strengths_errors_bars_and_ranks_are_those_of_the_matrix(games, large):
    priors = {BOTS: prior_of_new_version(5), BOTS + 1: prior_of_new_version(BOTS), 7: Prior(0.4, 0.5)}
    exact, drawn = strengths_fit(games, priors), large(games, priors)
    assert (type(exact.known), type(drawn.known)) == (Exact, ByDraws)
    assert drawn.mean == pytest.approx(exact.mean, abs=0.02)  # the spread of newcomers is drawn too
    for found, right in (
        (drawn.errors(), exact.errors()),
        (np.sqrt(_differences(drawn)), np.sqrt(_differences(exact))),
    ):
        off = found / right - 1
        assert abs(off.mean()) < 0.015
        assert off.std() < 1.3 * OFF
    (low, high), (least, most) = drawn.bounds(), exact.bounds()
    closed = np.isfinite(most - least)
    assert (np.isfinite(high - low) == closed).mean() > 0.98
    closed &= np.isfinite(high - low)
    off = (high - low)[closed] / (most - least)[closed] - 1
    assert abs(off.mean()) < 0.05  # on a tree what is uncertain about one is so about many
    assert off.std() < 0.1
    width = np.mean([one.high - one.low for one in rating_ranks(exact)])
    assert np.mean([one.high - one.low for one in rating_ranks(drawn)]) == pytest.approx(width, rel=0.03)
    assert drawn.evidence.dispersion == pytest.approx(exact.evidence.dispersion, rel=0.02)


def _differences(ratings):
    one, other = np.triu_indices(len(ratings.entrants), 1)
    return ratings.known.between(one, other)


def test_where_the_spread_is_given_strengths_agree_to_rounding(games, large):
    priors = dict.fromkeys(range(BOTS), Prior(sd=0.8)) | {BOTS: prior_of_new_version(5)}
    exact = strengths_fit(games, priors).mean
    assert large(games, priors).mean == pytest.approx(exact, abs=1e-9)
    start = dict(enumerate(np.random.default_rng(1).normal(0, 2, BOTS)))
    assert large(games, priors, start=start).mean == pytest.approx(exact, abs=1e-9)


def test_the_same_games_give_the_same_ladder_from_any_start_of_the_fit(large):
    games, sides = laddered(6), Sides({n: n for n in range(BOTS)}, {n: n // 2 for n in range(BOTS)})

    def ladder(**options):
        return large(games, {}, lambda *given, **more: ratings_fit_capped(*given, sides, **more), **options)

    cold = ladder()
    warm = ladder(start=dict(enumerate(cold.mean.tolist())))
    assert warm.mean == pytest.approx(cold.mean, abs=1e-9)
    assert warm.errors() == pytest.approx(cold.errors(), abs=1e-9)
    assert rating_ranks(warm) == rating_ranks(cold)


def test_the_covariance_answers_alike_in_full_and_drawn():
    draws = np.random.default_rng(1).normal(size=(40, 8))
    drawn, exact = ByDraws(draws), Exact(draws @ draws.T)
    one, other = np.triu_indices(40, 1)
    group, tables = np.repeat([0, 3, 7, 9], 10), np.arange(40).reshape(-1, 4)
    for read in (
        lambda known: known.matrix(),
        lambda known: known.variances(),
        lambda known: known.centred(group),
        lambda known: known.between(one, other),
        lambda known: known.at_tables(tables),
        lambda known: known.among(np.array([3, 1, 30])).matrix(),
        lambda known: np.concatenate([variance for _, variance in known.against_all()]),
    ):
        assert read(drawn) == pytest.approx(read(exact), abs=1e-12)


def test_large_tables_of_numbers_are_looked_at_in_slices(monkeypatch):
    monkeypatch.setattr("ratings.covariances.AT_ONCE", 100)
    test_the_covariance_answers_alike_in_full_and_drawn()


def test_a_bot_without_games_is_where_its_prior_is(large):
    ratings = large(Games(), {n: Prior(0.3, 0.5) for n in range(20)} | {20: prior_of_new_version(1)})
    assert ratings.mean == pytest.approx(np.full(21, 0.3))
    assert ratings.known.variances()[:20] == pytest.approx(np.full(20, 0.25))


def test_groups_that_never_met_are_separated(large):
    games = Games.from_arrays(np.array([[1, 2], [3, 4]] * 20), np.array([[[1, 2], [2, 1]]] * 40))
    ratings = large(games, {5: Prior()})
    assert ratings.groups().tolist() == [0, 0, 1, 1, 2]
    assert [np.isfinite(one.low) for one in ratings.all()] == [True] * 4 + [False]


def test_blocks_that_are_all_that_is_known_of_anybody_leave_errors_finite(large):
    ratings = large(tree(), dict.fromkeys(range(BOTS), Prior(sd=20.0)))
    assert np.isfinite(ratings.errors()).all()
    assert ratings.errors().max() < 40


def test_above_the_limit_nothing_has_a_cell_for_every_two(monkeypatch):
    for kind in (curvatures.Curvature, ByDraws):
        monkeypatch.setattr(kind, "matrix", lambda _self: pytest.fail("a matrix of all pairs"))
    size = curvatures.EXACT_MOST + 1
    ratings = strengths_fit(field(1, size, 2, 3).games)
    assert type(ratings.known) is ByDraws
    assert len(ratings.all()) == len(rating_ranks(ratings)) == size


@pytest.mark.simulation
@pytest.mark.parametrize(("seats", "rounds"), [(2, 16), (4, 8), (2, 40)])
def test_95_percent_intervals_hold_95_percent_of_the_true_differences_of_1500_bots(seats, rounds):
    held = []
    for seed in range(3):
        simulated = field(seed, 1500, seats, rounds, shared_luck=seed % 2 / 2)
        ratings = strengths_fit(simulated.games)
        one, other = np.random.default_rng(seed).integers(0, 1500, (2, 100_000))
        off = (ratings.mean[one] - ratings.mean[other]) - (simulated.strength[one] - simulated.strength[other])
        held.append((np.abs(off) <= 1.96 * np.sqrt(ratings.known.between(one, other)))[one != other].mean())
    assert 0.93 <= np.mean(held) <= 0.97
