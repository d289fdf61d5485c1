"""Tie-breaks against tables that others have published."""

from fractions import Fraction

import pytest

from tournaments.standings import Result, SeatResult, standings_table

SECRET = b"committed"


def game(first, second, score):
    """A match of one game in which ``first`` scored 1, 0.5 or 0."""
    return Result(1, (SeatResult(first, score, 0), SeatResult(second, 1 - score, 0)))


# The eighth world championship of correspondence chess, final, 1975-80: crosstable, conventional scores and Neustadtl
# (Sonneborn-Berger) scores as in the encyclopaedia article "Neustadtl score" (absoluteastronomy.com, after Wikipedia).
# Rows and columns in the same order; = is a draw.
CORRESPONDENCE = """
Sloth        - = = 1 = = 1 1 = 1 = 1 1 1 1  11   69.5
Zagorovsky   = - 0 = 1 = 1 1 1 = 1 1 1 1 1  11   66.75
Kosenkov     = 1 - = = = = = 1 1 = 1 1 1 1  10.5 67.5
Khasin       0 = = - = 1 = 0 1 1 = 1 = 1 =  8.5  54.75
Kletsel      = 0 = = - = = = = 0 1 1 = 1 1  8    47.75
DeCarbonnel  = = = 0 = - = = 0 1 = = 0 1 1  7    45.25
Arnlind      0 0 = = = = - = 1 0 = = 1 1 =  7    42.5
Dunhaupt     0 0 = 1 = = = - 0 = 1 0 1 = 1  7    41.5
Maedler      = 0 0 0 = 1 0 1 - 1 = = = = 1  7    41.5
Estrin       0 = 0 0 1 0 1 = 0 - 1 1 1 0 1  7    40.5
Walther      = 0 = = 0 = = 0 = 0 - 0 1 = 1  5.5  33.25
Boey         0 0 0 0 0 = = 1 = 0 1 - = = 1  5.5  28.5
Abramov      0 0 0 = = 1 0 0 = 0 0 = - = 1  4.5  24.75
Siklos       0 0 0 0 0 0 0 = = 1 = = = - 1  4.5  22.75
Nun          0 0 0 = 0 0 = 0 0 0 0 0 0 0 -  1    7.75
"""
SCORE = {"1": 1, "=": 0.5, "0": 0}


def test_the_sonneborn_berger_scores_of_a_published_final():
    lines = [line.split() for line in CORRESPONDENCE.strip().split("\n")]
    results = [
        game(row, column, SCORE[line[1 + column]])
        for row, line in enumerate(lines)
        for column in range(row + 1, len(lines))
    ]
    rows = {row.entrant: row for row in standings_table(range(len(lines)), results, ["sonneborn_berger"], SECRET)}
    points, neustadtl = ({n: float(line[at]) for n, line in enumerate(lines)} for at in (-2, -1))
    assert {n: row.points for n, row in rows.items()} == points
    compared = {n: row.values["sonneborn_berger"] for n, row in rows.items() if "sonneborn_berger" in row.values}
    assert compared == {n: neustadtl[n] for n in compared}
    assert set(compared) == {n for n in points if list(points.values()).count(points[n]) > 1}
    # Sloth became world champion by it, level on points with Zagorovsky.
    assert (rows[0].rank, rows[1].rank, rows[0].above_next_by) == (1, 2, "sonneborn_berger")


def test_a_go_players_example_of_sonneborn_berger_in_a_double_round():
    # Sensei's Library, "Sonneborn-Berger": A and B are level on 4; A beat B, C, C, D and has 11, B beat A, C, D, D: 9.
    first = {("A", "B"): 1, ("A", "C"): 1, ("A", "D"): 1, ("B", "C"): 1, ("B", "D"): 1, ("C", "D"): 1}
    second = {("A", "B"): 0, ("A", "C"): 1, ("A", "D"): 0, ("B", "C"): 0, ("B", "D"): 1, ("C", "D"): 1}
    results = [game(ord(a), ord(b), won) for half in (first, second) for (a, b), won in half.items()]
    a, b, c, d = standings_table([ord(one) for one in "ABCD"], results, ["sonneborn_berger"], SECRET)
    assert [(chr(row.entrant), row.points) for row in (a, b, c, d)] == [("A", 4), ("B", 4), ("C", 3), ("D", 1)]
    assert (a.values["sonneborn_berger"], b.values["sonneborn_berger"]) == (11, 9)


def test_rating_performance_puts_the_same_points_against_stronger_opponents_first():
    # 1 and 6 have one win and one loss each; 1 beat the strong 2 and lost to 3, 6 beat the weak 4 and lost to 5.
    results = [game(1, 2, 1), game(3, 1, 1), game(6, 4, 1), game(5, 6, 1), game(2, 5, 1), game(2, 4, 1), game(3, 5, 1)]
    rows = standings_table(range(1, 7), results, ["performance"], SECRET)
    one, six = (next(row for row in rows if row.entrant == n) for n in (1, 6))
    assert one.points == six.points == 1
    assert one.values["performance"] > six.values["performance"]
    assert all(isinstance(row.values["performance"], int) for row in (one, six))


def test_rating_performance_is_the_rating_at_which_the_result_was_to_be_expected():
    # 60 of 100 against one opponent: table 8.1.1 of the FIDE rating regulations says 72 points.
    results = [game(1, 2, won) for won in [1] * 60 + [0] * 40]
    # Two more, level with the two, so that there is a tie to break.
    results += [game(3, 4, won) for won in [1] * 60 + [0] * 40]
    rows = {row.entrant: row for row in standings_table([1, 2, 3, 4], results, ["performance"], SECRET)}
    lead = rows[1].values["performance"] - rows[2].values["performance"]
    assert lead == pytest.approx(72, abs=6)
    assert rows[1].values["performance"] == rows[3].values["performance"]


def test_in_a_full_round_robin_rating_performance_separates_nobody_and_says_so():
    circle = [(1, 2), (2, 3), (3, 1)]
    rows = standings_table([1, 2, 3], [game(a, b, 1) for a, b in circle], ["performance"], SECRET)
    assert {row.values["performance"] for row in rows} == {1500}
    assert [row.above_next_by for row in rows] == ["lot", "lot", ""]


def test_rating_performance_at_tables_counts_every_opponent_met():
    table = Result(3, (SeatResult(1, 3, 0), SeatResult(2, 1.5, 0), SeatResult(3, 0, 0)), Fraction(1))
    rows = standings_table([1, 2, 3, 4], [table], ["performance"], SECRET)
    assert [row.entrant for row in rows[:2]] == [1, 2]
    # 3 and 4 have no points; 4 met nobody, so it stays where it started, above 3, who lost to both.
    assert [(row.entrant, row.above_next_by) for row in rows[2:]] == [(4, "performance"), (3, "")]
