"""So many requests are answered at a time, each in a thread of its own, and the others by turns."""

import asyncio
import threading

import pytest
from asgiref.sync import sync_to_async

from arena.handler import NoThreadFree, RequestThreads
from tests.waiting import eventually_async


async def thread_of(threads: RequestThreads, address: str = "") -> int:
    async with threads.acquired(address):
        return await sync_to_async(threading.get_ident)()


async def all_free(threads: RequestThreads, count: int) -> bool:
    return await eventually_async(lambda: len(threads.free) == count)


async def test_one_request_after_the_other_is_answered_in_one_thread() -> None:
    threads = RequestThreads("t", 3)
    found = set()
    for _ in range(5):
        found.add(await thread_of(threads))
        assert await all_free(threads, 3)
    assert len(found) == 1


async def test_requests_at_once_have_a_thread_each_and_no_more_than_there_are() -> None:
    threads, together = RequestThreads("t", 3), threading.Barrier(3, timeout=60)

    async def meet() -> int:
        async with threads.acquired(""):
            await sync_to_async(together.wait)()  # broken if one waited for another
            return await sync_to_async(threading.get_ident)()

    assert len(set(await asyncio.gather(*(meet() for _ in range(9))))) == 3
    assert await all_free(threads, 3)


async def test_a_thread_that_works_for_a_disconnected_client_is_not_acquired() -> None:
    threads, go_on = RequestThreads("t", 1), threading.Event()

    async def leaves() -> None:
        async with threads.acquired(""):
            await sync_to_async(go_on.wait)(60)

    first = asyncio.create_task(leaves())
    assert await eventually_async(lambda: not threads.free)
    await asyncio.sleep(0)
    first.cancel()
    second = asyncio.create_task(thread_of(threads))
    await asyncio.wait([first, second], timeout=0.2)
    assert first.cancelled()
    assert not second.done()
    go_on.set()
    await second
    assert await all_free(threads, 1)


async def test_addresses_take_turns() -> None:
    threads, served = RequestThreads("t", 1), []
    thread = await threads.acquire("first")

    async def wait(address: str) -> None:
        async with threads.acquired(address):
            served.append(address)

    waiting = []
    for address in ("many", "many", "many", "many", "one", "other"):
        waiting.append(asyncio.create_task(wait(address)))
        await asyncio.sleep(0)
    threads.release(thread)
    await asyncio.gather(*waiting)
    assert served == ["many", "one", "other", "many", "many", "many"]


async def _served_in_line(
    threads: RequestThreads, requests: list[tuple[str, str, bool]], known: frozenset[str] = frozenset()
) -> list[str]:
    """Let each (name, address, reads) wait in this order, and return the names in the order of being served. The
    ``known`` are signed in."""
    thread, served, waiting = await threads.acquire("first"), [], []

    async def wait(name: str, address: str, reads: bool) -> None:
        async with threads.acquired(address, reads=reads, known=name in known):
            served.append(name)

    for one in requests:
        waiting.append(asyncio.create_task(wait(*one)))
        await asyncio.sleep(0)
    threads.release(thread)
    await asyncio.gather(*waiting)
    return served


async def test_the_newest_read_and_the_oldest_write_are_next() -> None:
    rows = [("1", "a", True), ("2", "a", True), ("3", "a", True)]
    assert await _served_in_line(RequestThreads("t", 1), rows) == ["3", "2", "1"]
    rows = [(name, address, False) for name, address, _reads in rows]
    assert await _served_in_line(RequestThreads("t", 1), rows) == ["1", "2", "3"]


async def test_writes_alternate_with_reads_of_the_same_address() -> None:
    values = [("r1", "a", True), ("r2", "a", True), ("r3", "a", True), ("s1", "a", False), ("s2", "a", False)]
    assert await _served_in_line(RequestThreads("t", 1), values) == ["r3", "s1", "r2", "s2", "r1"]


async def test_every_second_turn_is_for_signed_in_users() -> None:
    anonymous = [(f"s{number}", f"address {number}", True) for number in range(4)]
    requests = [*anonymous, ("k1", "a", True), ("k2", "b", False)]
    served = await _served_in_line(RequestThreads("t", 1), requests, frozenset({"k1", "k2"}))
    assert served == ["k1", "s0", "k2", "s1", "s2", "s3"]


async def test_readers_are_refused_sooner_while_there_has_been_a_line_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = RequestThreads("t", 1)
    thread = await threads.acquire("")
    monkeypatch.setattr("arena.handler.READER_WAITS_MOST", 60.0)
    monkeypatch.setattr("arena.handler.CROWDED_WAITS_MOST", 0.01)
    stays = asyncio.create_task(threads.acquire("a", reads=True))
    await asyncio.sleep(0)
    monkeypatch.setattr("arena.handler.CROWD_SECONDS", 0.0)
    await asyncio.sleep(0.01)
    with pytest.raises(NoThreadFree):
        await asyncio.wait_for(threads.acquire("b", reads=True), 30)
    sends = asyncio.create_task(threads.acquire("b"))
    await asyncio.sleep(0.05)
    assert not stays.done()
    assert not sends.done()
    threads.release(thread)
    threads.release(await stays)
    last = await sends
    threads.release(last)
    assert await all_free(threads, 1)
    thread = await threads.acquire("")
    monkeypatch.setattr("arena.handler.CROWD_SECONDS", 60.0)
    after = asyncio.create_task(threads.acquire("c", reads=True))
    await asyncio.sleep(0.05)
    assert not after.done()
    threads.release(thread)
    threads.release(await after)


async def test_a_crowd_of_readers_loses_its_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = RequestThreads("t", 1)
    thread = await threads.acquire("")
    monkeypatch.setattr("arena.handler.QUEUE_MAX", 2)
    crowd = [asyncio.create_task(threads.acquire("crowd", reads=True)) for _ in range(3)]
    done, _waiting = await asyncio.wait(crowd, timeout=30, return_when=asyncio.FIRST_COMPLETED)
    assert done == {crowd[0]}
    with pytest.raises(NoThreadFree):
        await crowd[0]
    threads.release(thread)
    threads.release(await crowd[2])
    threads.release(await crowd[1])
    assert await all_free(threads, 1)


async def test_a_client_that_disconnects_while_refused_takes_no_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads = RequestThreads("t", 1)
    thread = await threads.acquire("")
    monkeypatch.setattr("arena.handler.QUEUE_MAX", 1)
    leaves = asyncio.create_task(threads.acquire("crowd", reads=True))
    await asyncio.sleep(0)
    stays = asyncio.create_task(threads.acquire("crowd", reads=True))
    asyncio.get_running_loop().call_soon(leaves.cancel)
    with pytest.raises((asyncio.CancelledError, NoThreadFree)):
        await leaves
    threads.release(thread)
    threads.release(await stays)
    assert await all_free(threads, 1)


async def test_a_client_that_leaves_the_queue_is_skipped() -> None:
    threads = RequestThreads("t", 1)
    thread = await threads.acquire("")
    waiting = [asyncio.create_task(thread_of(threads, address)) for address in ("a", "a", "b")]
    await asyncio.sleep(0)
    waiting[0].cancel()
    waiting[2].cancel()
    await asyncio.wait(waiting, timeout=0.1)
    threads.release(thread)
    await waiting[1]
    assert await all_free(threads, 1)
    assert not threads.waiting


async def test_a_thread_that_comes_when_nobody_waits_any_more_is_not_lost() -> None:
    threads = RequestThreads("t", 1)
    thread = await threads.acquire("")
    waiting = asyncio.create_task(threads.acquire(""))
    await asyncio.sleep(0)
    threads._pass_on(thread)
    waiting.cancel()  # in the same moment
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert threads.free == [thread]


async def test_a_client_that_waits_too_long_or_in_a_long_queue_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = RequestThreads("t", 1)
    thread = await threads.acquire("")
    monkeypatch.setattr("arena.handler.QUEUE_MAX", 2)
    crowd = [asyncio.create_task(threads.acquire("crowd")) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(NoThreadFree):
        await threads.acquire("crowd")
    monkeypatch.setattr("arena.handler.WAIT_MOST", 0.05)
    with pytest.raises(NoThreadFree):
        await threads.acquire("another")
    threads.release(thread)
    threads.release(await crowd[0])
    threads.release(await crowd[1])
    assert await all_free(threads, 1)


async def test_a_thread_is_free_again_after_an_answer_that_failed() -> None:
    threads = RequestThreads("t", 1)
    for _ in range(3):
        with pytest.raises(RuntimeError):
            async with threads.acquired(""):
                raise RuntimeError
    assert await all_free(threads, 1)


async def test_a_thread_that_comes_back_has_closed_what_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[int] = []
    monkeypatch.setattr("arena.handler.close_old_connections", lambda: closed.append(threading.get_ident()))
    threads = RequestThreads("t", 1)
    own = await thread_of(threads)
    assert await all_free(threads, 1)
    assert closed == [own]
