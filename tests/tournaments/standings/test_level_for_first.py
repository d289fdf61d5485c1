"""Places of those whom no tie-break tells apart: shared ones do not hang on the lot."""

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.standings.test_standings import tournaments
from tournaments.standings import TIE_BREAKS, standings

CODES = st.permutations([code for code in TIE_BREAKS if code not in ("lot", "shared", "play_off")])


@given(tournaments(), CODES, st.integers(0, 3), st.binary(min_size=1), st.binary(min_size=1))
@examples(150)
def test_shared_places_never_depend_on_the_lot(tournament, codes, most, one, other):
    entrants, results = tournament
    announced = [*codes[:most], "shared", "lot"]
    ranks = [
        {row.entrant: row.rank for row in standings(entrants, results, announced, secret)} for secret in (one, other)
    ]
    assert ranks[0] == ranks[1]
    taken = sorted(ranks[0].values())
    assert all(rank in (before, at) for at, (before, rank) in enumerate(zip([0, *taken], taken, strict=False), start=1))
