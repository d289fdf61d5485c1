"""A typical use of Django Channels to compare with: a consumer in a group of channels_redis, served by uvicorn."""

import os
from typing import Any, Final

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import channel_layers
from channels_redis.core import RedisChannelLayer

GROUP: Final = "benchmark"


def layer() -> Any:
    address = f"unix://{os.environ['PECKING_ORDER_VAR']}/valkey.sock"
    # The defaults of the Redis client, 100 connections and a timeout, do not suffice for this many sockets.
    return RedisChannelLayer(hosts=[{"address": address, "max_connections": 10_000, "socket_timeout": None}])


class Stock(AsyncWebsocketConsumer):
    """Forwards the messages of its group."""

    channel_layer_alias = "stock"
    groups = [GROUP]

    async def forward(self, event: dict[str, Any]) -> None:
        await self.send(text_data=event["text"])


channel_layers.set("stock", layer())
application = Stock.as_asgi()
