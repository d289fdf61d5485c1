"""The secrets of a tournament's matches. They are derived from the luck of the tournament, which nobody can foresee."""

from collections.abc import Callable

from django.db.models import Max

from games.dealer import block_seed
from tournaments.models import Luck, SupersededMatch, Tournament


def tournament_match_key(round_number: int, table: int, attempt: int = 1) -> tuple[int | str, ...]:
    """Return the key from which ``block_seed`` derives the secret of a match.

    If the match is not the first one of its table, the key contains the number ``attempt``. So a replay has new seeds.
    """
    return ("match", round_number, table) if attempt == 1 else ("match", round_number, table, attempt)


def tournament_match_secret_luck(tournament: Tournament, number: int | None = None) -> bytes:
    """Return the value of the luck with this number.

    Without a number, return the value of the first luck from which anything was drawn. Lots in standings and seedings
    are always drawn from this luck.
    """
    lucks = Luck.objects.filter(tournament=tournament).prefetch_related("nonces").order_by("number")
    if number is not None:
        return lucks.get(number=number).value
    # The first luck is not always the one: if entries were re-opened before the start, nothing was drawn from it.
    known = list(lucks)
    return next((one for one in known if one.started_at is not None), known[0]).value


def tournament_match_secret(luck: bytes, round_number: int, table: int, attempt: int = 1) -> bytes:
    """Return the secret of the match at a table."""
    return block_seed(luck, *tournament_match_key(round_number, table, attempt))


def tournament_match_secret_attempts(tournament: Tournament, round_number: int) -> Callable[[int], int]:
    """Return a function that takes a table of the round, and returns the attempt number of a match drawn there now.

    This number is one more than the greatest attempt number of the superseded matches at the table.
    """
    before = SupersededMatch.objects.filter(ruling__tournament=tournament, round=round_number)
    last = dict(before.order_by().values_list("table").annotate(Max("attempt")))
    return lambda table: last.get(table, 0) + 1
