"""Every record of a tournament, with the secrets, entries and nonces that its luck came from."""

from operator import itemgetter

from matches.proofs import Keyed, proof_zip
from tournaments.models import Displaced, Luck, Tournament
from tournaments.seeds import match_key


def proof_of(tournament: Tournament) -> bytes:
    """A zip for ``peck verify``. It holds the secrets: only for a tournament that is over."""
    fixtures = tournament.fixtures.values_list("match", "round__number", "table", "attempt", "luck")
    displaced = Displaced.objects.filter(ruling__tournament=tournament)
    drawn = [*fixtures, *displaced.values_list("match", "round", "table", "attempt", "luck")]
    lucks = {luck.number: luck for luck in tournament.lucks.prefetch_related("nonces")}
    mixed = {number: luck for number, luck in lucks.items() if luck.entries is not None}
    matches = [
        Keyed(match, match_key(number, table, attempt), _title(number, table, attempt), luck if luck in mixed else None)
        for match, number, table, attempt, luck in sorted(drawn, key=itemgetter(1, 2, 3))
    ]
    told = [_told(luck) for luck in mixed.values()]
    return proof_zip(name=tournament.name, secret=bytes(lucks[1].secret), matches=matches, luck=told)


def _told(luck: Luck) -> dict[str, object]:
    return {
        "number": luck.number,
        "commitment": luck.commitment,
        "secret": bytes(luck.secret).hex(),
        "entries": luck.entries,
        "nonces": [nonce.text for nonce in luck.nonces.all()],
    }


def _title(round_number: int, table: int, attempt: int) -> str:
    place = f"round {round_number}, table {table}"
    return place if attempt == 1 else f"{place}, attempt {attempt}"
