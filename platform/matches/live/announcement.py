"""Announce to every process that something changed."""

import logging
from typing import Any

from matches.live.hub import default_layer, message_of
from matches.live.publishing import publish
from web.topics import topics_changed

logger = logging.getLogger(__name__)


def announce(*topics: str, **data: Any) -> None:
    """Announce a change to everyone who follows one of ``topics`` ("match.5", "tournament.5", "version.5").

    ``data`` is JSON, public, and a hint at best: a slow viewer may get only the newest of several announcements, so
    what counts is read from the database. For synchronous code; call it once the change is committed
    (``transaction.on_commit``). It never raises: an announcement that is lost costs a late page, not the caller's work.
    """
    if not topics:
        return
    topics_changed(*topics)
    try:
        publish(default_layer(), {topic: message_of(topic, data) for topic in topics})
    except Exception:
        logger.warning("live: announcements of %s were lost", ", ".join(topics), exc_info=True)
