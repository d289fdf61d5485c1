"""The fit: what must hold for any games, and that it is the optimum it claims to be."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings import Block, Games, ParentError, Prior, prior_of_new_version, strengths_fit
from ratings.scale import rating_expected_share
from tests.examples import examples
from tests.ratings.simulated import covered, field, places_of

WIDE = Prior(sd=1.5)
few = examples(60)


@st.composite
def played(draw, most=6):
    """Blocks at tables of two to four among up to ``most`` entrants, connected or not."""
    blocks = []
    for _ in range(draw(st.integers(0, 12))):
        who = draw(st.lists(st.integers(1, most), min_size=2, max_size=4, unique=True))
        places = st.tuples(*[st.integers(1, len(who))] * len(who))
        blocks.append(Block(tuple(who), tuple(draw(st.lists(places, min_size=1, max_size=3)))))
    return blocks


def means(ratings):
    return dict(zip(ratings.entrants.tolist(), ratings.mean.tolist(), strict=True))


def by_brute_force(blocks, priors):
    """Coordinate ascent by ternary search on the posterior as it is written down: no matrix, no derivative."""
    who = sorted(priors)
    results = [
        (a, b, 1 if pa < pb else 0.5 if pa == pb else 0, 3 / (len(places) + 1))
        for block in blocks
        for places in block.places
        for (a, pa), (b, pb) in combinations(zip(block.entrants, places, strict=True), 2)
    ]

    def density(strength):
        total = 0.0
        for entrant, prior in priors.items():
            centre = prior.mean + (strength[prior.parent] if prior.parent is not None else 0)
            total -= (strength[entrant] - centre) ** 2 / (2 * prior.sd**2)
        for a, b, won, weight in results:
            lead = strength[a] - strength[b]
            total += weight * (won * lead - np.logaddexp(0, lead))
        return total

    strength = dict.fromkeys(who, 0.0)
    for _ in range(30):
        for entrant in who:
            low, high = -8.0, 8.0
            while high - low > 1e-7:
                third = (high - low) / 3
                left, right = low + third, high - third
                if density({**strength, entrant: left}) < density({**strength, entrant: right}):
                    low = left
                else:
                    high = right
            strength[entrant] = low
    return strength


def test_the_fit_is_the_summit_that_a_brute_force_search_finds():
    blocks = [
        Block((1, 2, 3), ((1, 2, 3), (2, 1, 3), (1, 1, 3))),
        Block((3, 4), ((1, 2), (1, 1))),
        Block((2, 4), ((1, 2), (2, 1))),
        Block((1, 4, 5, 2), ((1, 4, 2, 3),)),
    ]
    priors = {1: WIDE, 2: Prior(0.4, 0.8), 3: WIDE, 4: prior_of_new_version(1), 5: Prior(-0.2, 1.0, parent=4)}
    expected = by_brute_force(blocks, priors)
    assert means(strengths_fit(Games.from_blocks(blocks), priors)) == pytest.approx(expected, abs=1e-4)


@few
@given(played(), st.floats(-3, 3))
def test_moving_every_prior_moves_every_strength_and_no_error(blocks, shift):
    games = Games.from_blocks(blocks)
    here = strengths_fit(games, {n: Prior() for n in range(1, 7)})
    there = strengths_fit(games, {n: Prior(shift) for n in range(1, 7)})
    assert there.mean == pytest.approx(here.mean + shift, abs=1e-6)
    assert there.covariance == pytest.approx(here.covariance, abs=1e-5)


@few
@given(played(), st.permutations(range(1, 7)), st.randoms())
def test_neither_names_nor_order_matter(blocks, names, chance):
    renamed = [
        Block(tuple(names[n - 1] for n in block.entrants), tuple(chance.sample(block.places, len(block.places))))
        for block in chance.sample(blocks, len(blocks))
    ]
    here = means(strengths_fit(Games.from_blocks(blocks), {n: Prior() for n in range(1, 7)}))
    there = means(strengths_fit(Games.from_blocks(renamed), {n: Prior() for n in range(1, 7)}))
    assert there == pytest.approx({names[n - 1]: mean for n, mean in here.items()}, abs=1e-6)


@few
@given(played(), st.integers(1, 6), st.integers(1, 5))
def test_one_more_win_never_lowers_the_winner_nor_its_lead_over_anyone(blocks, winner, behind):
    loser = (winner + behind - 1) % 6 + 1
    priors = dict.fromkeys(range(1, 6), WIDE) | {6: prior_of_new_version(1)}
    before = means(strengths_fit(Games.from_blocks(blocks), priors))
    after = means(strengths_fit(Games.from_blocks([*blocks, Block((winner, loser), ((1, 2),))]), priors))
    assert after[winner] >= before[winner] - 1e-9
    assert after[winner] - after[loser] > before[winner] - before[loser]
    assert all(after[winner] - after[n] >= before[winner] - before[n] - 1e-9 for n in after)


@few
@given(played(most=9))
def test_strengths_and_errors_are_finite_for_any_games(blocks):
    ratings = strengths_fit(Games.from_blocks(blocks), {1: Prior()})
    assert np.isfinite(ratings.mean).all()
    assert np.isfinite(ratings.covariance).all()
    assert np.linalg.eigvalsh(ratings.covariance).min() > 0


def test_an_unbeaten_bot_is_far_ahead_and_finite_and_separate_groups_are_hardly_compared():
    wins = [Block((1, 2), ((1, 2), (1, 2)))] * 500
    apart = [Block((3, 4), ((1, 2), (2, 1)))] * 50
    ratings = strengths_fit(Games.from_blocks(wins + apart))
    assert 500 < ratings.difference(1, 2).points < 2500
    assert ratings.difference(1, 2).points > 2.5 * ratings.difference(1, 2).error
    assert ratings.difference(3, 4).points == pytest.approx(0, abs=1e-6)
    assert ratings.difference(1, 3).error > 10 * ratings.difference(3, 4).error


def test_without_games_everyone_has_its_prior():
    ratings = strengths_fit(Games(), {1: Prior(0.5, 1.0), 2: prior_of_new_version(1), 3: Prior()})
    assert means(ratings) == pytest.approx({1: 0.5, 2: 0.5, 3: 0})
    assert ratings.covariance[0, 0] == pytest.approx(1)
    assert ratings.covariance[1, 1] == pytest.approx(1 + 0.7**2)
    assert len(strengths_fit(Games()).all()) == 0


def test_a_new_version_starts_where_its_parent_stands_and_leaves_it_by_its_own_games():
    parent = [Block((1, 2), ((1, 2), (1, 2))), Block((1, 2), ((1, 2), (2, 1)))] * 10
    start = strengths_fit(Games.from_blocks(parent), {3: prior_of_new_version(1)})
    assert start.difference(3, 1).points == pytest.approx(0, abs=1e-6)
    assert start.difference(3, 2).error > start.difference(1, 2).error
    better = strengths_fit(
        Games.from_blocks(parent + [Block((3, 1), ((1, 2), (1, 2)))] * 10), {3: prior_of_new_version(1)}
    )
    assert better.difference(3, 1).points > 100


def test_a_parent_that_is_not_there_is_named():
    with pytest.raises(ParentError, match="entrant 3 names 8 "):
        strengths_fit(Games(), {3: prior_of_new_version(8)})


def test_single_games_of_two_have_the_errors_of_independent_trials():
    simulated = field(5, 6, 2, 3000)
    one_game_each = Games.from_arrays(simulated.entrants, simulated.places[:, :1])
    ratings = strengths_fit(one_game_each, dict.fromkeys(range(6), WIDE))
    met = np.zeros((6, 6))
    np.add.at(met, (simulated.entrants[:, 0], simulated.entrants[:, 1]), 1)
    met += met.T
    p = rating_expected_share(np.subtract.outer(ratings.mean, ratings.mean))
    curvature = -met * p * (1 - p)
    np.fill_diagonal(curvature, -curvature.sum(axis=1) + 1.5**-2)
    naive = np.linalg.inv(curvature)
    assert ratings.errors()[0] == pytest.approx(np.sqrt(np.diag(naive - naive.mean())[0] * 6 / 5), rel=0.03)
    for a, b in combinations(range(6), 2):
        error = np.sqrt(naive[a, a] + naive[b, b] - 2 * naive[a, b]) * 400 / np.log(10)
        assert ratings.difference(a, b).error == pytest.approx(error, rel=0.05)


def test_a_game_repeated_in_a_block_teaches_nothing_new():
    simulated = field(6, 12, 4, 40)
    once = strengths_fit(Games.from_arrays(simulated.entrants, simulated.places[:, :1]))
    often = strengths_fit(Games.from_arrays(simulated.entrants, simulated.places[:, [0] * 10]))
    for a, b in combinations(range(12), 2):
        assert often.difference(a, b).error > 0.9 * once.difference(a, b).error


@pytest.mark.parametrize("spread", [0.5, 1.5])
def test_how_much_newcomers_differ_follows_from_their_games(spread):
    simulated = field(7, 100, 2, 40, sd=spread)
    known, estimated = (strengths_fit(simulated.games, {n: Prior(sd=sd) for n in range(100)}) for sd in (spread, None))
    assert estimated.mean == pytest.approx(known.mean, abs=0.1 * spread)
    assert estimated.errors() == pytest.approx(known.errors(), rel=0.1)


@pytest.mark.parametrize("spread", [0.4, 0.7, 1.3])
def test_intervals_hold_after_few_games_too_unless_bots_differ_more_than_that(spread):
    fields = [field(seed, 48, 2, 6, sd=spread) for seed in range(12)]
    assert 0.92 <= np.mean([covered(strengths_fit(one.games), one.strength) for one in fields]) <= 0.99


def laddered(seed, bots, seats, blocks):
    """Everyone always meets whom the ratings so far put next to it, as in a league."""
    chance = np.random.default_rng(seed)
    strength = chance.normal(0, 0.7, bots)
    games, ratings = Games(), None
    for _ in range(blocks):
        order = np.argsort((ratings.mean if ratings else 0) + chance.normal(0, 0.3, bots))
        entrants = chance.permuted(order.reshape(-1, seats), axis=1)
        luck = chance.gumbel(size=(bots // seats, seats, seats))
        games += Games.from_arrays(entrants, places_of(strength[entrants][:, None, :] + luck))
        ratings = strengths_fit(games)
    return ratings, strength


@pytest.mark.parametrize("seats", [2, 4])
def test_95_percent_intervals_hold_95_percent_of_the_true_differences(seats):
    fields = [field(seed, 48, seats, 16, shared_luck=seed % 2 / 2) for seed in range(30)]
    assert 0.93 <= np.mean([covered(strengths_fit(one.games), one.strength) for one in fields]) <= 0.97


@pytest.mark.parametrize("seats", [2, 4])
def test_they_also_do_where_bots_meet_whom_the_ratings_suggest(seats):
    assert 0.93 <= np.mean([covered(*laddered(seed, 48, seats, 12)) for seed in range(8)]) <= 0.97
