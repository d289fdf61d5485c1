"""Telling every process that something changed."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from asgiref.sync import async_to_sync

from matches.live.hub import default_layer, message_of

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0


def announce(*topics: str, **data: Any) -> None:
    """Says "look again" to everyone who follows one of ``topics`` ("match.5", "tournament.5", "version.5").

    ``data`` is JSON, public, and a hint at best: a slow viewer may get only the newest of several announcements, so
    what counts is read from the database. For synchronous code; call it once the change is committed
    (``transaction.on_commit``). It never raises: an announcement that is lost costs a late page, not the caller's work.
    """
    if not topics:
        return
    try:
        async_to_sync(_send)(topics, data)
    except Exception:
        logger.warning("live: announcements of %s were lost", ", ".join(topics), exc_info=True)


async def _send(topics: Sequence[str], data: dict[str, Any]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        for topic in topics:
            await default_layer().group_send(topic, message_of(topic, data))
