"""Who meets next: the rules that hold for any field, and what the choice is worth."""

import random
import time
from dataclasses import replace
from hashlib import sha256
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues.pairing import REST, Candidate, Choice, Recent, league_tables_choose, pairing_game_information
from tests.examples import examples

logits = st.floats(-3, 3)
errors = st.floats(0.05, 1.5)


@st.composite
def fields(draw):
    """Any field of up to 12 bots of up to 12 authors, with recent matches."""
    authors = draw(st.lists(st.integers(1, 12), min_size=2, max_size=12))
    field = [
        Candidate(number, author, draw(logits), draw(errors), draw(st.integers(0, 40)))
        for number, author in enumerate(authors, start=100)
    ]
    ids = st.sampled_from([one.id for one in field])
    tables = draw(st.lists(st.lists(ids, min_size=2, max_size=4, unique=True), max_size=8))
    return field, Recent.of(tables, {one.id: one.author for one in field})


NOTHING = Recent()


def lot(number, entry):
    return sha256(f"{number}/{entry}".encode()).digest()


def chosen(field, seats=2, count=1, recent=NOTHING, games=4):
    return league_tables_choose(field, seats=seats, count=count, games=games, recent=recent, lot=lot)


@examples(60)
@given(fields(), st.integers(2, 4), st.integers(1, 4), st.randoms(use_true_random=False))
def test_tables_are_full_authors_sit_once_and_the_order_of_the_field_is_nothing(drawn, seats, count, rng):
    field, recent = drawn
    author = {one.id: one.author for one in field}
    choices = chosen(field, seats, count, recent)
    assert len(choices) <= (count if len(set(author.values())) >= seats else 0)
    for choice in choices:
        assert len({author[one] for one in choice.seating}) == len(choice.seating) == seats
        assert choice.lead in choice.seating
        assert Choice.read(choice.write()).seating == choice.seating
    shuffled = rng.sample(field, len(field))
    assert chosen(shuffled, seats, count, recent) == choices


@examples(60)
@given(fields())
def test_the_first_rival_has_the_chair_and_no_allowed_pair_with_the_lead_is_worth_more(drawn):
    field, recent = drawn
    known = {one.id: one for one in field}
    for choice in chosen(field, recent=recent):
        lead, [other] = known[choice.lead], [known[one] for one in choice.seating if one != choice.lead]
        assert choice.rivals[0].entry == other.id
        if not recent.seats:
            allowed = [one for one in field if one.author != lead.author]
            assert pairing_game_information(lead, other) == pytest.approx(
                max(pairing_game_information(lead, one) for one in allowed)
            )


@given(logits, errors, errors, st.floats(0.1, 3))
def test_nearer_in_rating_and_less_certain_teaches_more(mean, one, other, apart):
    a, near, far = Candidate(1, 1, mean, one), Candidate(2, 2, mean, other), Candidate(3, 3, mean + apart, other)
    assert pairing_game_information(a, near) > pairing_game_information(a, far)
    assert (
        pairing_game_information(a, replace(near, se=other * 1.5))
        > pairing_game_information(a, near)
        > pairing_game_information(a, replace(near, pending=40))
    )


def test_a_new_version_plays_first():
    field = [Candidate(number, number, number / 10, 0.1) for number in range(12)]
    field[7] = replace(field[7], se=0.7)
    assert chosen(field)[0].lead == 7


def test_at_a_table_of_four_neighbours_meet():
    field = [Candidate(number, number, number, 0.2) for number in range(8)]
    for choice in chosen(field, seats=4, count=2):
        assert max(choice.seating) - min(choice.seating) <= 4


def test_everyone_of_equals_plays_before_anyone_plays_much():
    field = [Candidate(number, number, 0.0, 1.0) for number in range(10)]
    seats = [one for choice in chosen(field, count=5) for one in choice.seating]
    assert sorted(seats) == list(range(10))


def test_constant_uploads_do_not_take_the_workers_from_other_bots():
    rng = random.Random(3)
    field = [Candidate(number, number, rng.gauss(0, 0.5), 0.15) for number in range(20)]
    authors, tables = {one.id: one.author for one in field}, []
    for _ in range(300):
        always_new = [replace(field[0], se=0.7), *field[1:]]
        [choice] = chosen(always_new, recent=Recent.of(tables[-60:], authors))
        tables.append(choice.seating)
    seats = [sum(one in table for table in tables) for one in range(20)]
    fair = 600 / 20
    assert fair < seats[0] < 2.2 * fair
    assert min(seats[1:]) > fair / 3


def test_the_league_rests_when_nothing_is_left_to_learn_and_wakes_for_a_new_version():
    field = [Candidate(number, number, number / 20, 0.05) for number in range(6)]
    assert chosen(field) == []
    field[3] = replace(field[3], se=0.7)
    [choice] = chosen(field)
    assert choice.lead == 3


@examples(60)
@given(fields(), st.integers(2, 4))
def test_a_league_rests_only_when_no_two_have_anything_to_learn_from_each_other(drawn, seats):
    field, recent = drawn
    hopeless = Candidate(1, 13, -30.0, 1.5)  # known less than anybody, and no game tells more
    field = [hopeless, *(replace(one, se=one.se / 3, pending=0) for one in field)]
    pairs = [
        pairing_game_information(one, other) for one, other in combinations(field, 2) if one.author != other.author
    ]
    enough = len({one.author for one in field}) >= seats
    assert bool(chosen(field, seats, recent=recent)) == (enough and max(pairs) >= REST)


def test_nobody_rests_because_it_is_not_their_turn():
    field = [Candidate(0, 0, 0.0, 0.7), *(Candidate(number, number, 0.0, 0.05) for number in range(1, 6))]
    spoilt = Recent.of([(0, other) for other in range(1, 6)] * 9, {number: number for number in range(6)})
    [choice] = chosen(field, recent=spoilt)
    assert choice.lead == 0


def test_in_a_league_that_rests_a_new_bot_meets_the_others_by_turns():
    known = [Candidate(number, number, number / 20, 0.05) for number in range(20)]
    authors, tables = {number: number for number in range(21)}, []
    for games in range(0, 200, 4):
        new = Candidate(20, 20, 0.5, (0.7**-2 + 0.2 * games) ** -0.5)
        [choice] = chosen([*known, new], recent=Recent.of(tables, authors))
        tables.append(choice.seating)
    opponents = [next(one for one in table if one != 20) for table in tables]
    assert max(opponents.count(one) for one in opponents) <= 5
    assert all(len({*opponents[at : at + 3]}) > 1 for at in range(48))


@examples(60)
@given(fields(), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=4))
def test_nobody_meets_another_a_third_time_while_others_are_free(drawn, pairs):
    field, recent = drawn
    authors = {one.id: one.author for one in field}
    for one, other in pairs:  # twice in a row each
        table = [field[one % len(field)].id, field[other % len(field)].id]
        recent = recent.and_table(table, authors).and_table(table, authors) if len({*table}) == 2 else recent
    known = {one.id: one for one in field}
    for choice in chosen(field, recent=recent):
        one, other = (known[entry] for entry in choice.seating)
        if recent.in_a_row(one.id, other.id):
            lead, sat = (one, other) if choice.lead == one.id else (other, one)
            turn = [each for each in field if recent.share(each.author, len({*authors.values()})) < 2]
            free = [
                each for each in turn if each.author != lead.author and pairing_game_information(lead, each) >= REST
            ]
            assert all(recent.in_a_row(lead.id, each.id) for each in free)
            assert recent.in_a_row(lead.id, sat.id)


def test_two_bots_that_met_recently_make_room_for_others():
    field = [Candidate(number, number, 0.0, 0.5) for number in range(4)]
    authors = {number: number for number in range(4)}
    tables = []
    for _ in range(12):
        [choice] = chosen(field, recent=Recent.of(tables, authors))
        tables.append(choice.seating)
    met = [sum({*pair} == {*table} for table in tables) for pair in combinations(range(4), 2)]
    assert met == [2] * 6


def test_a_thousand_bots_are_paired_in_no_time():
    rng = random.Random(9)
    field = [Candidate(number, number, rng.gauss(0, 1), 0.3) for number in range(1000)]
    start = time.process_time()
    assert len(chosen(field, seats=4, count=8)) == 8
    assert time.process_time() - start < 5  # seconds of the processor


@pytest.mark.parametrize("apart", [-5.0, 5.0])
def test_an_uncertain_rating_alone_does_not_make_a_bot_lead_a_table(apart):
    field = [Candidate(number, number, number / 4, 0.3) for number in range(8)]
    field.append(Candidate(8, 8, apart + (apart > 0) * 7 / 4, 0.8))
    assert all(choice.lead != 8 for choice in chosen(field, count=3))
    field.append(replace(field[8], id=9, author=8))
    assert all(choice.lead not in (8, 9) for choice in chosen(field, count=3)), "one author's bots never meet"
    field.append(replace(field[8], id=10, author=10))
    assert chosen(field)[0].lead in (8, 9, 10), "these learn from each other"


def test_bots_of_two_divisions_never_meet_and_a_small_division_keeps_nobody_from_the_tables():
    field = [Candidate(number, number, 0.0, 1.0, division=1 + number % 2) for number in range(8)]
    field.append(Candidate(8, 8, 0.0, 3.0, division=3))
    divisions = [{field[one].division for one in choice.seating} for choice in chosen(field, seats=3, count=4)]
    assert sorted(map(tuple, divisions)) == [(1,), (1,), (2,), (2,)]
