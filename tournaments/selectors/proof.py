"""Every record of a tournament, with the secret that its luck came from."""

from operator import itemgetter

from matches.proofs import Keyed, proof_zip
from tournaments.models import Displaced, Tournament
from tournaments.seeds import match_key


def proof_of(tournament: Tournament) -> bytes:
    """A zip for ``peck verify``. It holds the secret: only for a tournament that has finished."""
    fixtures = tournament.fixtures.values_list("match", "round__number", "table", "attempt")
    displaced = Displaced.objects.filter(ruling__tournament=tournament)
    drawn = [*fixtures, *displaced.values_list("match", "round", "table", "attempt")]
    matches = [
        Keyed(match, match_key(number, table, attempt), _title(number, table, attempt))
        for match, number, table, attempt in sorted(drawn, key=itemgetter(1, 2, 3))
    ]
    return proof_zip(name=tournament.name, secret=bytes(tournament.secret), matches=matches)


def _title(round_number: int, table: int, attempt: int) -> str:
    place = f"round {round_number}, table {table}"
    return place if attempt == 1 else f"{place}, attempt {attempt}"
