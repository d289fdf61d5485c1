"""Handing announcements to the channel layer from synchronous code.

``async_to_sync`` starts an event loop for each call, and with it a connection: it costs more than the task that the
announcement is about. Where the layer is Redis' publish/subscribe the messages are published straight, in its own
format and all in one round trip.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import redis
from asgiref.sync import async_to_sync
from channels.layers import BaseChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.conf import settings

PATIENCE_SECONDS: Final = 2.0


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
