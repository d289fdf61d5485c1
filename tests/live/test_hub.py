"""One subscription per process and topic, messages encoded once, nobody waits for anybody."""

import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from live import hub_announce
from live.consumers import LatestByTopic, SocketWriter
from live.hub import Hub, current_hub, hub_layer
from tests.waiting import eventually_async


class Listener:
    def __init__(self) -> None:
        self.texts: list[str] = []

    def receive(self, topic: str, kind: str, text: str) -> None:
        self.texts.append(text)


async def announce(topic: str, **data: Any) -> None:
    await sync_to_async(hub_announce)(topic, **data)


async def received(listener: Listener, count: int) -> bool:
    return await eventually_async(lambda: len(listener.texts) >= count)


async def test_a_thousand_followers_are_one_subscription_and_one_encoding() -> None:
    hub, listeners = current_hub(), [Listener() for _ in range(1000)]
    for listener in listeners:
        await hub.join("match.5", listener.receive)
    assert len(hub_layer().groups["match.5"]) == 1  # type: ignore[attr-defined]  # the in-memory layer
    await announce("match.5", game=3)
    assert await received(listeners[-1], 1)
    assert json.loads(listeners[0].texts[0]) == {"topic": "match.5", "game": 3}
    assert len({id(text) for listener in listeners for text in listener.texts}) == 1
    for listener in listeners:
        await hub.leave("match.5", listener.receive)


async def test_followers_receive_their_own_topic_only() -> None:
    hub, listener, other = Hub(), Listener(), Listener()
    await hub.join("match.5", listener.receive)
    await hub.join("match.6", other.receive)
    await announce("match.6")
    assert await received(other, 1)
    assert (listener.texts, len(other.texts)) == ([], 1)
    await hub.leave("match.5", listener.receive)
    await hub.leave("match.6", other.receive)


async def test_an_ended_reader_of_the_hub_is_replaced() -> None:
    hub, listener, other = Hub(), Listener(), Listener()
    await hub.join("match.5", listener.receive)
    assert hub._reader is not None
    hub._reader.cancel()
    await asyncio.wait((hub._reader,))
    await hub.join("match.6", other.receive)
    for topic in ("match.5", "match.6"):
        await announce(topic)
    assert await received(listener, 1)
    assert await received(other, 1)
    await hub.leave("match.5", listener.receive)
    await hub.leave("match.6", other.receive)


async def test_the_last_to_leave_ends_the_subscription_and_one_may_return() -> None:
    hub, listener = Hub(), Listener()
    await hub.join("match.5", listener.receive)
    await hub.leave("match.5", listener.receive)
    await hub.leave("match.5", listener.receive)
    assert not hub_layer().groups.get("match.5")  # type: ignore[attr-defined]
    await hub.join("match.5", listener.receive)
    await announce("match.5")
    assert await received(listener, 1)
    await hub.leave("match.5", listener.receive)


async def test_a_socket_that_does_not_read_delays_nobody_and_later_gets_the_newest_of_each_topic() -> None:
    sent: dict[str, list[str]] = {"slow": [], "fast": []}
    reads = asyncio.Event()

    async def slow(event: Any) -> None:
        await reads.wait()
        sent["slow"].append(event["text"])

    async def fast(event: Any) -> None:
        sent["fast"].append(event["text"])

    mailboxes = [LatestByTopic(), LatestByTopic()]
    outlets = [SocketWriter(send, box.next_text) for send, box in zip((slow, fast), mailboxes, strict=True)]
    for number in range(100):
        for box, outlet in zip(mailboxes, outlets, strict=True):
            box.put("match.5", "", f"five {number}")
            box.put("match.6", "", f"six {number}")
            outlet.wake()
    assert sent["slow"] == []
    assert len(sent["fast"]) == 200
    reads.set()
    await eventually_async(lambda: len(sent["slow"]) >= 3)
    assert sent["slow"] == ["five 0", "six 99", "five 99"]
    for outlet in outlets:
        await outlet.close()


async def test_a_socket_that_can_take_its_messages_needs_no_task() -> None:
    sent: list[str] = []

    async def send(event: Any) -> None:
        sent.append(event["text"])

    box = LatestByTopic()
    outlet = SocketWriter(send, box.next_text)
    box.put("match.5", "", "five")
    outlet.wake()
    assert sent == ["five"]
    assert len(asyncio.all_tasks()) == 1  # this test


async def test_a_socket_is_written_to_at_once_or_later_in_order() -> None:
    sent: list[str] = []
    free = [True, True, False, True, True]

    def write(text: str) -> bool:
        able = free.pop(0) if free else True
        if able:
            sent.append(text)
        return able

    async def send(event: Any) -> None:
        await asyncio.sleep(0)
        sent.append(event["text"])

    waiting = [str(number) for number in range(6)]
    outlet = SocketWriter(send, lambda: waiting.pop(0) if waiting else None, write)
    outlet.wake()
    outlet.wake()
    await eventually_async(lambda: len(sent) == 6)
    assert sent == [str(number) for number in range(6)]
    waiting.append("6")
    outlet.wake()
    assert sent[-1] == "6"
    assert len(asyncio.all_tasks()) == 1
    await outlet.close()


async def test_a_closed_socket_is_ignored() -> None:
    calls: list[str] = []

    async def send(event: Any) -> None:
        calls.append(event["text"])
        await asyncio.sleep(0)
        raise ConnectionResetError

    box = LatestByTopic()
    outlet = SocketWriter(send, box.next_text)
    for text in ("first", "second"):
        box.put("match.5", "", text)
        outlet.wake()
        await asyncio.sleep(0.01)
    assert calls == ["first"]
    await outlet.close()


async def test_a_socket_that_never_reads_again_can_be_closed() -> None:
    async def send(event: Any) -> None:
        await asyncio.Event().wait()

    box = LatestByTopic()
    outlet = SocketWriter(send, box.next_text)
    box.put("match.5", "", "five")
    outlet.wake()
    await asyncio.wait_for(outlet.close(), 60)
    await asyncio.sleep(0)
    assert len(asyncio.all_tasks()) == 1


def test_an_announcement_that_cannot_be_made_is_logged_and_never_raised(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def no_layer() -> None:
        raise ConnectionRefusedError("no broker")

    monkeypatch.setattr("live.hub.hub_layer", no_layer)
    hub_announce("match.5")
    assert "announcements of match.5 were lost" in caplog.text
