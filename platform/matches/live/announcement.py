"""Telling every process that something changed."""

import asyncio
import logging
from typing import Any

from asgiref.sync import async_to_sync

from matches.live.hub import default_layer, message_of

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0


def announce(topic: str, **data: Any) -> None:
    """Says "look again" to everyone who follows ``topic`` ("match.5", "tournament.5", "version.5").

    ``data`` is JSON, public, and a hint at best: a slow viewer may get only the newest of several announcements, so
    what counts is read from the database. For synchronous code; call it once the change is committed
    (``transaction.on_commit``). It never raises: an announcement that is lost costs a late page, not the caller's work.
    """
    try:
        async_to_sync(_send)(topic, data)
    except Exception:
        logger.warning("live: an announcement of %s was lost", topic, exc_info=True)


async def _send(topic: str, data: dict[str, Any]) -> None:
    await asyncio.wait_for(default_layer().group_send(topic, message_of(topic, data)), PATIENCE_SECONDS)
