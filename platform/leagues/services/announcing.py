"""Who watches a league is told that something changed."""

from functools import partial

from django.db import transaction

from matches.live import announce


def announce_later(league_id: int) -> None:
    """Announce it once this transaction is committed."""
    transaction.on_commit(partial(announce, f"league.{league_id}"))
