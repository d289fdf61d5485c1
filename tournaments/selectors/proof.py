"""Every record of a tournament, with the secret that its luck came from."""

from matches.proofs import Keyed, proof_zip
from tournaments.models import Tournament
from tournaments.seeds import match_key


def proof_of(tournament: Tournament) -> bytes:
    """A zip for ``peck verify``. It holds the secret: only for a tournament that has finished."""
    fixtures = tournament.fixtures.order_by("round__number", "table")
    matches = [
        Keyed(match, match_key(number, table), f"round {number}, table {table}")
        for match, number, table in fixtures.values_list("match", "round__number", "table")
    ]
    return proof_zip(name=tournament.name, secret=bytes(tournament.secret), matches=matches)
