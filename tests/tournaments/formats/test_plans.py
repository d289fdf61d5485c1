"""What a format plans is what it draws, and is computed at once for any number of entries."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.formats.draw_position import StageTerms
from tournaments.formats.knockout.plan import EliminationType, Part, knockout_plan_of
from tournaments.formats.registry import FORMATS
from tournaments.formats.round_robin.pairing import round_robin
from tournaments.formats.seating import seating_smallest_table

LARGE = 5000


def terms(code: str, seats: int, *, third_place: bool = False) -> StageTerms:
    smallest = seating_smallest_table(seats) if FORMATS[code].fills_up else seats
    return StageTerms(1, code, 9, 0, seats, smallest, 3, {}, third_place)


@given(st.integers(0, 70))
def test_a_round_robin_of_two_plans_what_it_draws(entries: int) -> None:
    plan = FORMATS["round_robin"].plan(terms("round_robin", 2), entries)
    if entries < 2:
        assert plan is None
        return
    drawn = round_robin(range(entries), 2, b"any")
    assert plan is not None
    assert (plan.rounds, plan.matches) == (len(drawn.rounds), sum(map(len, drawn.rounds)))
    met = drawn.meetings(range(entries))
    assert (plan.least, plan.most, plan.games) == (met.start, met.stop - 1, plan.matches * 2 * 3)


@given(st.integers(2, 200), st.booleans())
def test_a_knockout_plans_the_rounds_and_matches_of_its_bracket(entries: int, third: bool) -> None:
    for code, kind in (("single_elimination", EliminationType.SINGLE), ("double_elimination", EliminationType.DOUBLE)):
        nodes = knockout_plan_of(kind, entries, third)
        plan = FORMATS[code].plan(terms(code, 2, third_place=third), entries)
        assert plan is not None
        assert plan.rounds == max(node.level for node in nodes)
        field = 1 << (entries - 1).bit_length()
        byes = field - entries
        empty = 2 * byes if kind is EliminationType.DOUBLE else byes  # each costs a match in every bracket it is in
        played = [node for node in nodes if node.place.part is not Part.THIRD or entries > 3]
        assert plan.matches == len(played) - empty


@pytest.mark.parametrize("code", [code for code, kind in FORMATS.items() if not kind.is_play_off])
@pytest.mark.parametrize("seats", range(2, 8))
def test_five_thousand_are_planned_at_once(code: str, seats: int) -> None:
    if seats not in FORMATS[code].tables:
        return
    begun = time.process_time()
    for entries in range(LARGE - 20, LARGE + 1):
        plan = FORMATS[code].plan(terms(code, seats), entries)
        assert plan is not None
        assert plan.games >= entries
    assert time.process_time() - begun < 1  # 12.5 million games were drawn for it before
