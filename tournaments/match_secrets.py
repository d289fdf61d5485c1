"""Which secret each match of a tournament has: it follows from the tournament's luck, and nobody knows it before."""

from collections.abc import Callable

from django.db.models import Max

from games.dealer import block_seed
from tournaments.models import Luck, SupersededMatch, Tournament


def tournament_match_key(round_number: int, table: int, attempt: int = 1) -> tuple[int | str, ...]:
    """Return what ``block_seed`` derives the match's secret for; from the second match drawn at a table on, with the
    number of this attempt, so that what is played again is played with new seeds.
    """
    return ("match", round_number, table) if attempt == 1 else ("match", round_number, table, attempt)


def tournament_match_secret_luck(tournament: Tournament, number: int | None = None) -> bytes:
    """Return what follows from the luck of that number, or else from the first that anything was drawn from: lots of
    standings and seeding are those of it, for good.
    """
    lucks = Luck.objects.filter(tournament=tournament).prefetch_related("nonces").order_by("number")
    if number is not None:
        return lucks.get(number=number).value
    # Entries that were re-opened before the start leave a luck from which nothing was drawn.
    known = list(lucks)
    return next((one for one in known if one.started_at is not None), known[0]).value


def tournament_match_secret(luck: bytes, round_number: int, table: int, attempt: int = 1) -> bytes:
    """Return the secret of a table's match."""
    return block_seed(luck, *tournament_match_key(round_number, table, attempt))


def tournament_match_secret_attempts(tournament: Tournament, round_number: int) -> Callable[[int], int]:
    """Return which attempt a match drawn now at a table of the round is: one after all that lost their place there."""
    before = SupersededMatch.objects.filter(ruling__tournament=tournament, round=round_number)
    last = dict(before.order_by().values_list("table").annotate(Max("attempt")))
    return lambda table: last.get(table, 0) + 1
