"""Having the books make what readers of a large tournament are waiting for."""

import logging
from typing import Final

from celery import current_app

from matches.queue.dispatch import UNREACHABLE

logger = logging.getLogger(__name__)

MAKE_TASK: Final = "tournaments.make_lately"
ENTRIES_AT_ONCE: Final = 100  # what takes long for more is waited for by nobody who looks at the standings
EXPIRES: Final = 10  # seconds: who asked makes it then


def ask_books(what: str, pk: int) -> None:
    """Send for "standings" of a stage, or for "ratings" or "adjusted" of a tournament, by its primary key. Never raises
    where the broker is away: readers make it after a while."""
    try:
        current_app.send_task(MAKE_TASK, [what, pk], expires=EXPIRES)
    except UNREACHABLE:
        logger.exception("the broker took no message; %s %s are made by a reader", what, pk)
