"""What somebody gains who games a ladder, tried on the services; the slow ones print what they measured."""

from itertools import groupby
from statistics import mean

import pytest

from ratings import capping
from tests.leagues.attacks import arena_of, arrives, is_served, takes_the_luckiest, uploads_all_day

pytestmark = pytest.mark.django_db

SEEDS = range(8)


@pytest.mark.simulation
def test_uploading_all_day_gets_no_author_more_than_twice_the_fair_share():
    assert uploads_all_day(arena_of(9, 1), every=6, matches=60) <= 2.2


@pytest.mark.simulation
def test_a_new_bot_meets_nobody_three_times_in_a_row():
    opponents = arrives(arena_of(5, 1), before=30, matches=15)
    assert max(len(list(same)) for _bot, same in groupby(opponents)) <= 2
    assert max(opponents.count(one) for one in opponents) <= 6


@pytest.mark.simulation
def test_the_luckiest_of_several_uploads_of_one_program_gains_nothing_by_coming_back():
    assert takes_the_luckiest(arena_of(5, 1, blocks=4), versions=4, each=4, after=0) <= 15


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_nobody_gains_by_uploading_one_program_twenty_times():
    gains = [takes_the_luckiest(arena_of(19, seed), versions=20, each=6, after=100) for seed in SEEDS]
    print("twenty uploads, the luckiest current, points gained:", *map(round, gains), "mean", round(mean(gains)))
    assert mean(gains) <= 15


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_every_six_matches_a_version_gets_nobody_more_than_twice_the_fair_share():
    shares = [uploads_all_day(arena_of(19, seed), every=6, matches=240) for seed in SEEDS]
    print("a version every six matches, fair shares of the seats:", *shares)
    assert max(shares) <= 2.2


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("servants", "left"), [(3, 0.5), (8, 0.9)])
def test_clones_under_other_accounts_give_less_than_they_would(servants, left, monkeypatch):
    capped, uncapped = [], []
    for seed in SEEDS[:4]:
        arena = arena_of(19, seed)
        gain, bot = is_served(arena, servants=servants, matches=500)
        capped.append(gain)
        with monkeypatch.context() as patched:
            patched.setattr(capping, "ROUNDS", 0)
            arena.joins(0.0)  # so that the ladder is fitted again
            uncapped.append(arena.gain(bot))
    print(f"{servants} servants, points gained:", *map(round, capped), "mean", round(mean(capped)))
    print("the same games without the cap:", *map(round, uncapped), "mean", round(mean(uncapped)))
    assert mean(capped) <= left * mean(uncapped)  # eight of 28 met too seldom: decision 21
