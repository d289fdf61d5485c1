"""Files are streamed while they are written: the first piece before the last exists, and nobody waits for a reader."""

import asyncio
import contextvars
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import path
from hypothesis import given
from hypothesis import strategies as st

from arena.handler import OPEN_MOST, BoundedHandler, MadeFile
from tests.arena.asgi import begun, fetch, scope_of
from tests.waiting import eventually_async


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


MAKER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="maker")
PIECES = st.lists(st.binary(max_size=300_000) | st.binary(max_size=3), max_size=6)


@given(parts=PIECES)
def test_a_file_is_read_as_it_was_written(parts: list[bytes]) -> None:
    async def read() -> bytes:
        return b"".join([piece async for piece in MadeFile(iter(parts), MAKER, contextvars.copy_context()).read()])

    assert asyncio.run(read()) == b"".join(parts)


async def test_a_file_is_made_to_its_end_while_nobody_reads_it_and_outside_the_event_loop() -> None:
    language = contextvars.ContextVar("language", default="")
    language.set("fr")
    where: list[Any] = []

    def parts() -> Iterator[bytes]:
        where.extend((threading.current_thread(), language.get()))
        yield from [bytes(100_000)] * 50

    file = MadeFile(parts(), MAKER, contextvars.copy_context())
    await file.made
    assert where[0] is not threading.main_thread()
    assert where[1] == "fr"
    assert sum([len(piece) async for piece in file.read()]) == 5_000_000


async def test_the_first_piece_is_read_before_the_last_is_made() -> None:
    read = threading.Event()

    def parts() -> Iterator[bytes]:
        yield b"first"
        assert read.wait(60)
        yield b"last"

    pieces = []
    async for piece in MadeFile(parts(), MAKER, contextvars.copy_context()).read():
        pieces.append(piece)
        read.set()
    assert pieces == [b"first", b"last"]


async def test_the_making_stops_when_the_reader_leaves() -> None:
    made: list[int] = []
    left = threading.Event()

    def parts() -> Iterator[bytes]:
        for number in range(1000):
            made.append(number)
            yield b"x"
            assert left.wait(60)

    file = MadeFile(parts(), MAKER, contextvars.copy_context())
    reader = file.read()
    assert await anext(reader) == b"x"
    await reader.aclose()
    left.set()
    await file.made
    assert len(made) <= 2


async def test_a_failure_while_a_file_is_written_ends_the_answer() -> None:
    def parts() -> Iterator[bytes]:
        yield b"half"
        raise RuntimeError("no more")

    reader = MadeFile(parts(), MAKER, contextvars.copy_context()).read()
    assert await anext(reader) == b"half"
    with pytest.raises(RuntimeError, match="no more"):
        await anext(reader)


async def test_a_file_that_nobody_came_to_read_is_closed() -> None:
    before = open_files()
    for _ in range(20):
        await MadeFile(iter([b"x"]), MAKER, contextvars.copy_context()).made
    assert await eventually_async(lambda: open_files() <= before)


async def test_where_no_temporary_file_can_be_had_the_thread_is_not_lost(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: Any, **_kwargs: Any) -> None:
        raise OSError("no space left")

    settings.ROOT_URLCONF = (path("file/", lambda _request: StreamingHttpResponse(iter([b"x"]))),)
    settings.MIDDLEWARE = []
    settings.FILES_AT_ONCE = 1
    handler = BoundedHandler()
    with monkeypatch.context() as patched:
        patched.setattr("arena.handler.tempfile.TemporaryFile", full)
        with pytest.raises(OSError, match="no space"):
            await (await begun(handler, "/file/")).wait(60)
    assert await eventually_async(lambda: len(handler.files.free) == 1)
    assert (await fetch(handler, "/file/")).body == b"x"


async def test_a_slow_or_disconnected_reader_holds_no_thread(settings: Any) -> None:
    def large(_request: HttpRequest) -> StreamingHttpResponse:
        return StreamingHttpResponse(bytes(1000) for _ in range(1000))

    settings.ROOT_URLCONF = (path("large/", large),)
    settings.MIDDLEWARE = []
    settings.FILES_AT_ONCE = 1
    handler = BoundedHandler()
    slow = [await begun(handler, "/large/") for _ in range(3)]
    for one in slow:
        assert (await one.receive_output(60))["type"] == "http.response.start"  # and nothing more is read
    left = await begun(handler, "/large/")
    await left.send_input({"type": "http.disconnect"})
    assert len((await fetch(handler, "/large/")).body) == 1_000_000
    assert await eventually_async(lambda: len(handler.files.free) == 1)
    for one in slow:
        one.stop()


async def unread(handler: BoundedHandler, address: str = "127.0.0.1") -> tuple[int, asyncio.Event, asyncio.Task[None]]:
    """Request a file and read only its status. Return that, what to set for the reader to leave, and
    what ends then."""
    status: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    leaves, request = asyncio.Event(), [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if request:
            return request.pop()
        await leaves.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            status.set_result(message["status"])
        else:
            await asyncio.Event().wait()

    reader = asyncio.create_task(handler(scope_of("/file/", address), receive, send))
    return await asyncio.wait_for(status, 60), leaves, reader


async def test_an_address_with_many_files_that_it_does_not_read_gets_no_more(settings: Any) -> None:
    settings.ROOT_URLCONF = (path("file/", lambda _request: StreamingHttpResponse(iter([bytes(1000)] * 100))),)
    settings.MIDDLEWARE = []
    handler, before = BoundedHandler(), open_files()
    slow = [await unread(handler) for _ in range(OPEN_MOST)]
    assert {status for status, *_ in slow} == {200}
    assert (await fetch(handler, "/file/")).status == 503
    other = await unread(handler, "192.0.2.7")
    assert other[0] == 200
    for _status, leaves, reader in (*slow, other):
        leaves.set()
        await reader
        assert (await fetch(handler, "/file/")).status == 200
    assert await eventually_async(lambda: open_files() <= before)
