"""What a knockout promises at every size, played to the end by favourites, by chance and with bots that leave."""

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tournaments.formats import EntrantsError
from tournaments.formats.knockout import (
    BracketDecision,
    BracketMatch,
    BracketSlot,
    DecidedBy,
    EliminationType,
    HeatShare,
    Part,
    SourceKind,
    bracket_decision_of,
    bracket_of,
    knockout_plan_of,
)

EVERY_SIZE = range(2, 65)
BOTH = [EliminationType.SINGLE, EliminationType.DOUBLE]


def favourite(bout):
    return min(bout.first, bout.second, key=lambda side: side.seed).entrant


def outsider(bout):
    return max(bout.first, bout.second, key=lambda side: side.seed).entrant


def dice(seed):
    chance = Random(seed)
    return lambda bout: chance.choice(bout.seating)


def decided(bout, winner):
    loser = next(entrant for entrant in bout.seating if entrant != winner)
    return BracketDecision(winner, loser, DecidedBy.SCORE)


def rounds(kind, seeds, winner, third_place=False, leaving=lambda number: ()):
    """Every round as it is drawn, and the bracket before it; ``leaving`` names who goes before each."""
    results, left, number = {}, [], 0
    while True:
        left += [entrant for entrant in leaving(number) if entrant not in left]
        bracket = bracket_of(kind, seeds, results, left, third_place)
        drawn = bracket.next_round
        if not drawn:
            assert bracket.finished
            yield bracket, ()
            return
        yield bracket, drawn
        for bout in drawn:
            results[bout.place] = decided(bout, winner(bout))
        number += 1


def played(kind, seeds, winner, **options):
    """The finished bracket and its rounds."""
    every = list(rounds(kind, seeds, winner, **options))
    return every[-1][0], [drawn for _, drawn in every[:-1]]


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("size", EVERY_SIZE)
def test_everybody_but_the_winner_loses_as_often_as_it_takes(kind, size):
    bracket, drawn = played(kind, [100 + n for n in range(size)], dice(size))
    losses = Counter(bout.verdict.loser for bout in bracket.bouts if bout.verdict)
    winner = bracket.placings[0].entrant
    takes = 2 if kind is EliminationType.DOUBLE else 1
    assert all(losses[entrant] == takes for entrant in range(100, 100 + size) if entrant != winner)
    assert losses[winner] < takes
    assert sum(map(len, drawn)) == sum(losses.values())
    for tables in drawn:
        seated = Counter(entrant for bout in tables for entrant in bout.seating)
        assert max(seated.values()) == 1


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("size", EVERY_SIZE)
def test_byes_go_to_the_best_seeds_in_the_first_round_only(kind, size):
    bracket, drawn = played(kind, range(size), dice(size))
    byes = 2 ** (size - 1).bit_length() - size
    assert sorted(bracket.byes[0]) == list(range(byes))
    assert len(bracket.byes) == len(drawn)
    assert kind is EliminationType.DOUBLE or not any(bracket.byes[1:])
    winners = [bout for bout in bracket.bouts if bout.place.part is Part.WINNERS]
    assert all(not bout.empty for bout in winners if bout.place.round > 1)
    assert sum(bout.empty for bout in winners) == byes
    first = {entrant for bout in drawn[0] for entrant in bout.seating}
    assert first == set(range(byes, size))


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("size", EVERY_SIZE)
def test_the_best_two_meet_in_the_final_if_favourites_win_and_all_end_by_seed(kind, size):
    bracket, drawn = played(kind, range(size), favourite)
    meetings = [
        bout
        for tables in drawn
        for bout in tables
        if set(bout.seating) == {0, 1} and bout.place.part is not Part.LOSERS
    ]
    assert [placing.entrant for placing in bracket.placings[:2]] == [0, 1]
    assert meetings[0].place.of == 1
    assert meetings[0].place.part in (Part.WINNERS, Part.FINAL)
    assert [placing.entrant for placing in bracket.placings] == list(range(size))


@pytest.mark.parametrize("size", [4, 8, 16, 32, 64])
def test_if_favourites_win_the_best_half_of_each_round_goes_on(size):
    _, drawn = played(EliminationType.SINGLE, range(size), favourite)
    for tables in drawn:
        left = 2 * len(tables)
        assert {frozenset(bout.seating) for bout in tables} == {frozenset((n, left - 1 - n)) for n in range(left // 2)}


@pytest.mark.parametrize("size", EVERY_SIZE)
def test_losers_of_one_round_share_their_place(size):
    bracket, _ = played(EliminationType.SINGLE, range(size), dice(7))
    out = {}
    for placing in bracket.placings[1:]:
        out.setdefault(placing.out.round, set()).add(placing.rank)
    assert all(len(ranks) == 1 for ranks in out.values())
    assert bracket.placings[0].rank == 1
    assert bracket.placings[1].rank == 2
    counted = Counter(placing.rank for placing in bracket.placings)
    assert all(rank == 1 + sum(counted[higher] for higher in counted if higher < rank) for rank in counted)


def test_a_match_for_the_third_place_parts_the_losers_of_the_semi_finals():
    bracket, drawn = played(EliminationType.SINGLE, range(8), favourite, third_place=True)
    assert [(placing.rank, placing.entrant) for placing in bracket.placings] == [
        (1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (5, 5), (5, 6), (5, 7)
    ]  # fmt: skip
    assert {bout.place.part for bout in drawn[-1]} == {Part.WINNERS, Part.THIRD}


def test_three_entrants_have_no_match_for_the_third_place():
    bracket, _ = played(EliminationType.SINGLE, range(3), favourite, third_place=True)
    assert [placing.rank for placing in bracket.placings] == [1, 2, 3]


def test_the_ranks_of_a_double_elimination_of_eight():
    bracket, _ = played(EliminationType.DOUBLE, range(8), favourite)
    assert [placing.rank for placing in bracket.placings] == [1, 2, 3, 4, 5, 5, 7, 7]


def test_a_first_defeat_in_the_grand_final_makes_a_second_one():
    straight, _ = played(EliminationType.DOUBLE, range(8), favourite)
    reset = BracketSlot(Part.FINAL, 2, 0, 1)
    assert next(bout for bout in straight.bouts if bout.place == reset).empty
    upset, drawn = played(EliminationType.DOUBLE, range(8), lambda bout: 1 if 1 in bout.seating else favourite(bout))
    assert drawn[-1][0].place.part is Part.FINAL
    revenge = lambda bout: outsider(bout) if bout.place == BracketSlot(Part.FINAL, 1, 0, 1) else favourite(bout)  # noqa: E731
    bracket, drawn = played(EliminationType.DOUBLE, range(8), revenge)
    assert drawn[-1][0].place == reset
    assert bracket.placings[0].entrant == 0
    assert upset.placings[0].entrant == 1


@pytest.mark.parametrize("size", [8, 16, 32, 64])
def test_nobody_meets_again_in_the_losers_bracket_before_two_of_its_tables_are_left(size):
    for seed in range(10):
        met = set()
        for _, drawn in rounds(EliminationType.DOUBLE, range(size), dice(seed)):
            pairs = {frozenset(bout.seating): bout.place for bout in drawn}
            assert all(place.of <= (1 if size == 8 else 2) for pair, place in pairs.items() if pair in met)
            met |= set(pairs)


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("size", EVERY_SIZE)
def test_the_plan_names_each_place_once_and_feeds_it_from_lower_levels(kind, size):
    nodes = knockout_plan_of(kind, size, third_place=True)
    levels = {node.place: node.level for node in nodes}
    assert len(levels) == len(nodes)
    fed = Counter(feed for node in nodes for feed in (node.first, node.second))
    assert max(fed.values()) == 1
    for node in nodes:
        assert all(levels[feed.place] < node.level for feed in (node.first, node.second) if feed.place)


@given(st.sampled_from(BOTH), st.integers(2, 40), st.integers(0, 2**32), st.booleans())
@examples(25)
def test_the_same_seeds_and_results_give_the_same_bracket(kind, size, seed, third_place):
    one = list(rounds(kind, range(size), dice(seed), third_place=third_place))
    assert list(rounds(kind, range(size), dice(seed), third_place=third_place)) == one


@given(st.sampled_from(BOTH), st.integers(2, 33), st.integers(0, 2**32), st.booleans())
@examples(60)
def test_leavers_never_play_again_and_the_others_go_on(kind, size, seed, third_place):
    chance = Random(seed)
    left = set()

    def leaving(_number):
        left.update(entrant for entrant in range(size) if chance.random() < 0.1)
        return left

    for bracket, drawn in rounds(kind, range(size), dice(seed), third_place=third_place, leaving=leaving):
        assert all(left.isdisjoint(bout.seating) for bout in drawn)
        assert sorted(placing.entrant for placing in bracket.placings) == list(range(size))


@given(st.sampled_from(BOTH), st.integers(2, 33), st.integers(0, 2**32), st.booleans())
@examples(60)
def test_decided_bouts_do_not_change_when_entrants_leave_later(kind, size, seed, third_place):
    chance = Random(seed)
    decided = {}
    leaving = lambda _number: [entrant for entrant in range(size) if chance.random() < 0.2]  # noqa: E731
    for bracket, _ in rounds(kind, range(size), dice(seed), third_place=third_place, leaving=leaving):
        now = {bout.place: bout.verdict for bout in bracket.bouts if bout.verdict}
        assert {place: now.get(place) for place in decided} == decided
        decided = now


def test_a_match_being_played_is_no_walkover_when_an_entrant_leaves():
    drawn = bracket_of(EliminationType.SINGLE, [1, 2], {}).next_round
    bracket = bracket_of(EliminationType.SINGLE, [1, 2], {drawn[0].place: None}, gone=[1])
    assert bracket.bouts[0].verdict is None
    assert bracket.next_round == ()
    assert not bracket.finished


def test_nothing_is_drawn_while_a_match_of_the_round_is_open():
    drawn = bracket_of(EliminationType.SINGLE, range(4), {}).next_round
    results = {drawn[0].place: decided(drawn[0], 0), drawn[1].place: None}
    assert bracket_of(EliminationType.SINGLE, range(4), results).next_round == ()


def test_before_the_end_those_still_in_share_the_first_place():
    drawn = bracket_of(EliminationType.SINGLE, range(4), {}).next_round
    bracket = bracket_of(EliminationType.SINGLE, range(4), {drawn[0].place: decided(drawn[0], 0)})
    assert [(placing.rank, placing.entrant) for placing in bracket.placings] == [(1, 0), (1, 1), (1, 2), (4, 3)]


def test_the_places_say_who_comes_from_where():
    bracket = bracket_of(EliminationType.DOUBLE, range(4), {})
    final = next(bout for bout in bracket.bouts if bout.place.part is Part.FINAL and bout.place.round == 1)
    assert (final.first.feed.way, final.first.feed.place) == (SourceKind.WINNER, BracketSlot(Part.WINNERS, 2, 0, 1))
    assert (final.second.feed.way, final.second.feed.place) == (SourceKind.WINNER, BracketSlot(Part.LOSERS, 2, 0, 1))


@pytest.mark.parametrize(
    ("one", "other", "winner", "by"),
    [
        (HeatShare(1, 3, 10, 2), HeatShare(2, 1, 99, 1), 1, DecidedBy.SCORE),
        (HeatShare(1, 2, 10, 2), HeatShare(2, 2, 11, 1), 2, DecidedBy.GAME_POINTS),
        (HeatShare(1, 2, 10, 2), HeatShare(2, 2, 10, 1), 2, DecidedBy.SEED),
        (HeatShare(1, 4, 10, 1, forfeited=True), HeatShare(2, 0, 0, 2), 2, DecidedBy.FORFEIT),
        (HeatShare(1, 1, 10, 1, forfeited=True), HeatShare(2, 3, 0, 2, forfeited=True), 2, DecidedBy.SCORE),
    ],
)
def test_a_match_is_decided_by_games_then_game_points_then_seeds(one, other, winner, by):
    for pair in ((one, other), (other, one)):
        verdict = bracket_decision_of(*pair)
        assert (verdict.winner, verdict.loser, verdict.by) == (winner, 3 - winner, by)


@given(st.sampled_from(BOTH), st.integers(2, 12), st.integers(0, 2**32))
@examples(15)
def test_bouts_survive_being_written_and_read(kind, size, seed):
    for bracket, _ in rounds(kind, range(size), dice(seed)):
        for bout in bracket.bouts:
            assert BracketMatch.read(json.loads(json.dumps(bout.write()))) == bout


def test_one_alone_is_no_knockout():
    with pytest.raises(EntrantsError):
        bracket_of(EliminationType.SINGLE, [1], {})
