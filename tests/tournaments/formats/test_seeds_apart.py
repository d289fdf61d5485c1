"""Bots of one author are seeded into different parts of a knockout, as far as their tiers allow."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.formats.draw_position import StageTerms
from tournaments.formats.knockout.format import DOUBLE_ELIMINATION, HEATS, SINGLE_ELIMINATION
from tournaments.formats.knockout.plan import knockout_plan_bracket_places

TERMS = StageTerms(
    number=1,
    format="",
    rounds=0,
    entrants=0,
    players_per_table=2,
    smallest_table=2,
    blocks=1,
    stopping={},
    third_place=False,
)
OF_FOUR = StageTerms(
    number=1,
    format="",
    rounds=0,
    entrants=0,
    players_per_table=4,
    smallest_table=3,
    blocks=1,
    stopping={},
    third_place=False,
)


def parts(seeds, group, depth):
    """How many of the group are in each part of the bracket, the halves at depth 1."""
    places = knockout_plan_bracket_places(len(seeds))
    return Counter(places[at][1][:depth] for at, one in enumerate(seeds) if one in group)


def met_first(seeds, groups):
    """How many tables of the first round have two of a group, from the bracket itself."""
    bouts = SINGLE_ELIMINATION.bracket(TERMS, seeds, {}, (), {}, ()).bouts
    first = [set(bout.seating) for bout in bouts if bout.place.round == 1 and len(bout.seating) == 2]
    return sum(any(len(table & group) > 1 for group in groups) for table in first)


def test_two_of_one_author_who_would_meet_first_meet_in_the_final_only():
    assert SINGLE_ELIMINATION.seeded(TERMS, [1, 2, 3, 4], [{1, 4}]) == [1, 2, 4, 3]
    assert SINGLE_ELIMINATION.seeded(TERMS, [1, 2, 3, 4], [{1, 3}]) == [1, 2, 3, 4]  # they do already
    assert SINGLE_ELIMINATION.seeded(TERMS, [1, 2, 3, 4], [{1, 4}, {2, 3}]) == [1, 2, 4, 3]


def test_four_of_one_author_are_in_the_four_quarters():
    order = list(range(1, 17))
    seeds = SINGLE_ELIMINATION.seeded(TERMS, order, [{5, 9, 10, 12}])
    assert set(parts(seeds, {5, 9, 10, 12}, 2).values()) == {1}
    assert len(parts(seeds, {5, 9, 10, 12}, 2)) == 4
    assert DOUBLE_ELIMINATION.seeded(TERMS, order, [{5, 9, 10, 12}]) == seeds


@pytest.mark.parametrize("lone", [[], [{7}], [{100, 101}]])
def test_without_two_of_one_author_nobody_is_moved(lone):
    assert SINGLE_ELIMINATION.seeded(TERMS, list(range(1, 12)), lone) == list(range(1, 12))


@given(data=st.data(), entrants=st.integers(2, 40))
def test_seeds_stay_in_their_tier_and_parts_are_shared_evenly_where_tiers_allow(data, entrants):
    order = data.draw(st.permutations(range(entrants)))
    owner = data.draw(st.lists(st.integers(0, 7), min_size=entrants, max_size=entrants))
    groups = [{one for one in order if owner[one] == who} for who in sorted(set(owner))]
    seeds = SINGLE_ELIMINATION.seeded(TERMS, order, groups)
    assert sorted(seeds) == sorted(order)
    tier = {one: at.bit_length() for at, one in enumerate(order)}
    assert [tier[one] for one in seeds] == [tier[one] for one in order]
    assert SINGLE_ELIMINATION.seeded(TERMS, order, groups) == seeds  # of equal orders the same seeds
    for depth in (1, 2):
        for group in groups:
            last = {one for one in group if tier[one] == max(tier.values())}
            if group == last and entrants & (entrants - 1) == 0 and len(groups) == 1:
                assert max(parts(seeds, group, depth).values()) - min(parts(seeds, group, depth).values()) <= 1


def test_over_many_lots_hardly_anybody_meets_their_own_first():
    chance, before, after = random.Random(38), 0, 0
    for _ in range(50):
        order = list(range(32))
        chance.shuffle(order)
        groups = [set(range(at, at + 4)) for at in range(0, 32, 4)]
        before += met_first(order, groups)
        after += met_first(SINGLE_ELIMINATION.seeded(TERMS, order, groups), groups)
    assert before > 50
    assert after * 20 < before


def test_in_heats_they_sit_at_different_tables():
    order = list(range(16))
    groups = [{0, 7, 8, 15}, {1, 6}]
    seeds = HEATS.seeded(OF_FOUR, order, groups)
    heats = HEATS.bracket(OF_FOUR, seeds, {}, (), {}, ()).bouts
    assert len(heats) == 4
    assert all(len(set(heat.seating) & group) < 2 for heat in heats for group in groups)
    plain = HEATS.bracket(OF_FOUR, order, {}, (), {}, ()).bouts
    assert any(len(set(heat.seating) & group) > 1 for heat in plain for group in groups)


def test_a_field_that_fills_no_table_is_left_as_it_is():
    assert HEATS.seeded(OF_FOUR, [1, 2], [{1, 2}]) == [1, 2]
