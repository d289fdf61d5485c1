"""FIDE's tie-breaks (Handbook C.07) against the exercises that its technical commission published."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from tournaments.standings import (
    Drawn,
    Result,
    ScoredBye,
    SeatResult,
    UnplayedRounds,
    standings_table,
    standings_tallied,
)
from tournaments.standings.tie_breaks import TIE_BREAKS, TieBreakField
from tournaments.standings.unplayed import unplayed_adjusted_points, unplayed_direct_encounter

# "Exercises in Tie-Breaking", 2024, the Swiss of five rounds: opponent and result of each player in each round. + and
# - are forfeits, PAB the pairing's bye, HPB and ZPB the byes for half a point and none that a player asked for.
SWISS = """
1   9=1 13== 2== 15=1 4==
2   10=1 7=1 1== 16=1 3==
3   11== 6=1 8=1 4== 2==
4   12=1 HPB 13=1 3== 1==
5   13=0 15=0 11=1 7== 10=1
6   14=0 3=0 PAB 10=1 8=1
7   15=1 2=0 16=0 5== 11=0
8   16== 14=1 3=0 13=1 6=0
9   1=0 10=0 HPB 11- PAB
10  2=0 9=1 15=0 6=0 5=0
11  3== 16=0 5=0 9+ 7=1
12  4=0 PAB 14+ ZPB ZPB
13  5=1 1== 4=0 8=0 14=0
14  6=1 8=0 12- ZPB 13=1
15  7=0 5=1 10=1 1=0 16=0
16  8== 11=1 7=1 2=0 15=1
"""
# As printed in 2024, but for what the edition of March 2026 changed: it bounds the dummy's points by half the rounds,
# or by the points of the opponent of the forfeited match.
POINTS = "3.5 4 3.5 3.5 2.5 3 1.5 2.5 1.5 1 2.5 2 1.5 2 2 3.5"
BUCHHOLZ = "12.5 13 15.5 14 8.5 11.5 14.5 13.5 9 13 12.5 11.5 14 11 12 12.5"
SONNEBORN_BERGER = "8 9.5 10.5 9.25 4.25 6 3.25 5.25 2.25 1.5 4.75 4 4.25 4.5 3.5 7.25"
WINS = "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3"
ADJUSTED = "3.5 4 3.5 3.5 2.5 3 1.5 2.5 1.5 1 2.5 3 1.5 2 2 3.5"
CUT_1 = {5: 7.5, 8: 12, 11: 11, 7: 12.5, 9: 7.5, 13: 12, 1: 11, 3: 13, 4: 11.5, 16: 11, 12: 9.5, 14: 9, 15: 11}
PRINTED_IN_2024 = {4: 15.0, 6: 12.0, 11: 13.5}  # Buchholz, where the editions differ


@dataclass
class Swiss:
    results: list[Result]
    byes: list[ScoredBye]
    course: UnplayedRounds

    @property
    def field(self):
        return TieBreakField(standings_tallied(range(1, 17), self.results, self.byes), b"secret", self.course)


def swiss(text=SWISS, announced=5):
    rows = {int(line.split()[0]): line.split()[1:] for line in text.strip().split("\n")}
    results, byes = [], []
    for number in range(announced):
        for entrant, cells in rows.items():
            cell = cells[number]
            if cell in ("PAB", "HPB"):
                byes.append(ScoredBye(entrant, 1 if cell == "PAB" else 0.5, number + 1, requested=cell == "HPB"))
            elif cell != "ZPB":
                forfeited = cell[-1] in "+-"
                opponent = int(cell[:-1] if forfeited else cell[: cell.index("=")])
                made = {"+": 1, "-": 0, "1": 1, "0": 0, "=": 0.5}[cell[-1]]
                if entrant < opponent:
                    mine, theirs = SeatResult(entrant, made, 0), SeatResult(opponent, 1 - made, 0)
                    if forfeited:
                        mine = SeatResult(entrant, 0, 0, forfeited_match=made == 0)
                        theirs = SeatResult(opponent, 0, 0, forfeited_match=made == 1)
                    results.append(Result(1, (mine, theirs), round=number + 1))
    sat = [{seat.entrant for one in results if one.round == number for seat in one.seats} for number in range(1, 6)]
    course = UnplayedRounds(
        tuple(Drawn(number, frozenset(seated)) for number, seated in enumerate(sat, start=1)), announced
    )
    return Swiss(results, byes, course)


def numbers(text):
    return dict(enumerate(map(float, text.split()), start=1))


def values(code, field):
    return dict(TIE_BREAKS[code].worth(list(field.tallies.values()), field))


def test_the_points_of_the_exercise():
    assert {number: tally.points for number, tally in swiss().field.tallies.items()} == numbers(POINTS)


@pytest.mark.parametrize(
    ("code", "expected"), [("wins", WINS), ("buchholz", BUCHHOLZ), ("sonneborn_berger", SONNEBORN_BERGER)]
)
def test_a_tie_break_of_the_exercise(code, expected):
    assert values(code, swiss().field) == numbers(expected)


def test_buchholz_cut_1_drops_a_round_not_played_by_choice_before_a_weaker_opponent():
    assert {number: values("buchholz_cut_1", swiss().field)[number] for number in CUT_1} == CUT_1


def test_the_points_that_count_for_the_opponents():
    field = swiss().field
    assert {
        number: float(unplayed_adjusted_points(tally, field.course)) for number, tally in field.tallies.items()
    } == numbers(ADJUSTED)


def test_only_the_dummies_bound_sets_the_edition_of_2026_apart_from_the_printed_numbers():
    # Announced for a hundred rounds, the bound of half the rounds binds nobody; 11 keeps that of the one who forfeited.
    one = swiss()
    field = TieBreakField(one.field.tallies, b"secret", UnplayedRounds(one.course.rounds, 100))
    unbound = numbers(BUCHHOLZ) | {number: PRINTED_IN_2024[number] for number in (4, 6)}
    assert values("buchholz", field) == unbound
    # The one with the forfeit in round 4 has 2.5 points, 9 has 1.5: one point less than printed.
    assert unbound[11] == PRINTED_IN_2024[11] - 1


# The same exercises, nine rounds: four players level on six points, and what they made of each other.
AMONG_FOUR = {(1, 2): 0.5, (1, 4): 0.5, (1, 6): 0.5, (2, 4): 0.5, (2, 6): 0, (4, 6): 0.5}


def tallies_of(games, entrants=(1, 2, 4, 6)):
    seats = {pair: (SeatResult(pair[0], made, 0), SeatResult(pair[1], 1 - made, 0)) for pair, made in games.items()}
    return standings_tallied(
        list(entrants), [Result(1, one, round=at) for at, one in enumerate(seats.values(), start=1)]
    )


def test_the_direct_encounter_of_the_exercise():
    assert unplayed_direct_encounter(tallies_of(AMONG_FOUR)) == {6: 3, 1: 1, 4: 1, 2: 0}


def test_without_all_encounters_only_an_uncatchable_entrant_goes_ahead():
    # 1 beat 2 and 4 and drew with 6; 2 and 4 have not met 6.
    games = {(1, 2): 1, (1, 4): 1, (1, 6): 0.5}
    assert unplayed_direct_encounter(tallies_of(games)) == {1: 0, 2: 0, 4: 0, 6: 0}  # 6 could still have 2.5 as well
    assert unplayed_direct_encounter(tallies_of(games | {(2, 6): 0.5})) == {1: 3, 2: 0, 4: 0, 6: 0}


def test_a_forfeited_match_is_no_encounter():
    forfeit = Result(1, (SeatResult(1, 0, 0), SeatResult(2, 0, 0, forfeited_match=True)), round=1)
    assert unplayed_direct_encounter(standings_tallied([1, 2], [forfeit])) == {1: 0, 2: 0}


def test_rematches_count_with_their_mean():
    twice = [Result(1, (SeatResult(1, made, 0), SeatResult(2, 1 - made, 0)), round=at) for at, made in ((1, 1), (2, 0))]
    assert unplayed_direct_encounter(standings_tallied([1, 2], twice)) == {1: 0, 2: 0}
    three = [*twice, Result(1, (SeatResult(1, 1, 0), SeatResult(2, 0, 0)), round=3)]
    assert unplayed_direct_encounter(standings_tallied([1, 2], three)) == {1: 1, 2: 0}


def test_an_opponent_that_left_counts_half_a_point_for_each_round_it_missed():
    # 1 beat 2 in the first round; 2 left after it and four rounds went on without it.
    met = Result(1, (SeatResult(1, 1, 0), SeatResult(2, 0, 0)), round=1)
    course = UnplayedRounds(tuple(Drawn(at, frozenset({1, 2} if at == 1 else {1})) for at in range(1, 6)), 5)
    tallies = standings_tallied([1, 2], [met])
    assert (unplayed_adjusted_points(tallies[2], course), unplayed_adjusted_points(tallies[1], course)) == (
        2,
        Fraction(1) + 2,
    )


def test_a_match_that_is_not_decided_gives_nothing_yet():
    met = Result(1, (SeatResult(1, 1, 0), SeatResult(2, 0, 0)), round=1)
    both = frozenset({1, 2})
    course = UnplayedRounds((Drawn(1, both), Drawn(2, both, pending=both)), 5)
    rows = standings_table([1, 2], [met], ["buchholz"], b"secret", course=course)
    assert [row.points for row in rows] == [1, 0]
    assert values("buchholz", TieBreakField(standings_tallied([1, 2], [met]), b"secret", course)) == {1: 0, 2: 1}
