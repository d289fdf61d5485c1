"""What one opponent may add to a rating."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings import Block, Games, Sides, ratings_fit_capped, strengths_fit, strengths_fit_values
from ratings.capping import MOST_DEVIATIONS, ratings_games_capped
from ratings.scale import PER_LOGIT, rating_expected_share
from tests.examples import examples
from tests.ratings.simulated import covered, places_of

HONEST = 20


def season(seed, servants=0, pairs=400, seats=2, blocks=2):
    """Random tables; bot 0 is beaten by none of the last bots, its ``servants``. Truth in logits, and the games."""
    rng = np.random.default_rng(seed)
    truth = np.concatenate([[0.0], rng.normal(0, 0.7, HONEST), np.zeros(servants)])
    entrants = np.array([rng.choice(len(truth), seats, replace=False) for _ in range(pairs * blocks)])
    shown = np.repeat(truth[entrants][:, None, :], seats, axis=1)
    shown += np.where((entrants > HONEST) & (entrants == 0).any(axis=1)[:, None], -30, 0)[:, None, :]
    places = np.argsort(np.argsort(-(shown + rng.gumbel(size=shown.shape)), axis=-1), axis=-1) + 1
    return truth, Games.from_arrays(entrants, places)


def alone(size):
    """Every entrant is a bot and an author of its own."""
    return Sides({one: one for one in range(size)}, {one: one for one in range(size)})


def gained(ratings, truth):
    honest = ratings.mean[1 : HONEST + 1].mean() - truth[1 : HONEST + 1].mean()
    return PER_LOGIT * (ratings.mean[0] - truth[0] - honest)


@pytest.mark.simulation
@pytest.mark.parametrize("servants", [3, 8])
@pytest.mark.parametrize("seats", [2, 4])
def test_servants_give_less_than_half_of_what_they_would(servants, seats):
    gains = []
    for seed in range(12):
        truth, games = season(seed, servants, pairs=1500 if seats == 2 else 400, seats=seats)
        ratings = ratings_fit_capped(games, {}, alone(len(truth)))
        gains.append((gained(strengths_fit(games), truth), gained(ratings, truth)))
    before, after = np.mean(gains, axis=0)
    assert before > 30
    assert after < before / 2


@pytest.mark.simulation
def test_among_honest_bots_the_intervals_hold_the_truth_as_often_as_they_say():
    held = []
    for seed in range(24):
        truth, games = season(seed)
        ratings = ratings_fit_capped(games, {}, alone(len(truth)))
        pairs = np.triu_indices(len(truth), 1)
        own = np.diag(ratings.covariance)
        error = np.sqrt(own[:, None] + own[None, :] - 2 * ratings.covariance)[pairs]
        off = (np.subtract.outer(ratings.mean, ratings.mean) - np.subtract.outer(truth, truth))[pairs]
        held.append((np.abs(off) <= 1.96 * error).mean())
    assert 0.92 <= np.mean(held) <= 0.98


@examples(30)
@given(st.integers(0, 999), st.integers(0, 4), st.integers(2, 4))
def test_what_one_author_adds_to_a_bot_is_no_more_than_luck_explains(seed, servants, seats):
    truth, games = season(seed, servants, pairs=60, seats=seats)
    ratings = strengths_fit(games)
    lighter = ratings_games_capped(games, ratings, alone(len(truth)))
    surplus, variance = np.zeros((2, len(truth), len(truth)))
    for before, after in zip(games.tables, lighter.tables, strict=True):
        assert (after.beaten <= before.beaten).all()
        lead = ratings.mean[before.entrants]
        expected = rating_expected_share(lead[:, :, None] - lead[:, None, :])
        met = [one.beaten + one.beaten.swapaxes(1, 2) for one in (before, after)]
        cells = before.entrants[:, :, None], before.entrants[:, None, :]
        np.add.at(surplus, np.broadcast_arrays(*cells), after.beaten - met[1] * expected)
        np.add.at(variance, np.broadcast_arrays(*cells), met[0] * expected * (1 - expected))
    one_block = np.sqrt(seats) / 2  # of even games, as many as seats
    most = np.maximum(MOST_DEVIATIONS * np.sqrt(variance), one_block)
    assert (np.abs(surplus) <= most + 1e-6).all()


def ladder(seed, bots, blocks=1, rounds=40):
    """Most met in one match, of so many blocks of two games: pairs of like rating, as far as it is known by then."""
    rng = np.random.default_rng(seed)
    truth, near = rng.normal(0, 0.7, bots), np.zeros(bots)
    games = Games()
    for each in range(rounds):
        pairs = rng.permuted(np.argsort(near + rng.normal(0, 0.3, bots)).reshape(-1, 2), axis=1)
        entrants = np.repeat(pairs, blocks, axis=0)
        games += Games.from_arrays(
            entrants, places_of(truth[entrants][:, None, :] + rng.gumbel(size=(len(entrants), 2, 2)))
        )
        if each % 4 == 3:
            near = strengths_fit_values(games).mean
    return truth, games


@pytest.mark.parametrize(
    ("bots", "blocks", "rounds", "least"), [(60, 1, 40, 0.8), (200, 1, 40, 0.8), (60, 4, 10, 0.75)]
)
def test_a_field_that_met_seldom_keeps_its_scale(bots, blocks, rounds, least):
    truth, games = ladder(1, bots, blocks, rounds)
    free, ratings = strengths_fit(games), ratings_fit_capped(games, {}, alone(bots))
    assert np.polyfit(truth, ratings.mean, 1)[0] >= least * np.polyfit(truth, free.mean, 1)[0]
    assert np.corrcoef(truth, ratings.mean)[0, 1] >= np.corrcoef(truth, free.mean)[0, 1] - 0.03
    assert covered(ratings, truth) >= covered(free, truth) - 0.06


def test_how_far_newcomers_differ_is_estimated_from_the_games_in_full():
    _truth, games = ladder(2, 60)
    assert ratings_fit_capped(games, {}, alone(60)).spread == strengths_fit(games).spread


def test_games_that_luck_explains_count_in_full():
    games = Games.from_blocks(
        [
            Block((0, 1), ((1, 2), (2, 1))),
            Block((1, 2, 3), ((1, 2, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1), (1, 3, 2), (2, 1, 3))),
        ]
    )
    lighter = ratings_games_capped(games, strengths_fit(games), alone(4))
    assert all((one.beaten == other.beaten).all() for one, other in zip(games.tables, lighter.tables, strict=True))


def test_nothing_played_is_nothing_to_cap():
    assert ratings_fit_capped(Games(), {}, alone(0)).entrants.size == 0


@examples(10)
@given(st.integers(0, 99), st.lists(st.floats(-6, 6), min_size=HONEST + 1, max_size=HONEST + 1))
def test_where_a_fit_starts_changes_nothing(seed, start):
    _truth, games = season(seed, pairs=60)
    sides = alone(HONEST + 1)
    scratch, warm = (
        ratings_fit_capped(games, {}, sides),
        ratings_fit_capped(games, {}, sides, start=dict(enumerate(start))),
    )
    assert np.allclose(scratch.mean, warm.mean, atol=1e-7)
    assert np.allclose(scratch.covariance, warm.covariance, atol=1e-7)
