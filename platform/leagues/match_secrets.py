"""Which secret each match of a season has: known to whoever knows the season's, and to nobody before."""

from games.dealer import block_seed
from leagues.models import Season


def match_key(number: int) -> tuple[int | str, ...]:
    """Return what ``block_seed`` derives the match's secret for."""
    return ("match", number)


def match_secret(season: Season, number: int) -> bytes:
    """Return the secret of a season's match."""
    return block_seed(bytes(season.secret), *match_key(number))
