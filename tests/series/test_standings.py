"""The arithmetic of series: points for places, shares, what counts, and who is ahead."""

from fractions import Fraction
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from series.standings import (
    EventScore,
    Finisher,
    series_event_scores_by_place,
    series_event_scores_by_share,
    series_standings,
)

POINTS = st.lists(st.integers(0, 50), max_size=12).map(lambda found: sorted(found, reverse=True))
SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=6)  # of the groups that share a rank


def finishers(sizes: list[int]) -> list[Finisher]:
    ranks = [1 + before for before in accumulate([0, *sizes[:-1]])]
    found: list[Finisher] = []
    for rank, size in zip(ranks, sizes, strict=True):
        found += [Finisher(f"author.{len(found) + at}", len(found) + at, rank) for at in range(size)]
    return found


SCORES = st.builds(
    EventScore, bot=st.integers(1, 99), rank=st.integers(1, 9), points=st.fractions(0, 50, max_denominator=6)
)
EVENTS = st.lists(st.dictionaries(st.sampled_from("abcdef"), SCORES, max_size=6), max_size=6)


@given(SIZES, POINTS)
def test_all_points_of_the_places_that_are_taken_are_given_out_once(sizes: list[int], points: list[int]) -> None:
    scores = series_event_scores_by_place(finishers(sizes), points)
    assert sum(one.points for one in scores.values()) == sum(points[: sum(sizes)])


@given(SIZES, POINTS)
def test_a_better_place_never_brings_less_and_a_shared_one_the_same(sizes: list[int], points: list[int]) -> None:
    scores = sorted(series_event_scores_by_place(finishers(sizes), points).values(), key=lambda one: one.rank)
    worth = [one.points for one in scores]
    assert worth == sorted(worth, reverse=True)
    assert all(one.points == other.points for one in scores for other in scores if one.rank == other.rank)


def test_two_who_share_the_first_place_share_the_points_of_the_first_two() -> None:
    scores = series_event_scores_by_place([Finisher("a", 1, 1), Finisher("b", 2, 1), Finisher("c", 3, 3)], [25, 18, 15])
    assert [scores[one].points for one in "abc"] == [Fraction(43, 2), Fraction(43, 2), 15]


def test_the_better_of_two_bots_of_an_author_counts() -> None:
    scores = series_event_scores_by_place([Finisher("a", 1, 1), Finisher("a", 2, 2), Finisher("b", 3, 3)], [10, 6, 3])
    assert (scores["a"].bot, scores["a"].points, scores["b"].points) == (1, 10, 3)


def test_disqualified_bots_get_nothing_and_take_no_place() -> None:
    ranked = [Finisher("a", 1, 1), Finisher("b", 2, 2), Finisher("c", 3, 2, disqualified=True)]
    assert [series_event_scores_by_place(ranked, [10, 6, 3])[one].points for one in "abc"] == [10, 6, 0]
    shares = [Finisher("a", 1, 1, Fraction(1, 2)), Finisher("b", 2, 2, Fraction(1), disqualified=True)]
    assert [series_event_scores_by_share(shares)[one].points for one in "ab"] == [50, 0]


@given(EVENTS, st.integers(0, 7))
def test_totals_are_the_best_results_and_the_order_follows_them(events: list[dict[str, EventScore]], best: int) -> None:
    rows = series_standings(events, best)
    assert {row.entrant for row in rows} == {one for event in events for one in event}
    for row in rows:
        points = sorted((cell.score.points for cell in row.cells if cell), reverse=True)
        assert row.total == sum(points[: best or None])
        counted = [cell for cell in row.cells if cell and cell.counts]
        assert len(counted) == (min(best, len(points)) if best else len(points))
        assert sum(cell.score.points for cell in counted) == row.total
        assert len(row.cells) == len(events)
    assert [row.total for row in rows] == sorted((row.total for row in rows), reverse=True)
    assert [row.rank for row in rows] == [1 + sum(other.rank < row.rank for other in rows) for row in rows]


@given(EVENTS, st.integers(0, 7), st.randoms(use_true_random=False))
def test_neither_the_order_of_events_nor_of_entrants_changes_a_rank(
    events: list[dict[str, EventScore]], best: int, random: object
) -> None:
    shuffled = [dict(random.sample(list(event.items()), len(event))) for event in events]  # type: ignore[attr-defined]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = series_standings(events, best), series_standings(shuffled, best)
    assert [(row.rank, row.entrant, row.total) for row in first] == [
        (row.rank, row.entrant, row.total) for row in second
    ]


@given(EVENTS, SCORES, st.integers(0, 7))
def test_another_event_never_takes_points_away(
    events: list[dict[str, EventScore]], score: EventScore, best: int
) -> None:
    before = {row.entrant: row.total for row in series_standings(events, best)}
    after = {row.entrant: row.total for row in series_standings([*events, {"a": score}], best)}
    assert all(after[one] >= total for one, total in before.items())


def test_equal_totals_are_broken_by_the_best_results_and_shared_otherwise() -> None:
    def won(points: int) -> EventScore:
        return EventScore(1, 1, Fraction(points))

    rows = series_standings(
        [{"a": won(5), "b": won(8), "c": won(5), "d": won(0)}, {"a": won(5), "b": won(2), "c": won(5)}]
    )
    assert [(row.rank, row.entrant) for row in rows] == [(1, "b"), (2, "a"), (2, "c"), (4, "d")]
    dropped = series_standings([{"a": won(8), "b": won(8)}, {"a": won(1)}], best=1)
    assert [(row.rank, row.entrant) for row in dropped] == [(1, "a"), (2, "b")]
    assert series_standings([]) == ()
