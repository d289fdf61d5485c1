"""Places after forfeits, and the share of opponents beaten."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.record import Record
from matches.referee import GameResult
from matches.referee.scoring import scoring_places_after_forfeits, scoring_seat_totals, scoring_shares_beaten


@pytest.mark.parametrize(
    ("places", "faulty", "after"),
    [
        ((1, 2), set(), (1, 2)),
        ((1, 2), {0}, (2, 1)),
        ((1, 1, 3), {2}, (1, 1, 3)),
        ((1, 1, 3), {0}, (3, 1, 2)),
        ((2, 3, 1, 4), {2, 0}, (3, 1, 3, 2)),
        ((1, 2), {0, 1}, (1, 1)),
    ],
)
def test_faulty_seats_share_the_last_place_and_the_others_keep_their_order(
    places: tuple[int, ...], faulty: set[int], after: tuple[int, ...]
) -> None:
    assert scoring_places_after_forfeits(places, faulty) == after


@pytest.mark.parametrize(
    ("places", "shares"),
    [((1, 2), (1.0, 0.0)), ((1, 1), (0.5, 0.5)), ((1, 2, 2), (1.0, 0.25, 0.25)), ((3, 1, 2), (0.0, 1.0, 0.5))],
)
def test_a_tie_counts_half(places: tuple[int, ...], shares: tuple[float, ...]) -> None:
    assert scoring_shares_beaten(places) == shares


@given(st.lists(st.integers(0, 20), min_size=2, max_size=7), st.sets(st.integers(0, 6)))
def test_the_shares_of_a_table_always_sum_to_half_its_seats(points: list[int], drawn: set[int]) -> None:
    places = [1 + sum(other > mine for other in points) for mine in points]
    faulty = {seat for seat in drawn if seat < len(places)}
    after = scoring_places_after_forfeits(places, faulty)
    assert sum(scoring_shares_beaten(after)) == Fraction(len(places), 2)
    sound = [place for seat, place in enumerate(after) if seat not in faulty]
    assert all(after[seat] > place for seat in faulty for place in sound)


def test_thirds_that_add_up_to_a_whole_are_shown_as_a_whole() -> None:
    games = [_game(places) for places in ((2, 1, 3, 4), (3, 1, 2, 4)) * 2]
    assert scoring_seat_totals(games)[0].score == 2.0


def _game(places: tuple[int, ...]) -> GameResult:
    none = (0.0,) * len(places)
    record = Record("pickomino/1", len(places), {}, bytes(16), (), (), bytes(16))
    return GameResult(0, record, (0,) * len(places), places, "", "", (), none, none, ("",) * len(places))
