"""Places of entrants that no tie-break separates: shared ones do not depend on the lot, a play-off orders the first."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from games.contest_luck import contest_luck_lot
from tests.examples import examples
from tests.tournaments.standings.test_standings import SECRET, A, B, C, duel, tournaments
from tournaments.standings import TIE_BREAKS, standings_level_for_first, standings_play_off_places, standings_table

CODES = st.permutations([code for code in TIE_BREAKS if code not in ("lot", "shared", "play_off")])


@given(tournaments(), CODES, st.integers(0, 3), st.binary(min_size=1), st.binary(min_size=1))
@examples(150)
def test_shared_places_never_depend_on_the_lot(tournament, codes, most, one, other):
    entrants, results = tournament
    announced = [*codes[:most], "shared", "lot"]
    ranks = [
        {row.entrant: row.rank for row in standings_table(entrants, results, announced, secret)}
        for secret in (one, other)
    ]
    assert ranks[0] == ranks[1]
    taken = sorted(ranks[0].values())
    assert all(rank in (before, at) for at, (before, rank) in enumerate(zip([0, *taken], taken, strict=False), start=1))


@given(tournaments(), CODES, st.integers(0, 3), st.data())
@examples(150)
def test_a_play_off_refines_the_ranks_and_changes_nothing_else(tournament, codes, most, data):
    entrants, results = tournament
    announced = [*codes[:most], "play_off", "lot"]
    before = standings_table(entrants, results, announced, SECRET)
    level = standings_level_for_first(before)
    seeds = data.draw(st.permutations(level).map(lambda order: order[: max(2, len(order) - 1)]))
    met = [duel(one, other, data.draw(st.sampled_from([0, 1, 2]))) for one, other in combinations(seeds, 2)]
    play_off = standings_table(seeds, met, announced, SECRET)
    after = standings_table(
        entrants, results, announced, SECRET, play_off=standings_play_off_places(play_off, announced)
    )
    assert standings_level_for_first(after) == level
    shared = {row.entrant: row.rank for row in standings_table(entrants, results, [*codes[:most], "shared"], SECRET)}
    assert all(shared[upper.entrant] <= shared[lower.entrant] for upper, lower in pairwise(after))
    assert [row for row in after if row.entrant not in level] == [row for row in before if row.entrant not in level]
    numbers = [{row.entrant: _numbers(row) for row in rows} for rows in (before, after)]
    assert numbers[0] == numbers[1]
    placed = [row.entrant for row in after if row.entrant in seeds]
    points = {row.entrant: row.points for row in play_off}
    assert all(points[upper] >= points[lower] for upper, lower in pairwise(placed))
    assert [row.entrant for row in after][len(seeds) : len(level)] == sorted(
        set(level) - set(seeds), key=lambda one: contest_luck_lot(SECRET, "tie", one)
    )


def _numbers(row):
    """All that stands in a row but its place, and what decided it."""
    values = {code: value for code, value in row.values.items() if code not in ("play_off", "lot")}
    return row._replace(rank=0, values=values, tied_with={}, above_next_by="")


@given(tournaments(), CODES, st.integers(0, 3))
def test_only_who_is_ahead_of_all_others_needs_no_play_off(tournament, codes, most):
    entrants, results = tournament
    announced = [*codes[:most], "play_off", "lot"]
    level = standings_level_for_first(standings_table(entrants, results, announced, SECRET))
    shared = standings_table(entrants, results, [*codes[:most], "shared"], SECRET)
    first = sorted(row.entrant for row in shared if row.rank == 1)
    assert level == (first if len(first) > 1 else [])


def test_entrants_separated_only_by_lot_in_a_play_off_stay_level():
    won, drawn = [duel(A, B, 2), duel(A, C, 2)], duel(B, C, 1)
    rows = standings_table([A, B, C], [*won, drawn], ["play_off", "lot"], SECRET)
    assert standings_play_off_places(rows, ["play_off", "lot"]) == {A: 1, B: 2, C: 2}
    again = standings_table([A, B, C], [*won, drawn], ["play_off", "wins", "lot"], SECRET, play_off={B: 1, C: 2})
    assert standings_play_off_places(again, ["play_off", "wins", "lot"]) == {A: 1, B: 2, C: 3}


def test_nine_who_are_level_play_no_play_off():
    assert len(standings_level_for_first(standings_table(range(1, 9), [], ["play_off", "lot"], SECRET))) == 8
    assert standings_level_for_first(standings_table(range(1, 10), [], ["play_off", "lot"], SECRET)) == []
