"""Announce a change to every process.

``async_to_sync`` starts an event loop and a connection for each call, which costs more than the task that announces.
Where the layer is Redis' publish/subscribe, messages are therefore published directly, in its own format and in one
round trip."""

import logging
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import redis
from asgiref.sync import async_to_sync
from channels.layers import BaseChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.conf import settings

from live.hub import default_layer, message_of
from web.topics import topics_changed

PATIENCE_SECONDS: Final = 2.0
logger = logging.getLogger(__name__)


def publish(layer: BaseChannelLayer, messages: Mapping[str, Mapping[str, Any]]) -> None:
    """Send each message to its group, in order.

    Raises:
        OSError, redis.RedisError: nobody took them.
    """
    default: Mapping[str, Any] = settings.CHANNEL_LAYERS["default"]
    config = default.get("CONFIG", {})
    hosts = config.get("hosts", [])
    if not isinstance(layer, RedisPubSubChannelLayer) or len(hosts) != 1:
        async_to_sync(_group_send)(layer, messages)
        return
    client = _client(hosts[0]["address"])
    prefix = config.get("prefix", "asgi")
    with client.pipeline(transaction=False) as pipe:
        for group, message in messages.items():
            pipe.publish(f"{prefix}__group__{group}", layer.serialize(message))
        pipe.execute()


async def _group_send(layer: BaseChannelLayer, messages: Mapping[str, Mapping[str, Any]]) -> None:
    for group, message in messages.items():
        await layer.group_send(group, dict(message))


@lru_cache(maxsize=2)
def _client(address: str) -> redis.Redis:
    """Return the client of this process for the server of the settings there: its pool notices a fork."""
    layer: Mapping[str, Any] = settings.CHANNEL_LAYERS["default"]
    [host] = layer["CONFIG"]["hosts"]
    options = {"socket_timeout": PATIENCE_SECONDS, "socket_connect_timeout": PATIENCE_SECONDS, **host}
    options.pop("connection_class", None)  # for event loops
    return redis.Redis.from_url(options.pop("address"), **options)


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
