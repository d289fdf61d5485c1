"""The live log of a match being played: what late and reconnecting viewers read until the result is written."""

import logging
import time
from collections.abc import Callable
from typing import Final

from django.db import DatabaseError, transaction

from games.table import Table
from live import announce
from matches.models import MatchLog
from matches.queue.leases import Lease

logger = logging.getLogger(__name__)

WRITTEN_EVERY: Final = 1.0  # seconds
PACED_WRITTEN_EVERY: Final = 0.2  # where a match is slowed down to be watched


class LiveLog:
    """Follows the games of one attempt and writes them down, and announces it, every ``WRITTEN_EVERY`` seconds at most,
    oftener if the match is ``paced``.

    A game that viewers have seen begin is written once more the moment it ends. A match that is over sooner leaves no
    trace here. The log is for show: if it cannot be written the match goes on.
    """

    def __init__(self, lease: Lease, clock: Callable[[], float] = time.monotonic, *, paced: bool = False) -> None:
        self._every = PACED_WRITTEN_EVERY if paced else WRITTEN_EVERY
        self._lease = lease
        self._clock = clock
        self._written = clock()
        self._begun: dict[int, Table] = {}  # games since, of which all but the last one are over
        self.live: int | None = None  # the game that viewers have seen begin and not yet end

    def follow(self, index: int, table: Table) -> None:
        """Note that game ``index`` is at ``table``. To be called at its start, now and then, and after each action of a
        game that is ``live``."""
        self._begun[index] = table
        if self._clock() - self._written >= self._every or (self.live == index and table.over):
            self._write()
            self.live = None if table.over else index

    def _write(self) -> None:
        rows = [self._row(index, table) for index, table in self._begun.items()]
        try:
            with transaction.atomic():
                MatchLog.objects.bulk_create(
                    rows,
                    update_conflicts=True,
                    unique_fields=["match", "attempt", "game"],
                    update_fields=["actions", "interventions"],
                )
        except DatabaseError:
            logger.warning("match %d: the live log was not written", self._lease.match_id, exc_info=True)
        else:
            self._begun.clear()
            announce(f"match.{self._lease.match_id}")
        self._written = self._clock()

    def _row(self, index: int, table: Table) -> MatchLog:
        return MatchLog(
            match_id=self._lease.match_id,
            attempt=self._lease.attempt,
            game=index,
            seed=table.seed,
            actions="\n".join(table.actions),
            interventions=[list(intervention) for intervention in table.interventions],
        )
