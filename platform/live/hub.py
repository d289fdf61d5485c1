"""Announce changes to every process; and one channel-layer subscription per process and topic, shared by all followers.

A channel of its own for every socket, as the Channels tutorial has it, costs a publish and a thread hop per socket and
message: more than ten times the processor time of the delivery itself. Here a message comes into the process once, is
encoded once, and is handed to local listeners, which must neither block nor wait: they note it and return.

To announce, ``async_to_sync`` would start an event loop and a connection for each call, which costs more than the task
that announces. Where the layer is Redis' publish/subscribe, messages are therefore published directly, in its own
format and in one round trip.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

import redis
from asgiref.sync import async_to_sync
from channels.layers import BaseChannelLayer, channel_layers
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.conf import settings

from web.topics import topics_changed

logger = logging.getLogger(__name__)

Listener: TypeAlias = Callable[[str, str, str], None]  # topic, what it is about (see ``kind_of``), the message as JSON

RETRY_SECONDS = 1.0
PATIENCE_SECONDS: Final = 2.0  # of who announces, for the server
ANSWER_SECONDS = 5.0  # of the channel layer, for which every other topic waits


def default_layer() -> BaseChannelLayer:
    """Return the channel layer of the settings."""
    return channel_layers["default"]


def message_of(topic: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what travels over the channel layer."""
    return {"type": "live.announcement", "topic": topic, "data": dict(data)}


def kind_of(data: Mapping[str, Any]) -> str:
    """Return which messages of a topic a newer one replaces: those about the same part, or those that say the same."""
    return str(data.get("part") or ("reload" if data.get("reload") else ""))


@dataclass(frozen=True, slots=True)
class RowsMessage:
    """Rows of a part that changed after the revision ``since``, up to ``revision``; ``text``: the whole message."""

    since: int
    revision: int
    text: str


class Hub:
    """The topics that are followed in one event loop, each with the last rows of its parts."""

    __slots__ = ("_channel", "_last_rows", "_lock", "_reader", "_topics")

    def __init__(self) -> None:
        self._topics: dict[str, set[Listener]] = {}
        self._last_rows: dict[str, dict[str, RowsMessage]] = {}  # by topic and part
        self._channel = ""
        self._reader: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()

    async def join(self, topic: str, listener: Listener) -> None:
        """Have ``listener`` hear every announcement of ``topic`` made from now on.

        Raises:
            TimeoutError: the channel layer did not answer within ``ANSWER_SECONDS``; and whatever else it raises.
        """
        async with self._lock:
            listeners = self._topics.get(topic)
            if listeners is None:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await self._subscribe(topic)
                listeners = self._topics.setdefault(topic, set())
            listeners.add(listener)

    def missed(self, topic: str, parts: Mapping[str, int]) -> list[tuple[str, str]]:
        """Return what a page has missed that shows these revisions of ``parts``: messages by their kinds, the rows of
        each part or one "reload" where they are not known."""
        last_rows, found = self._last_rows.get(topic, {}), []
        for part, shown in parts.items():
            last = last_rows.get(part)
            if last is None or shown < last.since:
                return [("reload", _text(topic, {"reload": True}))]
            if shown < last.revision or last.since == last.revision == shown:
                found.append((part, last.text))
        return found

    async def leave(self, topic: str, listener: Listener) -> None:
        """Stop hearing it; idempotent. The last to leave ends the subscription, if the channel layer answers."""
        async with self._lock:
            listeners = self._topics.get(topic, set())
            listeners.discard(listener)
            if listeners or topic not in self._topics:
                return
            del self._topics[topic]
            self._last_rows.pop(topic, None)
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await self._unsubscribe(topic)
            except Exception:  # what comes all the same is handed to nobody
                logger.exception("live: the subscription of %s did not end", topic)

    async def _subscribe(self, topic: str) -> None:
        layer = default_layer()
        if self._reader is None:
            self._channel = await layer.new_channel()
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read(layer, self._channel))
        await layer.group_add(topic, self._channel)

    async def _unsubscribe(self, topic: str) -> None:
        await default_layer().group_discard(topic, self._channel)
        if not self._topics and self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
            self._reader = None

    async def _read(self, layer: BaseChannelLayer, channel: str) -> None:
        while True:
            try:
                self._hand_out(await layer.receive(channel))
            except Exception:
                # A lost broker heals by itself; what was missed meanwhile, listeners find in the database.
                logger.exception("live: an announcement could not be read")
                await asyncio.sleep(RETRY_SECONDS)

    def _hand_out(self, message: Mapping[str, Any]) -> None:
        topic, data = message["topic"], message["data"]
        listeners = tuple(self._topics.get(topic, ()))
        text, kind = _text(topic, data), kind_of(data)
        if listeners and "rows" in data:
            self._last_rows.setdefault(topic, {})[kind] = RowsMessage(data["since"], data["revision"], text)
        for listener in listeners:
            listener(topic, kind, text)


def _text(topic: str, data: Mapping[str, Any]) -> str:
    return json.dumps({"topic": topic, **data}, separators=(",", ":"))


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def current_hub() -> Hub:
    """Return the hub of the running event loop."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())


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
