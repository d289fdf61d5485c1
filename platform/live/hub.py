"""Announcements of changes to all processes, and a hub that shares one subscription for each topic among all listeners.

With one channel for each socket, as in the Channels tutorial, every message costs a publish and a thread switch for
each socket: more than ten times the processor time of the delivery itself. Here, a process receives a message once,
encodes it once, and passes it to local listeners. Listeners must not block or wait: they store the message and return.

For each announcement, ``async_to_sync`` would start an event loop and open a connection. That costs more than the task
that makes the announcement. So if the channel layer is Redis publish/subscribe, messages are published directly, in the
format of the layer and in one round trip.
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

from web.topics import topic_states_renew

logger = logging.getLogger(__name__)

# Called with the topic, the kind (see ``hub_message_kind``) and the message as JSON.
Listener: TypeAlias = Callable[[str, str, str], None]

RETRY_SECONDS = 1.0
PATIENCE_SECONDS: Final = 2.0  # seconds for which an announcement waits for the Redis server
ANSWER_SECONDS = 5.0  # timeout of calls of the channel layer, because all topics wait for each call


def hub_layer() -> BaseChannelLayer:
    """Return the channel layer of the settings."""
    return channel_layers["default"]


def hub_message(topic: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the message to send over the channel layer."""
    return {"type": "live.announcement", "topic": topic, "data": dict(data)}


def hub_message_kind(data: Mapping[str, Any]) -> str:
    """Return the kind of a message: within a topic, a newer message replaces older messages of the same kind."""
    return str(data.get("part") or ("reload" if data.get("reload") else ""))


@dataclass(frozen=True, slots=True)
class RowsMessage:
    """A message with the rows of a part that changed after the revision ``since``, up to ``revision``, as ``text``."""

    since: int
    revision: int
    text: str


class Hub:
    """The topics that have listeners in one event loop, with the last rows of their parts."""

    __slots__ = ("_channel", "_last_rows", "_lock", "_reader", "_topics")

    def __init__(self) -> None:
        self._topics: dict[str, set[Listener]] = {}
        self._last_rows: dict[str, dict[str, RowsMessage]] = {}  # by topic and part
        self._channel = ""
        self._reader: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()

    async def join(self, topic: str, listener: Listener) -> None:
        """Call ``listener`` for every announcement of ``topic`` from now on.

        Raises:
            TimeoutError: the channel layer did not respond within ``ANSWER_SECONDS``.

        Other errors of the channel layer are raised, too.
        """
        async with self._lock:
            listeners = self._topics.get(topic)
            if listeners is None:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await self._subscribe(topic)
                listeners = self._topics.setdefault(topic, set())
            listeners.add(listener)

    def missed(self, topic: str, parts: Mapping[str, int]) -> list[tuple[str, str]]:
        """Return the messages that a page missed, as (kind, message). ``parts`` has the revision of each part that the
        page shows.

        If the missed rows of a part are no longer stored, return just one message that makes the page reload.
        """
        last_rows, found = self._last_rows.get(topic, {}), []
        for part, shown in parts.items():
            last = last_rows.get(part)
            if last is None or shown < last.since:
                return [("reload", _text(topic, {"reload": True}))]
            if shown < last.revision or last.since == last.revision == shown:
                found.append((part, last.text))
        return found

    async def leave(self, topic: str, listener: Listener) -> None:
        """Remove ``listener``; idempotent. After the last one, end the subscription if the channel layer responds."""
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
            except Exception:  # messages that still arrive for the topic have no listeners
                logger.exception("live: the subscription of %s did not end", topic)

    async def _subscribe(self, topic: str) -> None:
        layer = hub_layer()
        if self._reader is None:
            self._channel = await layer.new_channel()
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read(layer, self._channel))
        await layer.group_add(topic, self._channel)

    async def _unsubscribe(self, topic: str) -> None:
        await hub_layer().group_discard(topic, self._channel)
        if not self._topics and self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
            self._reader = None

    async def _read(self, layer: BaseChannelLayer, channel: str) -> None:
        while True:
            try:
                self._hand_out(await layer.receive(channel))
            except Exception:
                # The layer itself reconnects to a lost broker. Listeners read what they missed from the database.
                logger.exception("live: an announcement could not be read")
                await asyncio.sleep(RETRY_SECONDS)

    def _hand_out(self, message: Mapping[str, Any]) -> None:
        topic, data = message["topic"], message["data"]
        listeners = tuple(self._topics.get(topic, ()))
        text, kind = _text(topic, data), hub_message_kind(data)
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


def hub_publish(layer: BaseChannelLayer, messages: Mapping[str, Mapping[str, Any]]) -> None:
    """Send each of the ``messages`` to the group that is its key, in order.

    Raises:
        OSError, redis.RedisError: the messages were not accepted.
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
    """Return this process's client for the Redis server of the settings. Its connection pool is safe after a fork."""
    layer: Mapping[str, Any] = settings.CHANNEL_LAYERS["default"]
    [host] = layer["CONFIG"]["hosts"]
    options = {"socket_timeout": PATIENCE_SECONDS, "socket_connect_timeout": PATIENCE_SECONDS, **host}
    options.pop("connection_class", None)  # this class works only in event loops
    return redis.Redis.from_url(options.pop("address"), **options)


def hub_announce(*topics: str, **data: Any) -> None:
    """Announce a change to all followers of ``topics`` ("match.5", "tournament.5", "version.5").

    ``data`` is JSON, public, and only a hint: a slow viewer may get only the newest of several announcements, so
    followers must read important data from the database. Call this in synchronous code, after the change is committed
    (``transaction.on_commit``). It never raises: a lost announcement delays a page, but does not stop the caller.
    """
    if not topics:
        return
    topic_states_renew(*topics)
    try:
        hub_publish(hub_layer(), {topic: hub_message(topic, data) for topic in topics})
    except Exception:
        logger.warning("live: announcements of %s were lost", ", ".join(topics), exc_info=True)
