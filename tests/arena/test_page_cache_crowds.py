"""The page cache under many requests: who waits for whom, how much is stored, and what happens without a cache."""

import asyncio
import random
import threading
from collections.abc import Mapping
from time import time
from typing import Any, Final

import pytest
from django.core.cache import caches

from tests.arena.asgi import scope_of
from tests.arena.outages import cache_away
from tests.arena.test_page_cache import LIVE, PATH, TOPIC, Site
from tests.waiting import eventually_async
from web import page_cache
from web.page_cache import SITE, StoredPage
from web.topics import topic_states, topic_states_renew
from web.visits import Visit

OTHER: Final = "/tournaments/other/live/"


def visit_of(path: str) -> Visit:
    visit = Visit.of(scope_of(path) | {"scheme": "http", "headers": [(b"host", b"here"), LIVE]})
    assert visit is not None
    return visit


def pages_of(site: Site) -> list[str]:
    return [key for key in site.shared._stored if "/page/" in key]


def state_of(topic: str) -> tuple[str, str]:
    states = topic_states([topic, SITE])
    return states[topic], states[SITE]


async def test_simultaneous_requests_render_once_and_later_ones_get_the_newest() -> None:
    site, go_on = Site(), asyncio.Event()
    await site.warm()
    await asyncio.to_thread(topic_states_renew, TOPIC)
    site.before = go_on.wait
    early = [asyncio.create_task(site.fetch()) for _ in range(5)]
    assert await eventually_async(lambda: site.made == 3)
    await asyncio.to_thread(topic_states_renew, TOPIC)
    late = [asyncio.create_task(site.fetch()) for _ in range(5)]
    await asyncio.wait(late, timeout=0.1)
    go_on.set()
    await asyncio.gather(*early, *late)
    assert early[0].result() == b"answer 3"
    assert b"answer 3" not in [task.result() for task in late]
    assert not site.shared._rendering


class Reads:
    """The reads of a site's page cache, each by how many keys it looks up; they wait for ``go_on``."""

    def __init__(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        self.looked_up, self.go_on, self._read = list[int](), threading.Event(), site.shared._read
        monkeypatch.setattr(site.shared, "_read", self)

    def __call__(self, topic_keys: Mapping[str, str]) -> dict[str, Any]:
        self.looked_up.append(len(topic_keys))
        assert self.go_on.wait(20)
        return self._read(topic_keys)


async def test_requests_during_a_cache_read_are_looked_up_together(monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site()
    assert await site.warm() == b"answer 2"
    reads = Reads(site, monkeypatch)
    first = asyncio.create_task(site.fetch())
    assert await eventually_async(lambda: len(reads.looked_up) == 1)
    others = [asyncio.create_task(site.fetch(path=PATH if number % 2 else "/")) for number in range(20)]
    await asyncio.sleep(0)  # they have asked
    reads.go_on.set()
    answers = await asyncio.gather(first, *others)
    assert answers[0] == answers[2] == b"answer 2"
    assert reads.looked_up[:2] == [1, 2], "one of them, then two addresses"


async def test_one_read_looks_up_so_many_at_most_and_another_one_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "VISITS_MOST", 3)
    site = Site()
    assert await site.warm() == b"answer 2"
    reads = Reads(site, monkeypatch)
    reads.go_on.set()
    had = [(b"if-none-match", b'"%d"' % number) for number in range(20)]  # of one page each has another copy
    assert await asyncio.gather(*(site.fetch(one) for one in had)) == [b"answer 2"] * 20
    assert reads.looked_up == [1] * 7
    assert not site.shared._visits


async def test_clients_that_go_away_leave_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site()
    assert await site.warm() == b"answer 2"
    reads = Reads(site, monkeypatch)
    first, second, third = (asyncio.create_task(site.fetch()) for _ in range(3))
    assert await eventually_async(lambda: bool(reads.looked_up))
    first.cancel()
    second.cancel()
    await asyncio.sleep(0)
    late = asyncio.create_task(site.fetch())
    await asyncio.sleep(0)
    reads.go_on.set()
    assert await asyncio.wait_for(asyncio.gather(third, late), 20) == [b"answer 2"] * 2


async def test_a_corrupt_entry_is_a_miss_for_its_own_address_only() -> None:
    site = Site()
    assert await site.warm() == b"answer 2"
    await asyncio.gather(*(site.fetch(path=path) for path in ("/", OTHER)))
    caches["optional"].set(visit_of("/").topic_key, ["no topic"])
    caches["optional"].set(visit_of(OTHER).key, StoredPage(state_of(TOPIC), time(), time() + 60, {}, b"not compressed"))
    answers = await asyncio.gather(*(site.fetch(path=path) for path in (PATH, "/", OTHER, PATH)))
    assert answers[0] == answers[3] == b"answer 2"
    assert answers[2] == await site.fetch(path=OTHER), "it was replaced"


async def test_while_one_renders_the_others_get_the_page_that_has_just_expired() -> None:
    site = Site((b"x-live-shared", b"tournament.5 0"))
    await site.warm()
    end = asyncio.Event()
    site.before = end.wait
    first = asyncio.create_task(site.fetch())
    assert await eventually_async(lambda: site.made == 3)
    assert [await site.fetch() for _ in range(5)] == [b"answer 2"] * 5
    end.set()
    assert await first == b"answer 3"
    assert await site.fetch() == b"answer 4", "nobody renders it now"


async def test_a_page_that_expired_long_ago_is_rendered_again_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "STALE_SECONDS", 0)
    site = Site((b"x-live-shared", b"tournament.5 0"))
    await site.warm()
    end = asyncio.Event()
    site.before = end.wait
    first, second = (asyncio.create_task(site.fetch()) for _ in range(2))
    assert await eventually_async(lambda: site.made == 3)
    end.set()
    assert {await first, await second} == {b"answer 3"}


PAGE: Final = {"headers": [(b"host", b"here")]}  # not live cells


async def busy(site: Site, path: str = PATH) -> None:
    """Have a page of ``site`` stored, announce a change, and have the site refuse from then on."""
    for _ in range(2):
        await site.fetch(path=path, **PAGE)
    await asyncio.to_thread(topic_states_renew, TOPIC)
    site.status, site.body = 503, b"busy"


async def test_a_visitor_of_a_busy_site_gets_the_last_page_and_its_age_until_the_site_has_changed() -> None:
    site = Site()
    await busy(site)
    start, body = await site.sent(**PAGE)
    assert (start["status"], body["body"]) == (200, b"answer 2")
    assert dict(start["headers"])[b"age"].isdigit()
    assert await site.fetch(path=OTHER, **PAGE) == b"busy", "there is none"
    site.status, site.body = 200, b"new"
    assert [await site.fetch(**PAGE), await site.fetch(**PAGE)] == [b"new"] * 2, "it is rendered as soon as it can be"
    site.status, site.body = 503, b"busy"
    await asyncio.to_thread(topic_states_renew, SITE)
    start, body = await site.sent(**PAGE)
    assert (start["status"], body["body"]) == (503, b"busy"), "something on it may be hidden now"


async def test_a_visitor_who_was_refused_gets_no_page_of_before_something_was_hidden_meanwhile() -> None:
    site = Site()
    await busy(site)
    site.before = lambda: asyncio.to_thread(topic_states_renew, SITE)
    start, body = await site.sent(**PAGE)
    assert (start["status"], body["body"]) == (503, b"busy")


async def test_a_visitor_of_a_busy_site_gets_no_page_that_expired_more_than_a_minute_ago(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site = Site()
    await busy(site)
    now = time()
    monkeypatch.setattr("web.page_cache.time", lambda: now + page_cache.BUSY_SECONDS + 3)
    assert (await site.sent(**PAGE))[0]["status"] == 503


async def test_a_page_that_must_be_revalidated_is_never_served_in_place_of_a_refusal() -> None:
    site = Site((b"Cache-Control", b"public, max-age=0, must-revalidate"))
    await busy(site)
    assert (await site.sent(**PAGE))[0]["status"] == 503


async def test_live_cells_and_requests_for_the_current_page_get_the_refusal_of_a_busy_site() -> None:
    cells, program, of_program = Site(), Site(), "/api/tournaments/cup/standings/"
    assert await cells.warm() == b"answer 2"
    await busy(program, of_program)
    cells.status, cells.body = 503, b"busy"
    assert (await cells.sent())[0]["status"] == 503
    assert await program.fetch(path=of_program, **PAGE) == b"answer 2"
    current = {"headers": [*PAGE["headers"], (b"cache-control", b"max-age=0, No-Cache")]}
    assert (await program.sent(path=of_program, **current))[0]["status"] == 503


async def test_an_answer_slower_than_its_max_age_is_given_to_all_waiting_requests() -> None:
    site = Site((b"x-live-shared", b"tournament.5 0"))
    await site.warm()
    await asyncio.to_thread(topic_states_renew, TOPIC)
    end = asyncio.Event()
    site.before = end.wait
    asking = [asyncio.create_task(site.fetch()) for _ in range(20)]
    assert await eventually_async(lambda: site.made == 3)
    end.set()
    assert set(await asyncio.gather(*asking)) == {b"answer 3"}


async def test_simultaneous_first_requests_of_an_address_render_twice() -> None:
    site, go_on = Site(), asyncio.Event()
    site.before = go_on.wait
    asking = [asyncio.create_task(site.fetch()) for _ in range(20)]
    assert await eventually_async(lambda: site.made == 1)
    go_on.set()
    assert set(await asyncio.gather(*asking)) <= {b"answer 1", b"answer 2"}
    assert site.made == 2


async def test_waiting_for_the_rendering_of_another_request_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "WAITED_MOST", 0.05)
    site = Site()
    await site.warm()
    await asyncio.to_thread(topic_states_renew, TOPIC)
    end = asyncio.Event()
    site.before = end.wait
    first = asyncio.create_task(site.fetch())
    assert await eventually_async(lambda: site.made == 3)
    site.before = None
    assert await asyncio.wait_for(site.fetch(), 10) == b"answer 4"
    end.set()
    assert await first == b"answer 3"


async def test_nobody_waits_for_a_reader_who_is_slow_or_for_an_answer_that_fails() -> None:
    site = Site()
    await site.warm()
    await asyncio.to_thread(topic_states_renew, TOPIC)
    never = asyncio.Event()

    async def stalls(_message: Any) -> None:
        await never.wait()

    scope = scope_of(PATH) | {"scheme": "http", "headers": [(b"host", b"here"), LIVE]}
    slow = asyncio.create_task(site.shared(scope, None, stalls))
    assert await eventually_async(lambda: site.made == 3)
    assert await asyncio.gather(*(site.fetch() for _ in range(3))) == [b"answer 3"] * 3
    slow.cancel()

    async def fails() -> None:
        await asyncio.sleep(0)
        raise RuntimeError

    site.before = fails
    await asyncio.to_thread(topic_states_renew, TOPIC)
    ends = await asyncio.gather(*(site.fetch() for _ in range(3)), return_exceptions=True)
    assert all(isinstance(one, RuntimeError) for one in ends)
    assert not site.shared._rendering


async def test_entries_and_their_sizes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "ENTRIES_MOST", 3)
    site = Site()
    await site.warm()
    for number in range(20):
        for _ in range(2):
            await site.fetch(query_string=b"page=%d" % number)
            await site.fetch(path=f"/tournaments/{number}/live/")
    await site.warm()
    assert len(site.shared._stored) == 3
    long = Site(body=b"x" * (page_cache.PAGE_BYTES_MOST + 1))
    await long.warm()
    in_pieces = Site()
    in_pieces.pieces = 2
    await in_pieces.warm()
    assert not pages_of(long)
    assert not pages_of(in_pieces)


async def test_the_number_of_cached_topics_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "ENTRIES_MOST", 3)
    site = Site()
    paths = [f"/matches/{'0' * zeros}7/" for zeros in range(20)]  # one match, in 20 spellings
    for path in paths:
        await site.fetch(path=path)
    assert len(caches["optional"].get_many([visit_of(path).topic_key for path in paths])) == 3


async def test_the_bytes_of_the_cache_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "BYTES_MOST", 80)  # of a page and the topic of its address
    site = Site(body=random.Random(0).randbytes(40))  # which does not compress
    await site.fetch()
    for number in range(5):
        await site.fetch(query_string=b"page=%d" % number)
    await site.fetch(query_string=b"page=4")
    assert site.made == 6
    assert len(pages_of(site)) == 1
    await site.fetch(query_string=b"page=3")
    assert site.made == 7


async def test_many_different_requests_do_not_evict_a_popular_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_cache, "ENTRIES_MOST", 5)
    site = Site()
    cached = await site.warm()
    for number in range(20):
        for _ in range(2):
            await site.fetch(query_string=b"page=%d" % number)
            await site.fetch(path=f"/tournaments/{number}/live/")
        assert await site.fetch() == cached
    assert len(site.shared._stored) == 5


def test_without_the_cache_nothing_is_shared_and_nothing_fails() -> None:
    with cache_away():
        topic_states_renew(TOPIC)
        assert topic_states([TOPIC]) == {}
        site = Site()
        assert asyncio.run(_three(site)) == [b"answer 1", b"answer 2", b"answer 3"]


async def test_a_cache_that_fails_in_no_foreseen_way_makes_nobody_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_topics: object) -> None:
        raise RuntimeError

    site = Site()
    await site.warm()
    monkeypatch.setattr(page_cache, "topic_states", fails)
    async with asyncio.timeout(30):
        assert await site.fetch() == b"answer 3"
        assert await site.fetch() == b"answer 4"
    monkeypatch.undo()
    assert await site.warm() == await site.fetch()


async def _three(site: Site) -> list[bytes]:
    return [await site.fetch() for _ in range(3)]
