"""Knockouts at larger tables: everyone who is there plays or passes, and one table is left in the end."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.examples import examples
from tournaments.formats import EntrantsError, seating_smallest_table, seating_table_sizes
from tournaments.formats.knockout import DecidedBy, Heat, HeatShare, heat_advancing, heats_of


class Cup:
    """Heats being played; ``strength`` of an entrant gives its score at every table."""

    def __init__(self, entrants, seats, smallest, strength=lambda entrant: -entrant):
        self.seeds, self.seats, self.smallest, self.strength = list(range(entrants)), seats, smallest, strength
        self.results, self.undecided, self.passed, self.left = {}, set(), {}, set()

    def heats(self):
        return heats_of(self.seeds, self.seats, self.smallest, self.results, self.undecided, self.passed, self.left)

    def draw(self):
        """The heats of the next round, which are being played then."""
        heats = self.heats().next_round
        for heat in heats:
            self.results[heat.place] = [
                HeatShare(one, self.strength(one), 0, seed) for one, seed in zip(heat.entrants, heat.seeds, strict=True)
            ]
            self.undecided.add(heat.place)
            self.passed[heat.place.round] = heat.passing
        return heats

    def play(self):
        """A round, as it was drawn and as it ended."""
        drawn = self.draw()
        self.undecided.clear()
        places = {heat.place for heat in drawn}
        return drawn, tuple(heat for heat in self.heats().bouts if heat.place in places)


@st.composite
def cups(draw):
    seats = draw(st.integers(3, 7))
    smallest = draw(st.integers(seating_smallest_table(seats), seats))
    entrants = draw(st.integers(smallest, 60))
    strengths = draw(st.lists(st.integers(0, 9), min_size=entrants, max_size=entrants))
    return Cup(entrants, seats, smallest, strengths.__getitem__)


@examples(50)
@given(cups())
def test_everyone_in_a_round_sits_once_or_passes_and_one_table_is_left_in_the_end(cup):
    field = set(cup.seeds)
    for _ in range(20):
        drawn, ended = cup.play()
        passing = drawn[0].passing
        assert sorted([one for heat in drawn for one in heat.entrants] + list(passing)) == sorted(field)
        sizes = {len(heat.entrants) for heat in drawn}
        assert max(sizes) - min(sizes) <= 1
        assert cup.smallest <= min(sizes) <= max(sizes) <= cup.seats
        if len(drawn) == 1 and not passing:
            break
        onward = {one for heat in ended for one in heat.goes_on} | set(passing)
        assert len(onward) < len(field)
        field = onward
    heats = cup.heats()
    assert heats.next_round == ()
    (winner,) = (one.entrant for one in heats.placings if one.rank == 1)
    assert (winner,) == ended[0].goes_on == ended[0].order[:1]


@examples(50)
@given(cups())
def test_qualifiers_were_ahead_of_everyone_eliminated(cup):
    while cup.heats().next_round:
        _, ended = cup.play()
        for heat in ended:
            seed = dict(zip(heat.entrants, heat.seeds, strict=True))
            better = sorted(heat.entrants, key=lambda one: (-cup.strength(one), seed[one]))
            assert heat.goes_on == tuple(better[: heat.going])
            last, first_out = better[heat.going - 1], better[heat.going]
            assert heat.by == (DecidedBy.SEED if cup.strength(last) == cup.strength(first_out) else DecidedBy.SCORE)


@examples(50)
@given(cups())
def test_places_follow_how_far_one_came_and_then_the_last_table(cup):
    reached = {}
    number = 0
    while cup.heats().next_round:
        number += 1
        _, ended = cup.play()
        for heat in ended:
            for place, one in enumerate(heat.order):
                reached[one] = (number, len(heat.order) - place)
    rows = cup.heats().placings
    assert sorted(one.entrant for one in rows) == cup.seeds
    ranks = {one.entrant: one.rank for one in rows}
    for one in cup.seeds:
        assert ranks[one] == 1 + sum(reached[other] > reached[one] for other in cup.seeds)


@examples(50)
@given(cups(), st.data())
def test_during_a_round_remaining_entrants_rank_above_eliminated_ones(cup, data):
    while drawn := cup.draw():
        open_ = data.draw(st.sets(st.sampled_from([heat.place for heat in drawn]), min_size=1))
        cup.undecided = open_
        heats = cup.heats()
        passing = set(drawn[0].passing)
        of_round = [heat for heat in heats.bouts if heat.place.round == drawn[0].place.round]
        within = {one for heat in of_round for one in heat.goes_on or heat.entrants} | passing
        assert {one.entrant for one in heats.placings if one.rank == 1} == within
        cup.undecided.clear()


@examples(50)
@given(cups(), st.data())
def test_leavers_are_in_no_later_round_and_drawn_rounds_stay(cup, data):
    while cup.heats().next_round:
        drawn = cup.draw()
        cup.left |= set(data.draw(st.lists(st.sampled_from(cup.seeds), max_size=2)))
        assert [heat.entrants for heat in cup.heats().bouts if heat.place in {one.place for one in drawn}] == [
            heat.entrants for heat in drawn
        ]
        cup.undecided.clear()
        assert not any(cup.left & {*heat.entrants, *heat.passing} for heat in cup.heats().next_round)


@examples(50)
@given(cups())
def test_nothing_more_is_drawn_while_a_heat_is_played(cup):
    while drawn := cup.draw():
        assert cup.heats().next_round == ()
        cup.undecided = {drawn[0].place}
        assert cup.heats().next_round == ()
        cup.undecided.clear()


@examples(50)
@given(cups())
def test_the_better_seeds_sit_apart_and_at_the_smaller_tables(cup):
    heats = cup.heats()
    assume(len(heats.bouts) > 1)
    tables = len(heats.bouts)
    top = [
        one for heat in heats.bouts for one in heat.entrants if heat.seeds[0] == heat.seeds[heat.entrants.index(one)]
    ]
    assert top == sorted(top)
    assert top[-1] - top[0] == tables - 1
    sizes = [len(heat.entrants) for heat in heats.bouts]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("seats", range(3, 8))
def test_two_tables_always_fill_the_last_one(seats):
    for smallest in range(seating_smallest_table(seats), seats + 1):
        going = heat_advancing(smallest)
        assert 1 <= going < smallest
        for entrants in range(smallest, 100):
            sizes = seating_table_sizes(entrants, seats, smallest)
            assert entrants <= seats or going * len(sizes.tables) + sizes.byes >= smallest


def test_ten_bots_at_tables_of_four_play_three_heats_then_two_then_the_last():
    cup = Cup(10, 4, 3)
    first, _ = cup.play()
    assert [heat.entrants for heat in first] == [(0, 5, 6), (1, 4, 7), (2, 3, 8, 9)]
    second, _ = cup.play()
    assert [heat.entrants for heat in second] == [(0, 3, 4), (1, 2, 5)]
    last, ended = cup.play()
    assert [heat.entrants for heat in last] == [(0, 1, 2, 3)]
    assert ended[0].goes_on == (0,)
    assert [one.rank for one in cup.heats().placings] == [1, 2, 3, 4, 5, 5, 7, 8, 8, 8]


def test_with_five_at_tables_of_four_the_best_seed_has_a_bye():
    cup = Cup(5, 4, 3)
    drawn, _ = cup.play()
    assert [heat.entrants for heat in drawn] == [(1, 2, 3, 4)]
    assert drawn[0].passing == (0,)
    assert [heat.entrants for heat in cup.draw()] == [(0, 1, 2)]


def test_a_forfeited_heat_is_lost_to_everyone():
    cup = Cup(3, 3, 2)
    (heat,) = cup.draw()
    cup.results[heat.place] = [HeatShare(0, 9, 9, 1, forfeited=True), HeatShare(1, 0, 0, 2), HeatShare(2, 1, 0, 3)]
    cup.undecided.clear()
    assert cup.heats().bouts[0].order == (2, 1, 0)


@examples(50)
@given(cups())
def test_a_heat_survives_being_written_and_read(cup):
    while cup.heats().next_round:
        cup.play()
    for heat in cup.heats().bouts:
        assert Heat.read(json.loads(json.dumps(heat.write()))) == heat


def test_too_few_are_refused_with_the_figures():
    with pytest.raises(EntrantsError) as refused:
        Cup(2, 4, 3).heats()
    assert (refused.value.entrants, refused.value.seats) == (2, 3)
