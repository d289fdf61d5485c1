"""What somebody gains who games a ladder, tried on the services; the long ones print what they measured."""

from itertools import groupby

import pytest

from tests.tournaments.league.attacks import arena_of, arrives, uploads_all_day

pytestmark = pytest.mark.django_db


def test_uploading_all_day_gets_no_author_more_than_twice_the_fair_share():
    assert uploads_all_day(arena_of(9, 1), every=6, matches=60) <= 2.2


def test_a_new_bot_meets_nobody_three_times_in_a_row():
    opponents = arrives(arena_of(5, 1), before=30, matches=15)
    assert max(len(list(same)) for _bot, same in groupby(opponents)) <= 2
    assert max(opponents.count(one) for one in opponents) <= 6
