"""Every property a round robin promises, over entrants, table sizes and secrets."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tournaments.formats import Design, EntrantsError, round_robin
from tournaments.formats.round_robin.pairing import (
    round_robin_circle,
    round_robin_difference_family,
    round_robin_seats_balanced,
    round_robin_tables_of_base,
)

secrets = st.binary(min_size=1, max_size=32)
entrant_sets = st.sets(st.integers(1, 10_000), min_size=2, max_size=26).map(sorted)


@st.composite
def fields(draw: st.DrawFn) -> tuple[list[int], int]:
    seats = draw(st.integers(2, 7))
    entrants = draw(st.sets(st.integers(1, 10_000), min_size=seats, max_size=26))
    return sorted(entrants), seats


def test_circle_of_every_size_pairs_all_once_and_splits_first_seats_within_one():
    for players in [*range(2, 34), 100, 101, 250]:
        rounds = round_robin_circle(players)
        assert len(rounds) == players - 1 + players % 2
        met = Counter(frozenset(pair) for tables in rounds for pair in tables)
        assert len(met) == players * (players - 1) // 2
        assert set(met.values()) == {1}
        for seat in (0, 1):
            held = Counter(pair[seat] for tables in rounds for pair in tables)
            assert all(abs(2 * held[player] - (players - 1)) <= 1 for player in range(players))


@given(entrant_sets, secrets)
@examples(60)
def test_two_player_entrants_idle_at_most_once(entrants, secret):
    schedule = round_robin(entrants, 2, secret)
    idle = Counter(one for tables in schedule.rounds for one in set(entrants) - {p for table in tables for p in table})
    assert all(times == 1 for times in idle.values())
    assert len(idle) == (len(entrants) if len(entrants) % 2 else 0)


@given(fields(), secrets)
@examples(120)
def test_pairs_meet_within_one_and_everyone_sits_and_idles_equally(field, secret):
    entrants, seats = field
    schedule = round_robin(entrants, seats, secret)
    assert len(schedule.meetings(entrants)) <= 2
    assert schedule.meetings(entrants).start >= 1
    if schedule.design is not Design.NEAR:
        assert len(schedule.meetings(entrants)) == 1
    assert all(len(set(table)) == seats for table in schedule.tables())
    sat = Counter(player for table in schedule.tables() for player in table)
    assert set(sat) == set(entrants)
    assert len(set(sat.values())) == 1
    for tables in schedule.rounds:
        seated = [player for table in tables for player in table]
        assert len(seated) == len(set(seated))


@given(fields(), secrets)
@examples(80)
def test_seats_are_equal_where_they_divide_and_within_one_elsewhere(field, secret):
    entrants, seats = field
    tables = list(round_robin(entrants, seats, secret).tables())
    held = Counter((player, seat) for table in tables for seat, player in enumerate(table))
    played = sum(entrants[0] in table for table in tables)
    for player in entrants:
        counts = [held[player, seat] for seat in range(seats)]
        assert max(counts) - min(counts) <= (1 if played % seats else 0)


@given(fields(), secrets, st.randoms())
@examples(40)
def test_the_schedule_depends_on_the_set_of_entrants_and_the_secret_alone(field, secret, chance):
    entrants, seats = field
    shuffled = list(entrants)
    chance.shuffle(shuffled)
    assert round_robin(entrants, seats, secret) == round_robin(shuffled, seats, secret)


def test_another_secret_seeds_another_order():
    assert len({round_robin(range(8), 2, bytes([n])).rounds for n in range(1, 20)}) > 10


@pytest.mark.parametrize(
    ("players", "seats", "design", "tables", "meetings"),
    [
        (5, 3, Design.SUBSETS, 10, 3),
        (8, 5, Design.SUBSETS, 56, 20),
        (9, 4, Design.CYCLIC, 18, 3),
        (13, 4, Design.CYCLIC, 13, 1),  # the projective plane of order 3
        (16, 4, Design.CYCLIC, 80, 4),
        (21, 5, Design.CYCLIC, 21, 1),  # of order 4
        (31, 6, Design.CYCLIC, 31, 1),  # of order 5
        (15, 7, Design.CYCLIC, 15, 3),
    ],
)
def test_known_designs_are_found(players, seats, design, tables, meetings):
    schedule = round_robin(range(players), seats, b"s")
    assert (schedule.design, len(list(schedule.tables()))) == (design, tables)
    assert schedule.meetings(range(players)) == range(meetings, meetings + 1)


@pytest.mark.parametrize("players", [12, 20, 40])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_where_no_design_is_known_pairs_still_meet_within_one(players, seats):
    assert len(round_robin(range(players), seats, b"s").meetings(range(players))) <= 2


def test_a_family_says_its_own_spread():
    base, spread = round_robin_difference_family(12, 4, 1)
    met = Counter(pair for table in round_robin_tables_of_base(base, 12) for pair in combinations(sorted(table), 2))
    assert max(met.values()) - min(met[pair] for pair in combinations(range(12), 2)) == spread


@given(st.lists(st.sets(st.integers(0, 9), min_size=3, max_size=3).map(sorted), min_size=1, max_size=40))
@examples(200)
def test_any_tables_at_all_are_seated_within_one(tables):
    seated = round_robin_seats_balanced(tables)
    assert [sorted(table) for table in seated] == tables
    held = Counter((player, seat) for table in seated for seat, player in enumerate(table))
    for player in {player for table in tables for player in table}:
        counts = [held[player, seat] for seat in range(3)]
        assert max(counts) - min(counts) <= 1


def test_one_full_table_is_one_round():
    assert len(round_robin(range(7), 7, b"s").rounds) == 1


def test_too_few_for_a_table_are_refused_with_the_figures():
    with pytest.raises(EntrantsError) as refused:
        round_robin([1, 2, 3], 4, b"s")
    assert (refused.value.entrants, refused.value.seats) == (3, 4)
