"""One ranking of all entrants across the stages of a tournament."""

import random

from tournaments.standings import Result, SeatResult, final_ranking, standings_table

SECRET = b"committed"


def rows(*order):
    """Standings in this order, each having beaten all below it."""
    results = [
        Result(1, (SeatResult(one, 1, 0), SeatResult(other, 0, 0)))
        for at, one in enumerate(order)
        for other in order[at + 1 :]
    ]
    return standings_table(order, results, [], SECRET)


def places(stages):
    return [(one.rank, one.entrant, one.stage) for one in final_ranking(stages)]


def test_one_stage_is_ranked_as_it_ended():
    assert places([rows(3, 1, 2)]) == [(1, 3, 1), (2, 1, 1), (3, 2, 1)]


def test_eliminated_entrants_rank_below_qualifiers():
    assert places([rows(3, 1, 2, 4), rows(1, 3)]) == [(1, 1, 2), (2, 3, 2), (3, 2, 1), (4, 4, 1)]


def test_entrants_eliminated_in_one_round_share_a_rank_and_the_next_rank_counts_them():
    first, second, third, fourth = rows(5, 6, 7, 8)
    knockout = (first, second, third._replace(rank=3), fourth._replace(rank=3))
    assert [rank for rank, *_ in places([rows(5, 6, 7, 8, 9), knockout])] == [1, 2, 3, 3, 5]


def test_the_disqualified_come_after_everybody_whatever_stage_they_reached():
    first, second = rows(1, 2)
    assert places([rows(1, 2, 3), (first, second._replace(disqualified=True))]) == [(1, 1, 2), (2, 3, 1), (3, 2, 2)]
    thrown = rows(1, 2, 3)[2]._replace(disqualified=True)
    assert places([(*rows(1, 2, 3, 4)[:2], thrown, rows(1, 2, 3, 4)[3])]) == [
        (1, 1, 1),
        (2, 2, 1),
        (3, 4, 1),
        (4, 3, 1),
    ]


def test_ranks_of_a_knockout_of_5000_count_those_above_without_comparing_pairs():
    row = rows(1, 2)[0]
    shared = [1, 2, *(bound for bound in (3, 5, 9, 17, 33, 65, 129, 257, 513, 1025, 2049) for _ in range(bound - 1))]
    comparisons = []

    class Rank(int):
        def __lt__(self, other):
            comparisons.append(other)
            return int(self) < int(other)

    ended = [row._replace(rank=Rank(rank), entrant=at) for at, rank in enumerate(shared[:5000])]
    random.Random(1).shuffle(ended)
    placed = final_ranking([ended])
    assert [one.rank for one in placed] == [int(one.row.rank) for one in placed]
    assert len(comparisons) < 5000 * 100


def test_nothing_begun_ranks_nobody():
    assert final_ranking([]) == ()
