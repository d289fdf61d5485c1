"""Cells through sockets: one answer for all who have the same, and whoever cannot be sent any is told to ask."""

import asyncio
from time import monotonic
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from matches.live import announce, pushed_cells
from matches.live.consumers import CELLS_MAX
from matches.live.pushed_cells import CellsAnswer, SiteBusyError, cells_answered_by
from tests.waiting import eventually_async
from web.topics import CellsRequest, topic_ticket

pytestmark = pytest.mark.django_db(transaction=True)  # Channels closes old connections when a socket ends
CUP = "tournament.5"
SRC = "/tournaments/cup/live/"
STATES = [f"{number:032x}" for number in range(20)]


class Asked:
    """A site whose answer is a new state each time; ``asked`` has the states that were asked from."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str]] = []
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.again = 0
        self.is_everyones = True

    async def __call__(self, wanted: CellsRequest, have: str, scope: Any) -> CellsAnswer | None:
        self.asked.append((wanted.src, wanted.language, have))
        number = len(self.asked)
        await self.go_on.wait()
        return CellsAnswer(STATES[number], self.again, f"<p>{number}</p>") if self.is_everyones else None


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Asked:
    monkeypatch.setattr(pushed_cells, "NEWS_SECONDS", 0.0)
    asked = Asked()
    cells_answered_by(asked)
    return asked


def wants(src: str = SRC, **more: Any) -> dict[str, Any]:
    return {"cells": [{"topic": topic_ticket(CUP), "src": src, "language": "de", "state": STATES[0]} | more]}


async def follows(visit: Any, *, is_refused: bool = False, **more: Any) -> Any:
    page, before = await visit("/ws/live/"), viewers()
    await page.say({"subscribe": [topic_ticket(CUP)]})
    assert await page.hear() == {"subscribed": [CUP], "cells": True}
    await page.say(wants(**more))
    if is_refused:
        assert await page.hear() == {"topic": CUP, "cells": False}
    else:
        assert await eventually_async(lambda: viewers() == before + 1)
    return page


def viewers() -> int:
    channels = pushed_cells.current_feed()._channels.get(CUP, {})
    return sum(len(channel._viewers) for channel in channels.values())


async def say(**data: Any) -> None:
    await sync_to_async(announce)(CUP, **data)


def cells(number: int, have: str, src: str = SRC) -> dict[str, Any]:
    return {"topic": CUP, "src": src, "have": have, "state": STATES[number], "html": f"<p>{number}</p>"}


async def test_one_answer_serves_all_who_have_the_same_and_then_they_have_the_same_again(
    visit: Any, site: Asked
) -> None:
    pages = [await follows(visit) for _ in range(5)]
    other = await follows(visit, state="f" * 32)
    await say()
    assert [await page.hear() for page in pages] == [cells(1, STATES[0])] * 5
    assert await other.hear() == cells(2, "f" * 32)
    await say()
    assert [await page.hear() for page in pages] == [cells(3, STATES[1])] * 5
    assert await other.hear() == cells(4, STATES[2])
    assert [asked[2] for asked in site.asked] == [STATES[0], "f" * 32, STATES[1], STATES[2]]


async def test_other_languages_and_addresses_are_asked_for_apart(visit: Any, site: Asked) -> None:
    pages = [await follows(visit), await follows(visit, language="fr"), await follows(visit, src=f"{SRC}?page=2")]
    await say()
    for page in pages:
        assert (await page.hear())["have"] == STATES[0]
    assert {asked[:2] for asked in site.asked} == {(SRC, "de"), (SRC, "fr"), (f"{SRC}?page=2", "de")}


async def test_who_may_have_missed_something_is_sent_it_at_once_and_alone(visit: Any, site: Asked) -> None:
    settled = await follows(visit)
    newcomer = await follows(visit, state=STATES[8], due=0)
    assert await newcomer.hear() == cells(1, STATES[8])
    assert await settled.hears_nothing()
    assert len(site.asked) == 1


async def test_what_is_to_be_asked_for_again_is_sent_with_no_further_announcement(visit: Any, site: Asked) -> None:
    page = await follows(visit)
    site.again = 1
    await say()
    assert await page.hear() == cells(1, STATES[0])
    site.again = 0
    assert await page.hear() == cells(2, STATES[1])
    other = await follows(visit, due=1)
    assert (await other.hear())["have"] == STATES[0]


async def test_what_is_not_everyones_any_more_is_not_sent_and_the_page_hears_of_every_change(
    visit: Any, site: Asked
) -> None:
    page = await follows(visit)
    site.is_everyones = False
    await say(round=2)
    assert await page.hear() == {"topic": CUP, "round": 2}
    await say(round=3)
    assert await page.hear() == {"topic": CUP, "round": 3}
    assert len(site.asked) == 1, "it is not asked for in vain"
    site.is_everyones = True
    await page.say(wants(state=STATES[7]))
    assert await eventually_async(lambda: viewers() == 1)
    await say()
    assert await page.hear() == cells(2, STATES[7])


async def test_a_site_that_fails_or_takes_too_long_is_not_waited_for(
    visit: Any, site: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushed_cells, "ANSWER_SECONDS", 0.05)
    page = await follows(visit)
    site.go_on.clear()
    await say()
    assert await page.hear() == {"topic": CUP}
    await page.say(wants())
    assert await eventually_async(lambda: viewers() == 1)

    async def fails(*_asked: Any) -> None:
        raise RuntimeError

    cells_answered_by(fails)
    await say()
    assert await page.hear() == {"topic": CUP}


async def test_a_busy_site_is_asked_again_and_no_page_is_told_to_ask(visit: Any, site: Asked) -> None:
    pages = [await follows(visit) for _ in range(3)]
    refused: list[str] = []

    async def busy(wanted: CellsRequest, have: str, scope: Any) -> CellsAnswer | None:
        if len(refused) < 5:
            refused.append(have)
            raise SiteBusyError
        return await site(wanted, have, scope)

    cells_answered_by(busy)
    await say()
    assert [await page.hear() for page in pages] == [cells(1, STATES[0])] * 3
    assert refused == [STATES[0]] * 5, "one question in the name of all"
    assert len(site.asked) == 1
    late = await follows(visit, due=0)
    assert await late.hear() == cells(2, STATES[0])
    for page in (*pages, late):
        assert await page.hears_nothing()


async def test_who_leaves_a_busy_site_is_not_asked_for_any_more(visit: Any, site: Asked) -> None:
    page = await follows(visit)
    asked: list[str] = []

    async def busy(_wanted: CellsRequest, have: str, _scope: Any) -> CellsAnswer | None:
        asked.append(have)
        raise SiteBusyError

    cells_answered_by(busy)
    await say()
    assert await eventually_async(lambda: len(asked) > 2)
    await page.leave()
    assert await eventually_async(lambda: viewers() == 0)
    told = len(asked)
    await asyncio.sleep(0)
    assert len(asked) <= told + 1


async def test_a_change_while_an_answer_is_made_is_answered_after_it(visit: Any, site: Asked) -> None:
    page = await follows(visit)
    site.go_on.clear()
    await say()
    assert await eventually_async(lambda: len(site.asked) == 1)
    await say()
    site.go_on.set()
    assert await page.hear() == cells(1, STATES[0])
    assert await page.hear() == cells(2, STATES[1])
    assert await page.hears_nothing()


async def test_a_page_that_asks_anew_while_it_was_about_to_be_sent_something_is_sent_it_all_the_same(
    visit: Any, site: Asked
) -> None:
    page = await follows(visit)
    site.go_on.clear()
    await say()
    assert await eventually_async(lambda: len(site.asked) == 1)
    await page.say(wants(state=STATES[6]))
    assert await eventually_async(lambda: len(site.asked) == 2)
    site.go_on.set()
    assert await page.hear() == cells(2, STATES[6])
    assert await page.hears_nothing(), "what was asked for a page that has another state now is not sent"


async def test_a_socket_that_asks_over_and_over_is_answered_now_and_then_and_nobody_else_is(
    visit: Any, site: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushed_cells, "NEWCOMERS_SECONDS", 0.0)
    settled, page = await follows(visit), await follows(visit)
    for number in range(CELLS_MAX):
        await page.say(wants(due=0))
        assert (await page.hear())["have"] == STATES[0], number
    began = monotonic()
    for number in range(30):
        await page.say(wants(src=f"{SRC}?page={number % 2}", due=number % 2))
    assert (await page.hear())["src"] == f"{SRC}?page=1"
    assert monotonic() - began >= 1
    assert len(site.asked) == CELLS_MAX + 1
    assert await settled.hears_nothing()


async def test_many_states_are_not_all_asked_for(visit: Any, site: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushed_cells, "STATES_MOST", 2)
    many = [await follows(visit) for _ in range(2)]
    few = [await follows(visit, state=state) for state in STATES[5:8]]
    await say()
    assert [await page.hear() for page in many] == [cells(1, STATES[0])] * 2
    heard = [await page.hear() for page in few]
    assert sorted("html" in one for one in heard) == [False, False, True]
    assert len(site.asked) == 2


async def test_a_topic_and_a_process_send_the_cells_of_few_addresses(
    visit: Any, site: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushed_cells, "CHANNELS_PER_TOPIC", 2)
    pages = [await follows(visit, src=f"{SRC}?page={number}") for number in (1, 2)]
    late = await follows(visit, src=f"{SRC}?page=3", is_refused=True)
    await say()
    assert await late.hear() == {"topic": CUP}
    assert [("html" in await page.hear()) for page in pages] == [True, True]
    await pages[0].say({"unsubscribe": [topic_ticket(CUP)]})
    assert await eventually_async(lambda: viewers() == 1)
    again = await follows(visit, src=f"{SRC}?page=3", due=0)
    assert "html" in await again.hear()
    monkeypatch.setattr(pushed_cells, "CHANNELS_MOST", 2)
    monkeypatch.setattr(pushed_cells, "CHANNELS_PER_TOPIC", 3)
    await follows(visit, src=f"{SRC}?page=4", is_refused=True)


async def test_a_socket_is_sent_the_cells_of_few_topics_and_of_none_that_it_does_not_follow(
    visit: Any, site: Asked
) -> None:
    page = await visit("/ws/live/")
    topics = [topic_ticket(f"tournament.{number}") for number in range(1, CELLS_MAX + 2)]
    await page.say({"subscribe": topics})
    await page.hear()
    await page.say({"cells": [wants(topic=topic)["cells"][0] for topic in topics]})
    assert await page.hear() == {"topic": f"tournament.{CELLS_MAX + 1}", "cells": False}
    other = await visit("/ws/live/")
    await other.say(wants())
    assert (await other.hear())["error"] == "not_followed"


async def test_nothing_is_left_of_viewers_who_went(visit: Any, site: Asked) -> None:
    page = await follows(visit)
    leaves = await follows(visit, src=f"{SRC}?page=2", due=600)
    feed = pushed_cells.current_feed()
    assert len(feed._channels[CUP]) == 2
    await leaves.leave()
    assert len(feed._channels[CUP]) == 1
    await page.say({"unsubscribe": [topic_ticket(CUP)]})
    assert await eventually_async(lambda: not feed._channels)
    await say()
    assert await page.hears_nothing()
    assert site.asked == []


async def test_where_nobody_answers_for_the_site_no_cells_are_offered(visit: Any) -> None:
    page = await visit("/ws/live/")
    await page.say({"subscribe": [topic_ticket(CUP)]})
    assert await page.hear() == {"subscribed": [CUP]}
