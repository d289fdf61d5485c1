"""Files that are given again: each is made once for all readers, and again when it has changed."""

import asyncio
import contextvars
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import path

from arena import file_cache, made_files
from arena.file_cache import FileCache
from arena.handler import BoundedHandler
from arena.made_files import MadeFile
from arena.request_threads import NoThreadFree
from tests.arena.asgi import asked, begun
from tests.waiting import eventually_async
from web.downloads import KeptAs, file_cached

MAKER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="maker")


class Files:
    """Makes files of which each says how many were made before."""

    def __init__(self) -> None:
        self.kept = FileCache()
        self.made = 0
        self.go_on = threading.Event()
        self.go_on.set()
        self.fails: Exception | None = None
        self.size = 0
        self.now = 0.0

    async def make(self) -> MadeFile:
        await asyncio.sleep(0)
        return MadeFile(self._parts(), MAKER, contextvars.copy_context(), kept=True)

    def _parts(self) -> Iterator[bytes]:
        self.made += 1
        yield b"file "
        assert self.go_on.wait(60)
        self.now += 1  # second that making takes
        if self.fails:
            raise self.fails
        yield b"%d" % self.made + bytes(self.size)

    async def read(self, name: str = "a", revision: int = 1, seconds: int = 60) -> bytes:
        file = await self.kept.of(KeptAs(name, revision, seconds), self.make)
        read = b"".join([piece async for piece in file.read()])
        await asyncio.sleep(0)  # for what hangs on its end
        return read.rstrip(b"\0")


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Files:
    files = Files()
    for module in (file_cache, made_files):
        monkeypatch.setattr(module, "monotonic", lambda: files.now)
    return files


async def test_a_hundred_who_ask_at_a_time_are_given_one(files: Files) -> None:
    files.go_on.clear()
    reads = [asyncio.create_task(files.read()) for _ in range(100)]
    assert await eventually_async(lambda: files.made == 1)
    files.go_on.set()
    assert set(await asyncio.gather(*reads)) == {b"file 1"}
    assert await files.read() == b"file 1"
    assert await files.read("b") == b"file 2"


async def test_it_is_given_for_its_time_and_then_made_anew(files: Files) -> None:
    assert [await files.read(), await files.read()] == [b"file 1"] * 2
    files.now = 59.9
    assert await files.read() == b"file 1"
    files.now = 60
    assert await files.read() == b"file 2"


async def test_another_revision_is_made_after_twenty_times_as_long_as_the_old_one_took(
    files: Files,
) -> None:
    assert await files.read(revision=1) == b"file 1"
    files.now = 19.9
    assert await files.read(revision=2) == b"file 1"
    files.now = 20
    assert await files.read(revision=2) == b"file 2"
    files.now = 50
    assert await files.read(revision=2) == b"file 2"
    assert await files.read(revision=1) == b"file 3"


async def test_what_failed_is_not_kept(files: Files) -> None:
    files.fails = RuntimeError("half of it")
    with pytest.raises(RuntimeError, match="half of it"):
        await files.read()
    files.fails = None
    assert await eventually_async(lambda: not files.kept._kept)
    assert await files.read() == b"file 2"


async def test_all_who_wait_for_a_thread_are_refused_and_the_next_is_not(files: Files) -> None:
    async def refuse() -> MadeFile:
        await asyncio.sleep(0)
        raise NoThreadFree

    waits = [files.kept.of(KeptAs("a", 1, 60), refuse) for _ in range(3)]
    found = await asyncio.gather(*waits, return_exceptions=True)
    assert [type(one) for one in found] == [NoThreadFree] * 3
    assert await files.read() == b"file 1"


async def test_the_others_are_given_it_though_the_first_goes_away(files: Files) -> None:
    files.go_on.clear()
    first, other = (asyncio.create_task(files.read()) for _ in range(2))
    assert await eventually_async(lambda: files.made == 1)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    files.go_on.set()
    assert await other == b"file 1"
    assert await files.read() == b"file 1"


async def test_it_is_made_to_its_end_though_all_go_away(files: Files) -> None:
    files.go_on.clear()
    file = await files.kept.of(KeptAs("a", 1, 60), files.make)
    async for _piece in file.read():
        break
    files.go_on.set()
    await file.made
    assert await files.read() == b"file 1"


async def test_so_many_are_kept_and_so_many_bytes(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_cache, "FILES_MAX", 2)
    await files.read("a")
    await files.read("b")
    await files.read("a")
    await files.read("c")  # b goes, which nobody has asked for for longest
    assert [await files.read(name) for name in "ac"] == [b"file 1", b"file 3"]
    monkeypatch.setattr(file_cache, "BYTES_MOST", 1000)
    files.size = 990
    assert await files.read("d") == b"file 4"
    assert await files.read("d") == b"file 4"
    files.size = 1000
    assert [await files.read("e"), await files.read("e")] == [b"file 5", b"file 6"]
    assert len(files.kept._kept) == 0


MADE: list[str] = []
GO_ON = threading.Event()


def download(request: HttpRequest, **_number: int) -> StreamingHttpResponse:
    def parts() -> Iterator[bytes]:
        MADE.append(request.path)
        assert GO_ON.wait(60)
        yield b"made"

    answer = StreamingHttpResponse(parts(), headers={"X-For": request.path})
    return file_cached(answer, "the same", 1, 60) if "kept" in request.path else answer


urlpatterns = [path("kept/<int:number>/", download), path("own/", download)]


@pytest.fixture
def handler(settings: Any) -> Iterator[BoundedHandler]:
    settings.ROOT_URLCONF, settings.MIDDLEWARE = __name__, []
    MADE.clear()
    GO_ON.clear()
    yield BoundedHandler()
    GO_ON.set()


async def test_each_answer_has_its_own_head_and_the_same_body(handler: BoundedHandler) -> None:
    sent = [await begun(handler, f"/kept/{number}/") for number in (1, 2)]
    starts = [dict((await one.receive_output(60))["headers"]) for one in sent]
    assert [start[b"X-For"] for start in starts] == [b"/kept/1/", b"/kept/2/"]
    GO_ON.set()
    assert [(await one.receive_output(60))["body"] for one in sent] == [b"made"] * 2
    assert len(MADE) == 1
    assert (await asked(handler, "/kept/3/")).body == b"made"
    assert len(MADE) == 1
    assert await eventually_async(lambda: len(handler.files.free) == 2)


async def test_what_is_nobody_elses_is_made_for_each(handler: BoundedHandler) -> None:
    GO_ON.set()
    for _ in range(2):
        assert (await asked(handler, "/own/")).body == b"made"
    assert MADE == ["/own/"] * 2
