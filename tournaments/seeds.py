"""Which secret each match of a tournament has: known to whoever knows the tournament's, and to nobody before."""

from games.dealer import block_seed
from tournaments.models import Tournament


def match_key(round_number: int, table: int) -> tuple[int | str, ...]:
    """What ``block_seed`` derives the match's secret for."""
    return ("match", round_number, table)


def match_secret(tournament: Tournament, round_number: int, table: int) -> bytes:
    """The secret of a table's match."""
    return block_seed(bytes(tournament.secret), *match_key(round_number, table))
