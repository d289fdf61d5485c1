"""Standings against tables computed by hand, and the properties that hold for any results."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contest_luck import contest_luck_lot
from tests.examples import examples
from tournaments.standings import POINTS, TIE_BREAKS, Result, ScoredBye, SeatResult, TieBreakError, standings_table

A, B, C, D = 1, 2, 3, 4
SECRET = b"committed"


def duel(first, second, score, game_points=(0, 0)):
    """A match of two games in which ``first`` scored ``score`` of 2."""
    return Result(2, (SeatResult(first, score, game_points[0]), SeatResult(second, 2 - score, game_points[1])))


def table(*scores, games=3):
    """A match of entrants 1, 2, 3, ... with these scores, game points ten times as many."""
    return Result(games, tuple(SeatResult(n, score, int(score * 10)) for n, score in enumerate(scores, start=1)))


def order(rows):
    return [row.entrant for row in rows]


# By hand: A 1.5, B 2, C 1, D 1.5. SB: A = B's 2 + half of C's 1 = 2.5; D = A's 1.5 + half of C's 1 = 2.
QUARTET = (duel(A, B, 2), duel(A, C, 1), duel(A, D, 0), duel(B, C, 2), duel(B, D, 2), duel(C, D, 1))


def test_a_quartet_by_points_and_then_by_the_tie_break_announced_first():
    by_direct = standings_table([A, B, C, D], QUARTET, ["direct_encounter", "sonneborn_berger"], SECRET)
    assert [(row.entrant, row.points) for row in by_direct] == [(B, 2), (D, 1.5), (A, 1.5), (C, 1)]
    by_sb = standings_table([A, B, C, D], QUARTET, ["sonneborn_berger", "direct_encounter"], SECRET)
    assert order(by_sb) == [B, A, D, C]
    assert [by_sb[1].values["sonneborn_berger"], by_sb[2].values["sonneborn_berger"]] == [2.5, 2]


def test_a_row_names_the_comparison_the_rivals_and_the_decision():
    _, d, a, c = standings_table([A, B, C, D], QUARTET, ["wins", "direct_encounter", "sonneborn_berger"], SECRET)
    assert d.values == {"wins": 1, "direct_encounter": 1}
    assert a.values == {"wins": 1, "direct_encounter": 0}
    assert a.tied_with == {"wins": (A, D), "direct_encounter": (A, D)}
    assert (d.above_next_by, a.above_next_by, c.above_next_by) == ("direct_encounter", POINTS, "")
    assert c.values == {}


def test_won_drawn_lost_count_opponents():
    rows = standings_table([A, B, C, D], QUARTET, [], SECRET)
    assert {row.entrant: (row.won, row.drawn, row.lost, row.played) for row in rows} == {
        A: (1, 1, 1, 3),
        B: (2, 0, 1, 3),
        C: (0, 2, 1, 3),
        D: (1, 1, 1, 3),
    }


def test_a_circle_of_three_goes_past_wins_and_direct_encounter_to_the_margin():
    results = (duel(A, B, 2, (5, 4)), duel(B, C, 2, (9, 2)), duel(C, A, 2, (3, 1)))
    rows = standings_table([A, B, C], results, ["wins", "direct_encounter", "sonneborn_berger", "margin"], SECRET)
    # Margins by hand: A +1 - 2 = -1, B -1 + 7 = 6, C -7 + 2 = -5.
    assert [(row.entrant, row.values["margin"]) for row in rows] == [(B, 6), (A, -1), (C, -5)]
    assert [row.above_next_by for row in rows] == ["margin", "margin", ""]


def test_beating_a_whole_table_of_four_gives_three_points_and_level_opponents_share():
    rows = standings_table([1, 2, 3, 4], [table(3, 1.5, 1.5, 0)], [], SECRET)
    assert {row.entrant: row.points for row in rows} == {1: 3, 2: 1.5, 3: 1.5, 4: 0}
    assert {row.entrant: (row.won, row.drawn, row.lost) for row in rows}[2] == (1, 1, 1)


def test_thirds_that_add_up_to_the_same_total_are_equal():
    third = 1 / 3
    rows = standings_table([1, 2, 3, 4], [table(third + third + third, 1.0, 0.1 + 0.2 + 0.7, 0.0)], [], SECRET)
    assert {row.points for row in rows if row.entrant != 4} == {2.0}


def test_wins_count_tables_won_outright_only():
    rows = standings_table([1, 2, 3], [table(3, 3, 0), table(0, 1, 3), table(2.5, 2, 1.5)], ["wins"], SECRET)
    # Points by hand: 1 has 1.5 + 0 + 2 = 3.5; 2 has 1.5 + 1 + 1 = 3.5; 3 has 0 + 2 + 0 = 2.
    assert [(row.entrant, row.points) for row in rows] == [(1, 3.5), (2, 3.5), (3, 2)]
    assert [rows[0].values["wins"], rows[1].values["wins"]] == [1, 0]


def test_direct_encounter_does_not_apply_while_the_tied_have_not_all_met_equally_often():
    # A and B are level on one point; they have not met.
    rows = standings_table([A, B, C, D], [duel(A, C, 2), duel(B, D, 2)], ["direct_encounter"], SECRET)
    assert all("direct_encounter" not in row.values and "direct_encounter" in row.tied_with for row in rows)
    assert {row.above_next_by for row in rows} == {"lot", POINTS, ""}


def test_without_results_the_lot_orders_everyone_and_says_so():
    rows = standings_table([9, 5, 7], [], ["wins", "lot"], SECRET)
    assert order(rows) == sorted([5, 7, 9], key=lambda entrant: contest_luck_lot(SECRET, "tie", entrant))
    assert [row.rank for row in rows] == [1, 2, 3]
    assert [row.above_next_by for row in rows] == ["lot", "lot", ""]
    assert rows[0].values["lot"] == contest_luck_lot(SECRET, "tie", rows[0].entrant).hex()


# By hand, three rounds: 1 beats 2, 3, 4; 2 beats 4 and 5's absence; 3 beats 5; 4 beats 3; 5 has a bye and ends on 1.
#   1: 3    2: 1 + bye 1 = 2    3: 1    4: 1    5: bye 1
BYES = (duel(1, 2, 2), duel(3, 5, 2), duel(1, 3, 2), duel(2, 4, 2), duel(1, 4, 2), duel(3, 4, 0))


def test_a_bye_gives_its_points_and_counts_as_an_opponent_of_ones_own_strength():
    rows = standings_table([1, 2, 3, 4, 5], BYES, ["buchholz"], SECRET, [ScoredBye(2, 1), ScoredBye(5, 1)])
    assert [(row.entrant, row.points, row.played, row.byes) for row in rows[:2]] == [(1, 3, 3, 0), (2, 2, 2, 1)]
    # Buchholz of those on one point. 3 met 5, 1, 4: 1 + 3 + 1. 4 met 2, 1, 3: 2 + 3 + 1. 5 met 3, and had a bye: 1 + 1.
    assert [(row.entrant, row.points, row.values["buchholz"]) for row in rows[2:]] == [(4, 1, 6), (3, 1, 5), (5, 1, 2)]


def test_at_tables_buchholz_sums_the_mean_of_each_table_and_cut_1_drops_the_weakest():
    # By hand: 1 and 4 have 3 points each. 1 met {2, 3} and then {5}, 4 met {5, 6} and then {3}.
    results = [
        Result(3, (SeatResult(1, 3, 0), SeatResult(2, 1.5, 0), SeatResult(3, 0, 0))),
        Result(3, (SeatResult(4, 3, 0), SeatResult(5, 1.5, 0), SeatResult(6, 0, 0))),
        Result(2, (SeatResult(1, 1, 0), SeatResult(5, 1, 0)), Fraction(2)),
        Result(2, (SeatResult(4, 1, 0), SeatResult(3, 1, 0)), Fraction(2)),
    ]
    rows = {row.entrant: row for row in standings_table(range(1, 7), results, ["buchholz", "buchholz_cut_1"], SECRET)}
    assert {n: row.points for n, row in rows.items()} == {1: 3, 2: 1, 3: 1, 4: 3, 5: 2, 6: 0}
    assert rows[1].values["buchholz"] == (1 + 1) / 2 + 2
    assert rows[4].values["buchholz"] == (2 + 0) / 2 + 1
    cut = {row.entrant: row for row in standings_table(range(1, 7), results, ["buchholz_cut_1"], SECRET)}
    assert (cut[1].values["buchholz_cut_1"], cut[4].values["buchholz_cut_1"]) == (2, 1)


def test_a_short_table_is_worth_as_much_as_a_full_one_and_equal_sums_of_thirds_are_equal():
    circle = [(1, 2, 3), (2, 3, 1), (3, 1, 2)]
    short = [
        Result(1, (SeatResult(a, 1, 0), SeatResult(b, 0.5, 0), SeatResult(c, 0, 0)), Fraction(5, 2))
        for a, b, c in circle
    ]
    assert {row.points for row in standings_table([1, 2, 3], short, [], SECRET)} == {7.5}


# The club championship 2018 of the Hamilton Chess Club: crosstable, points and tie-breaks as published on
# hamiltonchess.net, 11 April 2018 (numbers for names; + won, = drawn, - lost; B: bye).
HAMILTON = """
1 5.5 +10 +17 +12 =2 +4 +3
2 5.5 +27 +16 +9 =1 +8 +10
3 4 =B +11 +6 =4 +5 -1
4 4 +22 +15 =8 =3 -1 +13
5 4 -16 +14 +22 +15 -3 +8
6 4 -21 +27 -3 +23 +16 +14
7 4 -9 -23 +27 +19 +15 +12
8 3.5 +25 +21 =4 +13 -2 -5
9 3.5 +7 +13 -2 =B +18
10 3.5 -1 +25 +26 =12 +17 -2
11 3.5 =B -3 -14 +25 +20 +17
12 3 +20 +18 -1 =10 =14 -7
13 3 +23 -9 +19 -8 +21 -4
14 3 =B -5 +11 +22 =12 -6
15 3 +26 -4 +21 -5 -7 +24
16 3 +5 -2 -17 +24 -6 +22
17 2.5 +24 -1 +16 =B -10 -11
18 2.5 +19 -12 +23 =B -9
19 2.5 -18 +20 -13 -7 =25 +21
20 2.5 -12 -19 =25 +27 -11 +26
21 2 +6 -8 -15 +26 -13 -19
22 2 -4 +24 -5 -14 +26 -16
23 2 -13 +7 -18 -6 -24 +27
24 2 -17 -22 +B -16 +23 -15
25 2 -8 -10 =20 -11 =19 +B
26 1 -15 +B -10 -21 -22 -20
27 1 -2 -6 -7 -20 +B -23
"""


def test_buchholz_of_a_published_table():
    worth = {"+": 2, "=": 1, "-": 0}  # of two
    points, results, byes = {}, [], []
    for line in HAMILTON.split("\n")[1:-1]:
        number, published, *met = line.split()
        points[int(number)] = float(published)
        for one in met:
            if one[1:] == "B":
                byes.append(ScoredBye(int(number), worth[one[0]] / 2))
            elif int(number) < int(one[1:]):
                results.append(duel(int(number), int(one[1:]), worth[one[0]]))
    for code, of_dare, of_nolan in [("buchholz", 22.5, 20), ("sonneborn_berger", 19.75, 17.25)]:
        rows = standings_table(list(points), results, [code], SECRET, byes)
        assert {row.entrant: row.points for row in rows} == points
        assert [(row.entrant, row.values[code]) for row in rows[:2]] == [(1, of_dare), (2, of_nolan)]
    cut = standings_table(list(points), results, ["buchholz_cut_1"], SECRET, byes)
    # Published for the winner: 20. (The other's is published as 19.5, by a rule of its own for a bye of an opponent.)
    assert [row.values["buchholz_cut_1"] for row in cut[:2]] == [20, 20 - 1]


def test_forfeited_games_and_game_points_are_added_up():
    results = [
        Result(2, (SeatResult(A, 0, 3, 0, 2), SeatResult(B, 2, 4, 2))),
        Result(2, (SeatResult(B, 1, 5), SeatResult(A, 1, 6, 1, 1))),
    ]
    b, a = standings_table([A, B], results, [], SECRET)
    assert (a.forfeited, a.game_points, a.games, b.forfeited) == (3, 9, 4, 0)


def test_a_forfeit_loses_to_everyone_who_did_not_forfeit_at_any_score():
    seats = (
        SeatResult(A, 5, 50, 2, 2, forfeited_match=True),
        SeatResult(B, 1, 10),
        SeatResult(C, 3, 30, forfeited_match=True),
    )
    rows = {row.entrant: row for row in standings_table([A, B, C], [Result(3, seats)], ["wins"], SECRET)}
    assert [rows[one].points for one in (A, B, C)] == [0, 2, 0]
    assert [rows[one].won for one in (A, B, C)] == [0, 2, 0]
    assert [rows[one].lost for one in (A, B, C)] == [2, 0, 2], "level at zero: neither of two has beaten the other"
    assert rows[B].rank == 1


def test_where_one_is_annulled_the_others_have_met_among_themselves_alone():
    # A and B beat each other once each; C, which is annulled, let B win the more.
    seats = (
        SeatResult(A, 1, 0, places=(1, 3)),
        SeatResult(B, 1.5, 0, places=(2, 1)),
        SeatResult(C, 0.5, 0, places=(3, 2), annulled=True),
    )
    rows = {row.entrant: row for row in standings_table([A, B, C], [Result(2, seats)], [], SECRET)}
    assert [rows[one].points for one in (A, B, C)] == [0.5, 0.5, 0]
    played = tuple(replace(seat, annulled=False) for seat in seats)
    rows = {row.entrant: row for row in standings_table([A, B, C], [Result(2, played)], [], SECRET)}
    assert [rows[one].points for one in (A, B, C)] == [1, 2, 0]


def test_an_unknown_tie_break_is_named():
    with pytest.raises(TieBreakError, match="'buchhloz'"):
        standings_table([A], [], ["buchhloz"], SECRET)


def test_every_tie_break_explains_itself_in_one_sentence():
    assert all(one.sentence.count(".") == 1 and one.sentence.endswith(".") and one.name for one in TIE_BREAKS.values())


@st.composite
def tournaments(draw):
    count = draw(st.integers(2, 7))
    pairs = draw(st.lists(st.tuples(st.integers(1, count), st.integers(1, count)).filter(lambda p: p[0] != p[1])))
    scores = st.sampled_from([0, 0.5, 1, 1.5, 2])
    return list(range(1, count + 1)), [duel(a, b, draw(scores), (draw(st.integers(0, 9)), 5)) for a, b in pairs]


@st.composite
def at_tables(draw):
    """At tables of six, five and four, where points and their products are thirds and quarters."""
    seatings = draw(st.lists(st.permutations(range(1, 9)).map(lambda order: order[: 4 + order[0] % 3]), max_size=12))
    return list(range(1, 9)), [
        Result(1, tuple(SeatResult(one, beaten / (len(order) - 1), 0) for beaten, one in enumerate(order)), worth)
        for order in seatings
        for worth in [Fraction(5, len(order) - 1)]
    ]


@given(
    tournaments() | at_tables(),
    st.permutations([code for code in TIE_BREAKS if code not in ("lot", "shared")]),
    st.randoms(),
)
@examples(150)
def test_any_results_give_a_strict_order_that_their_own_order_does_not_change(tournament, codes, chance):
    entrants, results = tournament
    rows = standings_table(entrants, results, codes, SECRET)
    assert [row.rank for row in rows] == list(range(1, len(entrants) + 1))
    assert sorted(order(rows)) == entrants
    given = sum(result.worth * len(result.seats) * (len(result.seats) - 1) / 2 for result in results)
    assert sum(row.points for row in rows) == pytest.approx(float(given))
    chance.shuffle(entrants)
    chance.shuffle(results)
    assert standings_table(entrants, results, codes, SECRET) == rows


@given(tournaments(), st.permutations([code for code in TIE_BREAKS if code not in ("lot", "shared")]))
@examples(150)
def test_the_named_tie_break_really_separates_a_row_from_the_next(tournament, codes):
    entrants, results = tournament
    rows = standings_table(entrants, results, codes, SECRET)
    for upper, lower in pairwise(rows):
        if upper.above_next_by == POINTS:
            assert upper.points > lower.points
            continue
        assert upper.points == lower.points
        mine, theirs = upper.values[upper.above_next_by], lower.values[upper.above_next_by]
        assert mine < theirs if TIE_BREAKS[upper.above_next_by].lowest_first else mine > theirs
        for code in codes[: codes.index(upper.above_next_by)] if upper.above_next_by != "lot" else codes:
            assert upper.values.get(code) == lower.values.get(code)


@given(
    tournaments(), st.permutations([code for code in TIE_BREAKS if code not in ("lot", "shared")]), st.integers(0, 3)
)
def test_entrants_that_no_tie_break_separates_share_a_place(tournament, codes, most):
    entrants, results = tournament[:2]
    by_lot = standings_table(entrants, results, codes[:most], b"secret")
    rows = standings_table(entrants, results, [*codes[:most], "shared", *codes[most:]], b"secret")
    assert [row.entrant for row in rows] == [row.entrant for row in by_lot]
    for place, (row, other) in enumerate(zip(rows, by_lot, strict=True), start=1):
        tied = other.tied_with.get("lot", (row.entrant,))
        assert row.rank == min(at for at, one in enumerate(by_lot, start=1) if one.entrant in tied)
        assert (row.above_next_by == "shared") == (other.above_next_by == "lot")
        assert row.rank <= place
