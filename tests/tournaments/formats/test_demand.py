"""Seats over a whole tournament: equals sit where each can have a seat it had least, at no cost."""

from collections import Counter
from itertools import combinations, permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.formats.test_swiss import Event, events, exchange, rounds, spreads
from tournaments.formats import RankedEntrant
from tournaments.formats.swiss.pairing_cost import swiss_cost_candidates, swiss_seat_wish
from tournaments.formats.swiss.search import swiss_tables_cut, swiss_tables_improve
from tournaments.formats.swiss.seat_balance import (
    swiss_seats_cap,
    swiss_seats_dealt_in_balance,
    swiss_seats_level,
    swiss_seats_unmet,
    swiss_seats_unmet_at,
)


@given(st.integers(2, 5).flatmap(lambda k: st.lists(st.integers(0, 2**k - 1), min_size=k, max_size=k)))
def test_as_many_wishes_are_met_as_any_order_of_the_table_meets(wishes):
    met = max(
        sum(wishes[player] >> seat & 1 for seat, player in enumerate(order))
        for order in permutations(range(len(wishes)))
    )
    assert swiss_seats_unmet(tuple(sorted(wishes))) == len(wishes) - met


@pytest.mark.parametrize(
    ("sat", "seats", "wanted"),
    [
        ((0, 0, 0), 3, {0, 1, 2}),
        ((1, 0, 1), 3, {1}),
        ((1, 1, 1), 3, {0, 1, 2}),
        ((2, 1, 1), 3, {1, 2}),
        ((2, 0, 0), 3, {1, 2}),
        ((1, 1, 1, 0), 3, {0, 1, 2}),  # the seat it lacks is not there: none of these does better than another
    ],
)
def test_a_bot_wants_the_seats_after_which_its_seats_are_most_even(sat, seats, wanted):
    assert {seat for seat in range(seats) if swiss_seat_wish(sat, seats) >> seat & 1} == wanted


def field(count, seats, seed):
    chance = Random(seed)
    met = {number: {} for number in range(count)}
    for _ in range(2 * count):
        one, other = chance.sample(range(count), 2)
        met[one][other] = met[other][one] = 1
    players = [
        RankedEntrant(number, float(chance.randrange(4)), met[number], tuple(chance.randrange(2) for _ in range(seats)))
        for number in range(count)
    ]
    return swiss_cost_candidates(sorted(players, key=lambda one: -one.score), seats)


@pytest.mark.parametrize("seats", [2, 3, 4, 7])
@pytest.mark.parametrize("seed", range(4))
def test_only_equals_change_places_and_the_round_costs_no_more(seats, seed):
    drawn = field(12 * seats, seats, seed)
    everyone = list(range(12 * seats))
    order = swiss_seats_dealt_in_balance(drawn, everyone, seats)
    assert sorted(order) == everyone
    assert [drawn.scores[player] for player in order] == list(drawn.scores)
    tables = swiss_tables_cut(drawn, everyone, [seats] * 12)
    swiss_tables_improve(drawn, tables)
    before, cost = [table.copy() for table in tables], drawn.total(tables)
    swiss_seats_level(drawn, tables)
    assert drawn.total(tables) <= cost + 1e-9
    assert sorted(player for table in tables for player in table) == everyone
    for old, new in zip(before, tables, strict=True):
        assert [drawn.scores[player] for player in old] == [drawn.scores[player] for player in new]


@pytest.mark.parametrize(("seats", "rounds"), [(2, 7), (3, 7), (4, 9)])
def test_no_more_bots_are_two_apart_than_the_groups_of_equals_make_unavoidable(seats, rounds):
    chance = Random(seats)
    form = {}
    event = Event(range(80 * seats), seats, lambda number, entrant: form.setdefault((number, entrant), chance.random()))
    for number in range(1, rounds + 1):
        before, _ = event.play()
        apart = sum(max(one.sat) - min(one.sat) > 1 for one in event.players())
        # Where everyone lacks one seat only, each group has more of one kind than of another.
        missing = surplus(before.values()) if number % seats == 0 else 0
        assert apart <= missing + 0.02 * len(event.scores), (number, apart, missing)


def surplus(players):
    """Of those with equal scores, how many lack a seat that too many of them lack."""
    groups = {}
    for one in players:
        groups.setdefault(one.score, Counter())[one.sat.index(min(one.sat))] += 1
    seats = len(one.sat)
    return sum(max(0, lack - group.total() / seats) for group in groups.values() for lack in group.values())


def often_seated(seed):
    """Players who have had some seats far more often than others, and have met each other several times."""
    chance = Random(seed)
    seats = chance.choice([2, 3, 4])
    count = seats * chance.randrange(2, 6)
    met = {number: {} for number in range(count)}
    for _ in range(2 * count):
        one, other = chance.sample(range(count), 2)
        met[one][other] = met[other][one] = chance.randrange(1, 4)
    players = [
        RankedEntrant(number, float(chance.randrange(4)), met[number], tuple(chance.randrange(4) for _ in range(seats)))
        for number in range(count)
    ]
    return {one.entrant: one for one in sorted(players, key=lambda one: -one.score)}, seats


@pytest.mark.parametrize("seed", [124, 311, 407, 475, 525])  # each finds the trade if it is not refused
def test_sparing_a_bot_its_seat_is_worth_no_rematch_whatever_else_it_saves(seed):
    players, seats = often_seated(seed)
    drawn = swiss_cost_candidates(list(players.values()), seats)
    entrants = list(players)
    tables = swiss_tables_cut(drawn, range(len(players)), [seats] * (len(players) // seats))
    swiss_tables_improve(drawn, tables)
    before = meetings([[entrants[player] for player in table] for table in tables], players)
    swiss_seats_cap(drawn, tables)
    assert meetings([[entrants[player] for player in table] for table in tables], players) <= before


@given(events())
@examples(60)
def test_nobody_comes_to_be_three_apart_while_two_can_change_places_without_a_rematch(case):
    for players, draw in rounds(*case):
        tables = [table.seating for table in draw.tables]
        for table in tables:
            if furthest([table], players) < 3:
                continue
            for other_table in tables:
                for one, other in product(table, other_table):
                    if other_table != table:
                        exchanged = exchange(table, one, other_table, other)
                        assert meetings(exchanged, players) > meetings([table, other_table], players) or beyond(
                            exchanged, players
                        ) >= beyond([table, other_table], players)


def meetings(tables, players):
    """What rematches weigh: a third meeting four times as much as a second."""
    return sum(players[one].met.get(other, 0) ** 2 for table in tables for one, other in combinations(table, 2))


def beyond(tables, players):
    """How many come to be three apart, in the best order of each table."""
    return sum(
        min(sum(spread > 2 for spread in spreads(order, players)) for order in permutations(table)) for table in tables
    )


def furthest(tables, players):
    return max(spread for table in tables for spread in spreads(table, players))


@given(events(most=8))
@examples(60)
def test_of_the_rounds_that_cost_the_least_few_bots_get_the_one_with_the_most_wanted_seats(case):
    event = case[0]
    for players, draw in rounds(*case):
        if len(players) > 8 or draw.byes:
            break
        ordered = sorted(players.values(), key=lambda one: -one.score)
        drawn = swiss_cost_candidates(ordered, event.seats)
        number = {one.entrant: player for player, one in enumerate(ordered)}
        tables = [[number[entrant] for entrant in table.seating] for table in draw.tables]
        every = list(partitions(list(range(len(players))), sorted(map(len, tables))))
        best = min((drawn.total(some), wanting(drawn, some)) for some in every)
        assert (drawn.total(tables), wanting(drawn, tables)) == (pytest.approx(best[0]), best[1])


def wanting(drawn, tables):
    return sum(swiss_seats_unmet_at(table, drawn.wishes) for table in tables)


def partitions(left, sizes):
    """Every way to form tables of these sizes."""
    if not left:
        yield []
        return
    for size in set(sizes):
        rest = sizes.copy()
        rest.remove(size)
        for companions in combinations(left[1:], size - 1):
            for others in partitions([one for one in left[1:] if one not in companions], rest):
                yield [[left[0], *companions], *others]
