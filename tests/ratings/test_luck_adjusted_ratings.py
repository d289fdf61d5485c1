"""Ratings from games with their luck taken off: what is taken, that nothing else is, and how often intervals hold."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from ratings import Block, BlockError, Games, GamesWithLuck, Prior, ratings_fit_capped, strengths_fit
from ratings.capping import Sides
from ratings.scale import PER_LOGIT
from tests.ratings.simulated import covered as pairs_covered
from tests.ratings.simulated import lucky

BOTS = 8


def with_luck(field):
    return GamesWithLuck.from_blocks(field.blocks)


def shares(games):
    """By table size, block and entrant: opponents beaten."""
    return [one.beaten.sum(axis=2) / (one.entrants.shape[1] - 1) for one in games.tables]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_taken_off_a_bot_is_a_multiple_of_its_luck_and_goes_to_its_opponents(seats):
    field = lucky(1, BOTS, seats, 30, most=1.0, explained=0.9)
    games = with_luck(field)
    less = games.less_luck()
    (before,), (after,), (luck,) = shares(games.games), shares(less), games.luck
    taken = before - after
    for half in (0, 1):
        slope = taken[half::2] / luck[half::2]
        assert slope == pytest.approx(slope[0, 0])
        assert 0.5 < slope[0, 0] <= 1
    assert taken.sum(axis=1) == pytest.approx(0)
    (table,) = less.tables
    met = table.beaten + table.beaten.swapaxes(1, 2)
    assert met == pytest.approx(np.broadcast_to(seats * (1 - np.eye(seats)), met.shape), abs=1e-12)


def test_tables_of_several_sizes_are_kept_apart():
    blocks = (
        lucky(1, BOTS, 2, 10, most=1.0, explained=0.9).blocks + lucky(2, BOTS, 4, 10, most=1.0, explained=0.9).blocks
    )
    np.random.default_rng(3).shuffle(blocks := list(blocks))
    games = GamesWithLuck.from_blocks(blocks)
    assert [one.entrants.shape[1] for one in games.games.tables] == [2, 4]
    for table, luck in zip(games.games.tables, games.luck, strict=True):
        assert luck.shape == table.entrants.shape
        assert luck.sum(axis=1) == pytest.approx(0, abs=1e-9)


def test_luck_that_explains_nothing_changes_nothing():
    field = lucky(5, BOTS, 2, 20, most=1.0, explained=0.9)
    none = GamesWithLuck.from_blocks([(block, (0.0, 0.0)) for block, _ in field.blocks])
    against = GamesWithLuck.from_blocks([(block, (-one, -other)) for block, (one, other) in field.blocks])
    for games in (none, against):
        assert [one.beaten.tolist() for one in games.less_luck().tables] == [
            one.beaten.tolist() for one in field.games.tables
        ]
    assert GamesWithLuck.from_blocks([]).less_luck() == Games()
    with pytest.raises(BlockError):
        GamesWithLuck.from_blocks([(Block((1, 1), ((1, 2),)), (0.0, 0.0))])


def test_how_results_vary_is_expected_to_be_what_the_luck_leaves_of_it():
    """Else few blocks would be estimated to vary as if no luck had been taken off: intervals too wide."""
    games = with_luck(lucky(1, BOTS, 2, 30, most=0.7, explained=0.9))
    less = games.less_luck()
    assert 0.1 < less.varying < 0.4 < games.games.varying == 1.0
    assert less.without([0]).varying == (less + less).varying == less.varying
    assert (less + games.games).varying == 1.0
    priors = dict.fromkeys(range(BOTS), Prior())
    own, usual = (strengths_fit(one, priors).difference(0, 1) for one in (less, replace(less, varying=1.0)))
    assert own.high - own.low < 0.95 * (usual.high - usual.low)


def test_a_blocks_own_luck_does_not_decide_how_much_of_it_is_taken():
    """Otherwise the mean would not stay: what was lucky would be taken off the more the luckier it was."""
    field = lucky(7, BOTS, 2, 20, most=1.0, explained=0.9)
    changed = [
        (block, (9 * one, 9 * other) if at == 4 else (one, other))
        for at, (block, (one, other)) in enumerate(field.blocks)
    ]
    (plain,), (other,) = (GamesWithLuck.from_blocks(one).less_luck().tables for one in (field.blocks, changed))
    lost = np.array(field.games.tables[0].beaten)
    assert other.beaten[0::2][0] == pytest.approx(plain.beaten[0::2][0]), "its own half's slope is the other half's"
    assert (other.beaten - lost)[4] == pytest.approx(9 * (plain.beaten - lost)[4])
    assert other.beaten[1] != pytest.approx(plain.beaten[1])


def covered(fields, seats, blocks, most, explained):
    """By band of one logit the shares of true differences that lie in their intervals with the luck taken off; and the
    mean squared error of the differences with it, divided by that without."""
    inside, errors = {}, {True: [], False: []}
    for seed in range(fields):
        field = lucky(seed, BOTS, seats, blocks, most=most, explained=explained)
        games, priors = with_luck(field), dict.fromkeys(range(BOTS), Prior())
        for less, played in ((False, games.games), (True, games.less_luck(priors))):
            ratings = strengths_fit(played, priors)
            for one, other in pairwise(range(BOTS)):  # their strengths are drawn, so these are any two
                lead = (field.strength[one] - field.strength[other]) * PER_LOGIT
                found = ratings.difference(one, other)
                errors[less].append((found.points - lead) ** 2)
                if less:
                    inside.setdefault(int(abs(lead) / PER_LOGIT), []).append(found.low <= lead <= found.high)
    return {band: (float(np.mean(one)), len(one)) for band, one in sorted(inside.items())}, np.mean(
        errors[False]
    ) / np.mean(errors[True])


@pytest.mark.simulation
@pytest.mark.parametrize("seats", [2, 4])
def test_the_same_games_give_more_information_and_no_interval_is_too_narrow(seats):
    found, gain = covered(8, seats, 12, 0.7, 0.9)
    assert gain > 2
    share = sum(part * count for part, count in found.values()) / sum(count for _, count in found.values())
    assert share > 0.87


@pytest.mark.simulation
@pytest.mark.parametrize("seats", [2, 4])
def test_a_ladder_with_capped_games_gains_information_too(seats):
    each = dict(enumerate(range(BOTS)))  # bots of authors of their own
    sides, priors = Sides(each, each), dict.fromkeys(range(BOTS), Prior())
    inside, errors = [], {True: [], False: []}
    for seed in range(12):
        field = lucky(seed, BOTS, seats, 30, most=0.7, explained=0.9)
        games = with_luck(field)
        for less, played in ((False, games.games), (True, games.less_luck(priors))):
            ratings = ratings_fit_capped(played, priors, sides)
            errors[less].append(float(np.var(ratings.mean - field.strength)))
            if less:
                inside.append(pairs_covered(ratings, field.strength))
    assert np.mean(errors[False]) > 2 * np.mean(errors[True])
    assert np.mean(inside) > 0.87


@pytest.mark.slow
@pytest.mark.parametrize("explained", [0.6, 0.9])
@pytest.mark.parametrize("most", [0.7, 3.0])
@pytest.mark.parametrize("blocks", [5, 10, 30])
@pytest.mark.parametrize("seats", [2, 4])
def test_differences_lie_in_their_intervals_at_the_nominal_rate(seats, blocks, most, explained):
    found, gain = covered(150, seats, blocks, most, explained)
    print(
        seats,
        blocks,
        most,
        explained,
        round(gain, 2),
        {band: (round(100 * one, 1), n) for band, (one, n) in found.items()},
    )
    assert gain > 1
    for share, count in found.values():
        assert share >= 0.93 - 0.02 or count < 300
