"""Announcements through a real Valkey, from a worker's thread to the hub of a web process."""

import asyncio
import json
import os
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import redis
from channels.layers import channel_layers
from django.conf import settings
from redis.asyncio.client import PubSub

from arena.settings.connections import connection_redis_channel_host
from live import hub_announce
from live.hub import Hub, _client
from tests.brokers import Broker
from tests.live.test_hub import Listener
from tests.waiting import eventually_async

IDLE_SECONDS = 11  # twice redis-py's bound on a read, and more


@pytest.fixture
def valkey(tmp_path: Path, settings: Any) -> Iterator[None]:
    with Broker(tmp_path / "valkey.sock"):
        settings.CHANNEL_LAYERS = {
            "default": {
                "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
                "CONFIG": {"hosts": [{"address": f"unix://{tmp_path / 'valkey.sock'}"}]},
            }
        }
        channel_layers.backends.clear()
        yield
    channel_layers.backends.clear()


async def received(listener: Listener, count: int) -> list[Any]:
    await eventually_async(lambda: len(listener.texts) >= count)
    return [json.loads(text) for text in listener.texts]


@pytest.mark.usefixtures("valkey")
async def test_announcements_of_another_thread_arrive_once_and_in_order() -> None:
    hub, listener = Hub(), Listener()
    await hub.join("match.5", listener.receive)
    for number in range(20):
        await asyncio.to_thread(hub_announce, "match.5", number=number)
    assert await received(listener, 20) == [{"topic": "match.5", "number": number} for number in range(20)]
    await hub.leave("match.5", listener.receive)
    await hub.join("match.6", listener.receive)  # a hub that was empty starts again
    await asyncio.to_thread(hub_announce, "match.5")
    await asyncio.to_thread(hub_announce, "match.6")
    assert (await received(listener, 21))[20:] == [{"topic": "match.6"}]
    await hub.leave("match.6", listener.receive)


@pytest.mark.usefixtures("valkey")
async def test_many_are_announced_in_one_round_trip_and_without_a_loop() -> None:
    hub, listeners = Hub(), {f"match.{number}": Listener() for number in range(30)}
    for topic, listener in listeners.items():
        await hub.join(topic, listener.receive)
    with (
        patch("live.hub.async_to_sync", side_effect=AssertionError),
        patch.object(
            redis.client.Pipeline, "execute", autospec=True, side_effect=redis.client.Pipeline.execute
        ) as executed,
    ):
        await asyncio.to_thread(hub_announce, *listeners, state="running")
    assert executed.call_count == 1
    for topic, listener in listeners.items():
        assert await received(listener, 1) == [{"topic": topic, "state": "running"}]
        await hub.leave(topic, listener.receive)


@pytest.mark.usefixtures("valkey")
def test_a_process_that_forked_announces_over_a_connection_of_its_own() -> None:
    hub_announce("match.5")
    client = _client(settings.CHANNEL_LAYERS["default"]["CONFIG"]["hosts"][0]["address"])
    with client.pubsub() as listener:
        listener.subscribe("asgi__group__match.7")
        if not (child := os.fork()):
            try:
                hub_announce("match.7")
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        hub_announce("match.7")
        kinds = [message and message["type"] for message in (listener.get_message(timeout=30) for _ in range(3))]
    assert kinds == ["subscribe", "message", "message"]


async def _pass_on(reader: StreamReader, writer: StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


@pytest.mark.processes
@pytest.mark.usefixtures("valkey")
@pytest.mark.parametrize("kind", ["unix", "redis"])
async def test_a_listener_receives_after_a_long_silence(
    kind: str, tmp_path: Path, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """redis-py gives up a read after five seconds since version 8, and layers that wait in one lost their listeners."""
    path = tmp_path / "valkey.sock"

    async def relayed(reader: StreamReader, writer: StreamWriter) -> None:
        theirs, ours = await asyncio.open_unix_connection(path)
        await asyncio.gather(_pass_on(reader, ours), _pass_on(theirs, writer))

    server = await asyncio.start_server(relayed, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    address = f"unix://{path}" if kind == "unix" else f"redis://127.0.0.1:{port}"
    settings.CHANNEL_LAYERS["default"]["CONFIG"]["hosts"] = [connection_redis_channel_host(address)]
    read = PubSub.get_message
    idle: list[float] = []  # when reads ended with nothing

    async def counted(pubsub: PubSub, *args: Any, **named: Any) -> Any:
        message = await read(pubsub, *args, **named)
        if message is None:
            idle.append(asyncio.get_running_loop().time())
        return message

    hub, listener = Hub(), Listener()
    with patch.object(PubSub, "get_message", counted):
        await hub.join("match.5", listener.receive)
        await asyncio.to_thread(hub_announce, "match.5", number=1)
        assert await received(listener, 1)
        began = len(idle)
        assert await eventually_async(lambda: len(idle) > began and idle[-1] - idle[began] > IDLE_SECONDS)
        connections = {id(shard._pubsub.connection) for shard in _shards()}
        await asyncio.to_thread(hub_announce, "match.5", number=2)
        assert await received(listener, 2) == [{"topic": "match.5", "number": number} for number in (1, 2)]
    assert {id(shard._pubsub.connection) for shard in _shards()} == connections
    assert caplog.records == []
    await hub.leave("match.5", listener.receive)
    server.close()


def _shards() -> list[Any]:
    layer: Any = channel_layers["default"]
    return list(layer._get_layer()._shards)
