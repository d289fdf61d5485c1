"""The fit and its scale against figures that others have published."""

from itertools import combinations

import numpy as np
import pytest

from ratings import Block, Games, Prior, strengths_fit
from ratings.scale import PER_LOGIT, rating_expected_share

HARDLY_A_PRIOR = 50.0  # logits: the published figures are maximum likelihood

# American League, Eastern Division, 1987 (A. Agresti, Categorical Data Analysis, 2nd edition, 2002, table 10.10):
# each row the wins at home against, in this order, the columns.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WON_AT_HOME = """
- 4 4 4 6 4 6
3 - 4 4 6 6 4
2 4 - 2 4 4 6
3 5 2 - 4 4 6
5 2 3 4 - 5 6
2 3 3 4 4 - 2
2 1 1 2 1 3 -
"""
LOST_AT_HOME = """
- 3 2 3 1 2 0
3 - 2 3 0 1 3
5 3 - 4 3 2 0
3 1 5 - 3 2 1
1 5 3 2 - 2 0
5 3 4 3 2 - 4
5 5 6 4 6 4 -
"""
# Table 10.11, without advantage for the home side: estimates with Baltimore at 0; standard errors of about 0.3.
ESTIMATES = {"Milwaukee": 1.58, "Detroit": 1.44, "Toronto": 1.29, "New York": 1.25, "Boston": 1.11, "Cleveland": 0.68}

# Citations among four journals (S. Stigler, Statistical Science 9, 1994; Agresti, page 448): row cited, column citing.
JOURNALS = ("Biometrika", "Comm Statist", "JASA", "JRSS-B")
CITED = ((714, 730, 498, 221), (33, 425, 68, 17), (320, 813, 1072, 142), (284, 276, 325, 188))
# H. Turner and D. Firth, Bradley-Terry models in R, Journal of Statistical Software 48(9), 2012, section 2.1.
ABILITIES = {"Comm Statist": -2.949, "JASA": -0.480, "JRSS-B": 0.269}

# Table 8.1.1 of the FIDE rating regulations: percentage scored, difference in rating.
FIDE = {50: 0, 55: 36, 60: 72, 65: 110, 70: 149, 75: 193, 80: 240, 85: 296}


def fitted(wins):
    """``wins``: how often the first of a pair beat the second; every game is a block of its own."""
    blocks = [Block(pair, ((1, 2),)) for pair, games in wins.items() for _ in range(games)]
    entrants = {entrant for pair in wins for entrant in pair}
    return strengths_fit(Games.from_blocks(blocks), dict.fromkeys(entrants, Prior(sd=HARDLY_A_PRIOR)))


def numbers(table):
    return [[0 if one == "-" else int(one) for one in line.split()] for line in table.strip().split("\n")]


def test_a_textbook_season_of_baseball():
    won, lost = numbers(WON_AT_HOME), numbers(LOST_AT_HOME)
    wins = {(a, b): won[a][b] + lost[b][a] for a in range(7) for b in range(7) if a != b}
    assert all(wins[a, b] + wins[b, a] == 13 for a, b in combinations(range(7), 2))
    ratings = fitted(wins)
    lead = ratings.mean - ratings.mean[TEAMS.index("Baltimore")]
    assert {team: round(float(lead[TEAMS.index(team)]), 2) for team in ESTIMATES} == ESTIMATES
    for team in ESTIMATES:
        error = ratings.difference(TEAMS.index(team), TEAMS.index("Baltimore")).error * np.log(10) / 400
        assert error == pytest.approx(0.3, abs=0.06)


def test_the_citations_among_journals():
    ratings = fitted({(a, b): CITED[a][b] for a in range(4) for b in range(4) if a != b})
    lead = ratings.mean - ratings.mean[0]
    for journal, ability in ABILITIES.items():
        assert lead[JOURNALS.index(journal)] == pytest.approx(ability, abs=1e-3)


@pytest.mark.parametrize(("percent", "difference"), FIDE.items())
def test_our_points_are_elo_points_to_the_difference_between_the_logistic_and_the_normal_curve(percent, difference):
    assert rating_expected_share(difference / PER_LOGIT) == pytest.approx(percent / 100, abs=0.01)
    ratings = fitted({(1, 2): percent, (2, 1): 100 - percent})
    assert ratings.difference(1, 2).points == pytest.approx(difference, abs=6)
