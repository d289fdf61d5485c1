"""Tables of five and more: annealed from the swaps' tables, the same on every machine, and nothing but gaps traded."""

from hashlib import sha256
from itertools import chain, combinations
from math import log
from random import Random
from statistics import mean

import pytest

from tests.tournaments.formats.test_swiss import SECRET, Event, rematches
from tournaments.formats import RankedEntrant, swiss_round
from tournaments.formats.seating import seating_table_sizes
from tournaments.formats.swiss import pairing as swiss
from tournaments.formats.swiss.pairing_cost import swiss_cost_candidates
from tournaments.formats.swiss.search import FEW, SCALE, WAITS, swiss_cheapest_tables, swiss_tables_anneal
from tournaments.formats.swiss.seat_balance import swiss_seats_unmet_at


def ranges(draw):
    return mean(
        max(chair.score for chair in table.chairs) - min(chair.score for chair in table.chairs) for table in draw.tables
    )


def squares(draw):
    return sum((one.score - other.score) ** 2 for table in draw.tables for one, other in combinations(table.chairs, 2))


def event_of(count, seats, seed=1):
    chance = Random(seed)
    strength = [chance.gauss(0, 1) for _ in range(count)]
    form = {}
    return Event(
        range(count), seats, lambda number, one: form.setdefault((number, one), strength[one] + chance.gauss(0, 1))
    )


@pytest.fixture
def without(monkeypatch):
    """Rounds as the swaps alone leave them."""

    def switch(off):
        monkeypatch.setattr(swiss, "FROM", 99 if off else 5)

    return switch


@pytest.mark.parametrize(("seats", "count"), [(5, 100), (7, 140), (7, 143)])
def test_annealing_narrows_the_ranges_and_makes_no_rematch(seats, count, without):
    event = event_of(count, seats)
    without(True)
    for _ in range(5):
        event.play()
    players = event.players()
    before = swiss_round(players, seats, event.smallest, SECRET, 6)
    without(False)
    after = swiss_round(players, seats, event.smallest, SECRET, 6)
    met = {one.entrant: one for one in players}
    assert ranges(after) < ranges(before)
    assert squares(after) < 0.9 * squares(before)
    for draw in (before, after):
        assert rematches([table.seating for table in draw.tables], met) == 0


def test_the_same_lot_gives_the_same_tables_on_any_machine():
    event = event_of(70, 7)
    for _ in range(3):
        _, draw = event.play()
    text = "\n".join(" ".join(map(str, table.seating)) for table in draw.tables)
    assert sha256(text.encode()).hexdigest()[:16] == "41aa4f351bfce3e6"


def test_no_waiting_time_is_near_where_machines_could_round_differently():
    exact = [-SCALE * log((2 * each + 1) / 512) for each in range(256)]
    assert min(abs(one % 1 - 0.5) for one in exact) > 1e-6
    assert abs(mean(WAITS) / SCALE - 1) < 0.01  # exponential: mean one


@pytest.mark.parametrize("seed", range(4))
def test_no_term_heavier_than_gaps_increases(seed):
    chance = Random(seed)
    count, seats = 47, 6
    met = {one: {} for one in range(count)}
    for _ in range(500):
        one, other = chance.sample(range(count), 2)
        met[one][other] = met[other][one] = chance.randrange(1, 3)
    scores = sorted((chance.randrange(30) / 2 for _ in range(count)), reverse=True)
    players = [
        RankedEntrant(one, scores[one], met[one], (0,) * seats, short=chance.randrange(2)) for one in range(count)
    ]
    forbidden = [frozenset(pair) for pair in combinations(range(0, count, 9), 2)]
    field = swiss_cost_candidates(players, seats, forbidden)
    order = list(range(count))
    chance.shuffle(order)
    tables = [[order.pop() for _ in range(size)] for size in seating_table_sizes(count, seats, 4).tables]
    before, weight = [table.copy() for table in tables], heavy(field, tables)
    swiss_tables_anneal(field, tables, b"seed")
    assert sorted(map(len, tables)) == sorted(map(len, before))
    assert sorted(chain.from_iterable(tables)) == list(range(count))
    assert heavy(field, tables) <= weight
    assert gaps(field, tables) < gaps(field, before)


def heavy(field, tables):
    """Pairs that are forbidden, rematches and second short tables of a round, the weightiest first."""
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    return (
        sum(other in field.apart[one] for one, other in pairs),
        sum(field.met[one].get(other, 0) ** 2 for one, other in pairs),
        sum(field.short[one] ** 2 for table in tables if len(table) < field.seats for one in table),
    )


def gaps(field, tables):
    return sum((field.scores[a] - field.scores[b]) ** 2 for table in tables for a, b in combinations(table, 2))


@pytest.mark.slow
def test_350_bots_at_tables_of_seven_sit_within_two_points():
    found = []
    event = event_of(350, 7)
    for _ in range(10):
        _, draw = event.play()
        found.append(ranges(draw))
        assert not any(table.repeated for table in draw.tables)
    assert mean(found) <= 1.9


@pytest.mark.parametrize("seed", range(60))
def test_up_to_twelve_players_only_seats_three_apart_are_worth_a_wider_gap(seed):
    chance = Random(seed)
    seats = chance.choice([2, 3, 4])
    count = chance.choice([size for size in (2 * seats, 3 * seats) if size <= FEW])
    players = [
        RankedEntrant(one, float(chance.randrange(4)), {}, tuple(chance.randrange(4) for _ in range(seats)))
        for one in range(count)
    ]
    draw = swiss_round(players, seats, seats, SECRET, 1)
    order = sorted(players, key=lambda one: -one.score)
    field = swiss_cost_candidates(order, seats)
    number = {one.entrant: place for place, one in enumerate(order)}
    drawn = [[number[entrant] for entrant in table.seating] for table in draw.tables]
    best, _ = swiss_cheapest_tables(field, seating_table_sizes(count, seats, seats))
    if gaps(field, drawn) > gaps(field, best):
        # No tables that cost the least are free of seats three apart.
        assert far(best, field) > far(drawn, field)


def far(tables, field):
    return sum(swiss_seats_unmet_at(table, field.limits) for table in tables)
