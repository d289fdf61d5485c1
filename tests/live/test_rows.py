"""/ws/live/: rows of boards, and what a page is sent that names the revisions it shows."""

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from live import hub_announce
from live.consumers import CLOSE_GARBAGE, LatestByTopic
from web.topics import PARTS_MAX, RequestError, ShownParts, topic_request_read, topic_ticket

pytestmark = pytest.mark.django_db(transaction=True)  # Channels closes old connections when a socket ends
CUP, PART = "tournament.5", "standings.7"
RELOAD = {"topic": CUP, "reload": True}


def rows(since: int, revision: int) -> dict[str, Any]:
    return {"revision": revision, "part": PART, "since": since, "rows": [[12, 1, revision]]}


async def announce(**data: Any) -> None:
    await sync_to_async(hub_announce)(CUP, **data)


def shows(revision: int, part: str = PART) -> dict[str, Any]:
    return {"shows": [{"topic": topic_ticket(CUP), "parts": {part: revision}}]}


async def test_a_page_gets_the_difference_or_a_reload(visit: Any) -> None:
    first, page = await visit("/ws/live/"), await visit("/ws/live/")
    for one in (first, page):
        await one.say({"subscribe": [topic_ticket(CUP)]})
        assert await one.hear() == {"subscribed": [CUP], "rows": True}
    await page.say(shows(80))
    assert await page.hear() == RELOAD, "nothing is known yet"
    await announce(**rows(78, 80))
    assert await page.hear() == {"topic": CUP, **rows(78, 80)}
    for shown, missed in ((77, RELOAD), (78, {"topic": CUP, **rows(78, 80)}), (79, {"topic": CUP, **rows(78, 80)})):
        await page.say(shows(shown))
        assert await page.hear() == missed
    for shown in (80, 81):
        await page.say(shows(shown))
        assert await page.hears_nothing()
    await page.say(shows(80, "tables.7.1"))
    assert await page.hear() == RELOAD, "of a part that was never sent"


async def test_rows_of_the_same_revision_that_were_computed_later_are_sent_again(visit: Any) -> None:
    page = await visit("/ws/live/")
    await page.say({"subscribe": [topic_ticket(CUP)]})
    await page.hear()
    await announce(**rows(80, 80))
    await page.hear()
    await page.say(shows(80))
    assert await page.hear() == {"topic": CUP, **rows(80, 80)}


async def test_messages_before_the_first_follower_are_dropped(visit: Any) -> None:
    page = await visit("/ws/live/")
    await page.say({"subscribe": [topic_ticket(CUP)]})
    await page.hear()
    await announce(**rows(79, 80))
    await page.hear()
    await page.say({"unsubscribe": [topic_ticket(CUP)]})
    await page.say({"subscribe": [topic_ticket(CUP)]})
    await page.hear()
    await page.say(shows(80))
    assert await page.hear() == RELOAD, "it may have missed some"


HOSTILE = [
    ({"topic": CUP}, "unknown_topic"),
    ({"topic": topic_ticket(CUP) + "x"}, "unknown_topic"),
    ({"topic": 5}, "bad_parts"),
    ({"parts": {PART: -1}}, "bad_parts"),
    ({"parts": {PART: 1.5}}, "bad_parts"),
    ({"parts": {PART: "1"}}, "bad_parts"),
    ({"parts": {PART: True}}, "bad_parts"),
    ({"parts": {"standings.7\n": 1}}, "bad_parts"),
    ({"parts": {"../standings": 1}}, "bad_parts"),
    ({"parts": {"x" * 100: 1}}, "bad_parts"),
    ({"parts": {f"tables.{one}": 1 for one in range(PARTS_MAX + 1)}}, "bad_parts"),
    ({"parts": [PART]}, "bad_parts"),
]


@pytest.mark.parametrize(("changed", "code"), HOSTILE)
def test_malformed_messages_are_refused(changed: dict[str, Any], code: str) -> None:
    with pytest.raises(RequestError) as refused:
        topic_request_read(json.dumps({"shows": [{"topic": topic_ticket(CUP), "parts": {PART: 1}} | changed]}))
    assert refused.value.code == code


def test_revisions_that_a_page_shows_are_read() -> None:
    assert topic_request_read(json.dumps(shows(80))).shows == (ShownParts(CUP, {PART: 80}),)
    assert topic_request_read('{"subscribe": []}').shows == ()


async def test_a_topic_that_is_not_followed_is_refused(visit: Any) -> None:
    page = await visit("/ws/live/")
    await page.say(shows(80))
    assert (await page.hear())["error"] == "not_followed"
    assert await page.closed_with() == CLOSE_GARBAGE


async def test_a_page_of_the_release_before_is_offered_nothing_and_hears_every_announcement(visit: Any) -> None:
    page = await visit("/ws/live/")
    await page.say({"subscribe": [topic_ticket(CUP)]})
    assert "cells" not in await page.hear()
    await announce(**rows(79, 80))
    assert "html" not in await page.hear(), "upon which it requests its cells"


def test_a_slow_reader_gets_the_newest_of_each_kind() -> None:
    waiting = LatestByTopic()
    for kind, text in (("", "1"), ("reload", "2"), (PART, "3"), (PART, "4"), ("", "5")):
        waiting.put(CUP, kind, text)
    assert [waiting.next_text() for _ in range(4)] == ["5", "2", "4", None]
