"""Measure deliveries to 1,000 viewers: the cost of the site's sockets, compared with raw ASGI and Channels.

There are four servers, each in a uvicorn process, with one Valkey. They take turns, so that other loads on the machine
affect all alike:

* raw: an ASGI application that only awaits ``send`` for each socket in turn, with uvicorn's own protocol. This is the
  figure to compare with;
* channels: a consumer in a group of the Redis layer, as in the documentation of Channels (``stock_channels``);
* topic: the site's ``/ws/live/``, with every viewer on the same topic;
* match: the site's ``/ws/matches/<id>/``, which reads the database and continues a game for every message.

A message is published when all viewers have received the one before, so no messages are merged and every delivery is
counted. ``best`` is the fastest round. Then five messages are sent per second, and each delivery to each viewer is
timed.
"""

import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.crowd import Crowd
from tests.brokers import Broker

VIEWERS = 1000
ROUNDS = 60
WARM_UP = 5
RAW_CHANNEL = "benchmark"
PADDING = "x" * 250  # about as long as the frames of one action


STOCK = "websockets-sansio"
PACED_TURNS, PACED = 5, 10  # turns, and messages in each turn
PACE_SECONDS = 0.2


# --- the application to compare with ---------------------------------------------------------------------------------
_sockets: set[Any] = set()
_readers: list[asyncio.Task[None]] = []


async def raw(scope: Any, receive: Any, send: Any) -> None:
    """Serve ASGI with minimal code."""
    if scope["type"] != "websocket":
        return
    if not _readers:
        _readers.append(asyncio.create_task(_raw_read()))
    await receive()
    await send({"type": "websocket.accept"})
    _sockets.add(send)
    try:
        while (await receive())["type"] != "websocket.disconnect":
            pass
    finally:
        _sockets.discard(send)


async def _raw_read() -> None:
    import redis.asyncio

    subscription = redis.asyncio.Redis.from_url(f"unix://{os.environ['PECKING_ORDER_VAR']}/valkey.sock").pubsub()
    await subscription.subscribe(RAW_CHANNEL)
    async for message in subscription.listen():
        if message["type"] == "message":
            event = {"type": "websocket.send", "text": message["data"].decode()}
            for send in list(_sockets):
                await send(event)


@dataclass(frozen=True, slots=True)
class Show:
    """A server and the messages of its viewers. ``greetings`` is the number of messages that each gets at the start."""

    name: str
    application: str
    path: str
    publish: Callable[[int], Awaitable[None]]
    greetings: int = 0
    first_words: bytes = b""
    protocol: str = "arena.websocket:BoundedWebSocketProtocol"


@dataclass(slots=True)
class Run:
    """A show with its server running and its viewers connected."""

    show: Show
    pid: int
    crowd: Crowd
    cpu: float = 0.0
    rounds_ms: list[float] = field(default_factory=list)
    delivered_ms: list[float] = field(default_factory=list)  # each delivery to each viewer, at 5 messages a second
    last_ms: list[float] = field(default_factory=list)  # the last delivery of each message

    async def play(self, number: int) -> None:
        """Publish message ``number``, and wait until every viewer has received it."""
        begun, cpu = time.perf_counter(), cpu_seconds(self.pid)
        await self.show.publish(number)
        await self.crowd.all_have(1)
        if number >= WARM_UP:
            self.rounds_ms.append((time.perf_counter() - begun) * 1000)
            self.cpu += cpu_seconds(self.pid) - cpu

    @property
    def cpu_us(self) -> float:
        """Return the server's processor time per delivery, in microseconds."""
        return self.cpu / ROUNDS / VIEWERS * 1e6

    @property
    def best_per_second(self) -> float:
        return VIEWERS / min(self.rounds_ms) * 1000


@asynccontextmanager
async def running(show: Show, port: int) -> AsyncIterator[Run]:
    """Run ``show`` in its own uvicorn process."""
    command = [sys.executable, "-W", "ignore", "-m", "uvicorn", show.application, "--port", str(port)]
    command += [
        "--ws",
        show.protocol,
        "--ws-per-message-deflate",
        str(show.protocol != STOCK).lower(),
        "--lifespan",
        "off",
    ]
    process = subprocess.Popen([*command, "--log-level", "warning"])  # noqa: ASYNC220  nothing else runs meanwhile
    try:
        for _ in range(300):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            except OSError:
                await asyncio.sleep(0.1)
        crowd = Crowd(VIEWERS)
        await crowd.come(port, show.path, show.first_words)
        await crowd.all_have(1 + show.greetings)
        yield Run(show, process.pid, crowd)
        crowd.leave()
    finally:
        process.terminate()
        process.wait(10)


def cpu_seconds(pid: int) -> float:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


async def run() -> list[Run]:
    import redis.asyncio
    from asgiref.sync import sync_to_async
    from django.conf import settings

    from benchmarks import stock_channels
    from live.hub import hub_layer, hub_message
    from matches.models import MatchLog
    from web.topics import topic_ticket

    client = redis.asyncio.Redis.from_url(settings.CHANNEL_URL)
    match, record = await sync_to_async(running_match)()
    topic = f"match.{match.pk}"

    async def publish_raw(number: int) -> None:
        await client.publish(RAW_CHANNEL, f'{{"n":{number},"padding":"{PADDING}","topic":"tournament.1"}}')

    stock_layer = stock_channels.layer()

    async def publish_stock(number: int) -> None:
        text = f'{{"n":{number},"padding":"{PADDING}","topic":"tournament.1"}}'
        await stock_layer.group_send(stock_channels.GROUP, {"type": "forward", "text": text})

    async def publish_topic(number: int) -> None:
        message = hub_message("tournament.1", {"n": number, "padding": PADDING})
        await hub_layer().group_send("tournament.1", message)

    async def publish_match(number: int) -> None:
        actions = "\n".join(record.actions[: number + 2])
        await MatchLog.objects.filter(match=match).aupdate(actions=actions)
        await hub_layer().group_send(topic, hub_message(topic, {}))

    site = "arena.asgi:application"
    follow = json.dumps({"subscribe": [topic_ticket("tournament.1")]}).encode()
    shows = (
        Show("raw ASGI", "benchmarks.broadcast:raw", "/", publish_raw, protocol=STOCK),
        Show("channels", "benchmarks.stock_channels:application", "/", publish_stock, protocol=STOCK),
        Show("topic", site, "/ws/live/", publish_topic, greetings=1, first_words=follow),  # "subscribed"
        Show("match", site, f"/ws/matches/{match.pk}/", publish_match, greetings=3),  # attempt, frames so far, state
    )
    async with AsyncExitStack() as stack:
        runs = [await stack.enter_async_context(running(show, _free_port())) for show in shows]
        await asyncio.sleep(0.5)
        for number in range(WARM_UP + ROUNDS):
            for one in runs:
                await one.play(number)
        paced = [one for one in runs if one.show.name != "channels"]  # it is too slow for this pace
        for turn in range(PACED_TURNS):
            for one in paced:
                await play_paced(one, WARM_UP + ROUNDS + turn * PACED)
    return runs


async def play_paced(one: Run, first: int) -> None:
    """Continue at 5 messages a second, and record when each viewer receives each."""
    due = time.perf_counter()
    for number in range(first, first + PACED):
        due += PACE_SECONDS
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        del one.crowd.came[:]
        begun = time.perf_counter()
        await one.show.publish(number)
        await one.crowd.all_have(1)
        taken = [(came - begun) * 1000 for came in one.crowd.came]
        one.delivered_ms += taken
        one.last_ms.append(max(taken))


def running_match() -> tuple[Any, Any]:
    """Return a running match after one action of its first game, and the complete record to continue from."""
    from datetime import timedelta

    from django.utils import timezone

    from games.catalogue import catalogue_stand_in, current
    from games.table import Table
    from matches.models import Match, MatchLog, MatchState

    table, act = Table(current("pickomino"), 2, {}, bytes(16)), catalogue_stand_in("pickomino")
    while not table.over:
        table.play(act(table.view(table.actor)))
    record = table.record()
    match = Match.objects.create(
        ruleset=record.ruleset,
        options=dict(record.options),
        secret=bytes(32),
        state=MatchState.RUNNING,
        attempt=1,
        lease_expires_at=timezone.now() + timedelta(hours=1),
    )
    _seats_fill(match)
    MatchLog.objects.create(match=match, attempt=1, game=0, seed=record.seed, actions=record.actions[0])
    return match, record


def _seats_fill(match: Any) -> None:
    from django.contrib.auth import get_user_model

    from bots.models import Bot, BotVersion
    from matches.models import Seat

    owner = get_user_model().objects.create(username="bench")
    for index in range(2):
        bot = Bot.objects.create(owner=owner, name=f"bot {index}", slug=f"bench-{index}", game="pickomino")
        version = BotVersion.objects.create(bot=bot, number=1, sha256="0" * 64, filename="bot.py", size=0)
        Seat.objects.create(match=match, index=index, version=version)


def main() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 5 * VIEWERS), hard), hard))
    import django
    import uvloop

    with tempfile.TemporaryDirectory(prefix="pecking-order-bench-") as var:
        os.environ["PECKING_ORDER_VAR"] = var
        os.environ["DJANGO_SETTINGS_MODULE"] = "arena.settings.dev"
        for name in ("REDIS_URL", "BROKER_URL", "CACHE_URL", "CHANNEL_URL"):
            os.environ.pop(name, None)
        os.environ["SOCKETS_PER_ADDRESS"] = str(2 * VIEWERS)
        with Broker(Path(var) / "valkey.sock"):
            django.setup()
            from django.core.management import call_command

            call_command("migrate", verbosity=0)
            runs = uvloop.run(run())
    print(
        f"{VIEWERS} viewers, {ROUNDS} messages, one at a time, real Valkey, one server process; aim: 1.1 x raw at most"
    )
    yardstick = runs[0]
    for one in runs:
        slower = yardstick.best_per_second / one.best_per_second
        print(
            f"  {one.show.name:8}  {one.cpu_us:5.1f} us of CPU a delivery ({one.cpu_us / yardstick.cpu_us:4.2f} x raw)"
            f"  best {one.best_per_second:7,.0f} deliveries/s ({slower:4.2f} x)"
            f"  everyone has it after {statistics.median(one.rounds_ms):5.1f} ms, at worst {max(one.rounds_ms):5.1f}"
        )
    print(f"  at {1 / PACE_SECONDS:.0f} messages a second, in turns; aim: a p99 of 30 ms at most")
    for one in runs:
        if one.delivered_ms:
            print(
                f"  {one.show.name:8}  a delivery after {statistics.median(one.delivered_ms):5.1f} ms,"
                f" p99 {statistics.quantiles(one.delivered_ms, n=100)[98]:5.1f};"
                f" the last viewer's after {statistics.median(one.last_ms):5.1f}, at worst {max(one.last_ms):5.1f}"
            )


def _free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()
