"""Standings against tables computed by hand, and the properties that hold for any results."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.lot import lot
from tournaments.standings import POINTS, TIE_BREAKS, Result, Seat, TieBreakError, standings

A, B, C, D = 1, 2, 3, 4
SECRET = b"committed"


def duel(first, second, score, game_points=(0, 0)):
    """A match of two games in which ``first`` scored ``score`` of 2."""
    return Result(2, (Seat(first, score, game_points[0]), Seat(second, 2 - score, game_points[1])))


def table(*scores, games=3):
    """A match of entrants 1, 2, 3, ... with these scores, game points ten times as many."""
    return Result(games, tuple(Seat(n, score, int(score * 10)) for n, score in enumerate(scores, start=1)))


def order(rows):
    return [row.entrant for row in rows]


# By hand: A 1.5, B 2, C 1, D 1.5. SB: A = B's 2 + half of C's 1 = 2.5; D = A's 1.5 + half of C's 1 = 2.
QUARTET = (duel(A, B, 2), duel(A, C, 1), duel(A, D, 0), duel(B, C, 2), duel(B, D, 2), duel(C, D, 1))


def test_a_quartet_by_points_and_then_by_the_tie_break_announced_first():
    by_direct = standings([A, B, C, D], QUARTET, ["direct_encounter", "sonneborn_berger"], SECRET)
    assert [(row.entrant, row.points) for row in by_direct] == [(B, 2), (D, 1.5), (A, 1.5), (C, 1)]
    by_sb = standings([A, B, C, D], QUARTET, ["sonneborn_berger", "direct_encounter"], SECRET)
    assert order(by_sb) == [B, A, D, C]
    assert [by_sb[1].values["sonneborn_berger"], by_sb[2].values["sonneborn_berger"]] == [2.5, 2]


def test_a_row_says_what_was_compared_with_whom_and_what_decided():
    _, d, a, c = standings([A, B, C, D], QUARTET, ["wins", "direct_encounter", "sonneborn_berger"], SECRET)
    assert d.values == {"wins": 1, "direct_encounter": 1}
    assert a.values == {"wins": 1, "direct_encounter": 0}
    assert a.tied_with == {"wins": (A, D), "direct_encounter": (A, D)}
    assert (d.above_next_by, a.above_next_by, c.above_next_by) == ("direct_encounter", POINTS, "")
    assert c.values == {}


def test_won_drawn_lost_count_opponents():
    rows = standings([A, B, C, D], QUARTET, [], SECRET)
    assert {row.entrant: (row.won, row.drawn, row.lost, row.played) for row in rows} == {
        A: (1, 1, 1, 3),
        B: (2, 0, 1, 3),
        C: (0, 2, 1, 3),
        D: (1, 1, 1, 3),
    }


def test_a_circle_of_three_goes_past_wins_and_direct_encounter_to_the_margin():
    results = (duel(A, B, 2, (5, 4)), duel(B, C, 2, (9, 2)), duel(C, A, 2, (3, 1)))
    rows = standings([A, B, C], results, ["wins", "direct_encounter", "sonneborn_berger", "margin"], SECRET)
    # Margins by hand: A +1 - 2 = -1, B -1 + 7 = 6, C -7 + 2 = -5.
    assert [(row.entrant, row.values["margin"]) for row in rows] == [(B, 6), (A, -1), (C, -5)]
    assert [row.above_next_by for row in rows] == ["margin", "margin", ""]


def test_beating_a_whole_table_of_four_gives_three_points_and_level_opponents_share():
    rows = standings([1, 2, 3, 4], [table(3, 1.5, 1.5, 0)], [], SECRET)
    assert {row.entrant: row.points for row in rows} == {1: 3, 2: 1.5, 3: 1.5, 4: 0}
    assert {row.entrant: (row.won, row.drawn, row.lost) for row in rows}[2] == (1, 1, 1)


def test_thirds_that_add_up_to_the_same_total_are_equal():
    third = 1 / 3
    rows = standings([1, 2, 3, 4], [table(third + third + third, 1.0, 0.1 + 0.2 + 0.7, 0.0)], [], SECRET)
    assert {row.points for row in rows if row.entrant != 4} == {2.0}


def test_wins_count_tables_won_outright_only():
    rows = standings([1, 2, 3], [table(3, 3, 0), table(0, 1, 3), table(2.5, 2, 1.5)], ["wins"], SECRET)
    # Points by hand: 1 has 1.5 + 0 + 2 = 3.5; 2 has 1.5 + 1 + 1 = 3.5; 3 has 0 + 2 + 0 = 2.
    assert [(row.entrant, row.points) for row in rows] == [(1, 3.5), (2, 3.5), (3, 2)]
    assert [rows[0].values["wins"], rows[1].values["wins"]] == [1, 0]


def test_direct_encounter_does_not_apply_while_the_tied_have_not_all_met_equally_often():
    # A and B are level on one point; they have not met.
    rows = standings([A, B, C, D], [duel(A, C, 2), duel(B, D, 2)], ["direct_encounter"], SECRET)
    assert all("direct_encounter" not in row.values and "direct_encounter" in row.tied_with for row in rows)
    assert {row.above_next_by for row in rows} == {"lot", POINTS, ""}


def test_without_results_the_lot_orders_everyone_and_says_so():
    rows = standings([9, 5, 7], [], ["wins", "lot"], SECRET)
    assert order(rows) == sorted([5, 7, 9], key=lambda entrant: lot(SECRET, "tie", entrant))
    assert [row.rank for row in rows] == [1, 2, 3]
    assert [row.above_next_by for row in rows] == ["lot", "lot", ""]
    assert rows[0].values["lot"] == lot(SECRET, "tie", rows[0].entrant).hex()


def test_forfeited_games_and_game_points_are_added_up():
    results = [Result(2, (Seat(A, 0, 3, 0, 2), Seat(B, 2, 4, 2))), Result(2, (Seat(B, 1, 5), Seat(A, 1, 6, 1, 1)))]
    b, a = standings([A, B], results, [], SECRET)
    assert (a.forfeited, a.game_points, a.games, b.forfeited) == (3, 9, 4, 0)


def test_an_unknown_tie_break_is_named():
    with pytest.raises(TieBreakError, match="'buchhloz'"):
        standings([A], [], ["buchhloz"], SECRET)


def test_every_tie_break_explains_itself_in_one_sentence():
    assert all(one.sentence.count(".") == 1 and one.sentence.endswith(".") and one.name for one in TIE_BREAKS.values())


@st.composite
def tournaments(draw):
    count = draw(st.integers(2, 7))
    pairs = draw(st.lists(st.tuples(st.integers(1, count), st.integers(1, count)).filter(lambda p: p[0] != p[1])))
    scores = st.sampled_from([0, 0.5, 1, 1.5, 2])
    return list(range(1, count + 1)), [duel(a, b, draw(scores), (draw(st.integers(0, 9)), 5)) for a, b in pairs]


@given(tournaments(), st.permutations([code for code in TIE_BREAKS if code != "lot"]), st.randoms())
@settings(max_examples=150, deadline=None)
def test_any_results_give_a_strict_order_that_their_own_order_does_not_change(tournament, codes, chance):
    entrants, results = tournament
    rows = standings(entrants, results, codes, SECRET)
    assert [row.rank for row in rows] == list(range(1, len(entrants) + 1))
    assert sorted(order(rows)) == entrants
    assert sum(row.points for row in rows) == len(results)
    chance.shuffle(entrants)
    chance.shuffle(results)
    assert standings(entrants, results, codes, SECRET) == rows


@given(tournaments(), st.permutations([code for code in TIE_BREAKS if code != "lot"]))
@settings(max_examples=150, deadline=None)
def test_what_is_said_to_put_a_row_above_the_next_really_does(tournament, codes):
    entrants, results = tournament
    rows = standings(entrants, results, codes, SECRET)
    for upper, lower in pairwise(rows):
        if upper.above_next_by == POINTS:
            assert upper.points > lower.points
            continue
        assert upper.points == lower.points
        mine, theirs = upper.values[upper.above_next_by], lower.values[upper.above_next_by]
        assert mine < theirs if upper.above_next_by == "lot" else mine > theirs
        for code in codes[: codes.index(upper.above_next_by)] if upper.above_next_by != "lot" else codes:
            assert upper.values.get(code) == lower.values.get(code)
