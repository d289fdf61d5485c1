"""Every record of a season, with the secret that its luck came from."""

from matches.proofs import Keyed, proof_zip
from tournaments.league.models import LeagueMatch, Season
from tournaments.league.seeds import match_key


def proof_of(season: Season) -> bytes:
    """A zip for ``peck verify``. It holds the secret: only for a season that has ended."""
    chosen = LeagueMatch.objects.filter(season=season).order_by("number").values_list("match", "number")
    matches = [Keyed(match, match_key(number), f"match {number}") for match, number in chosen]
    return proof_zip(name=str(season), secret=bytes(season.secret), matches=matches)
