"""/ws/live/: pages follow topics; what makes no sense is refused with a reason."""

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from live import hub_announce
from live.consumers import CLOSE_GARBAGE, REQUESTS_MAX
from matches.live.match_reader import match_reader_ticket
from matches.models import Match
from web.topics import TEXT_MAX, TOPICS_MAX, topic_ticket

pytestmark = pytest.mark.django_db(transaction=True)  # Channels closes old connections when a socket ends


async def test_a_page_hears_of_the_topics_it_follows_until_it_stops(visit: Any) -> None:
    page = await visit("/ws/live/")
    await page.say({"subscribe": [topic_ticket("tournament.5"), topic_ticket("match.7")]})
    assert await page.hear() == {"subscribed": ["match.7", "tournament.5"], "rows": True}
    await sync_to_async(hub_announce)("tournament.5", round=2)
    assert await page.hear() == {"topic": "tournament.5", "round": 2}
    await page.say({"unsubscribe": [topic_ticket("tournament.5")]})
    assert await page.hears_nothing()
    await sync_to_async(hub_announce)("tournament.5")
    await sync_to_async(hub_announce)("match.7")
    assert await page.hear() == {"topic": "match.7"}


GARBAGE = [
    ("not json", "not_json"),
    ("[" * 4000, "not_json"),
    ("x" * (TEXT_MAX + 1), "too_long"),
    ('"text"', "not_an_object"),
    (json.dumps({"shout": 1}), "unknown_request"),
    (json.dumps({"subscribe": "match.5"}), "not_a_list"),
    (json.dumps({"subscribe": [topic_ticket("match.0")]}), "unknown_topic"),
    (json.dumps({"subscribe": ["match.5"]}), "unknown_topic"),
    (json.dumps({"subscribe": [topic_ticket("match.5") + "x"]}), "unknown_topic"),
    (json.dumps({"subscribe": [topic_ticket("match.5").replace("5:", "6:")]}), "unknown_topic"),
    (json.dumps({"subscribe": [match_reader_ticket(Match(pk=5, audience="authors"))]}), "unknown_topic"),
    (json.dumps({"subscribe": [topic_ticket("match.5\n")]}), "unknown_topic"),
    (json.dumps({"subscribe": [topic_ticket("secrets.5")]}), "unknown_topic"),
    (json.dumps({"subscribe": [{"a": 1}]}), "unknown_topic"),
    (json.dumps({"subscribe": [topic_ticket(f"match.{n}") for n in range(1, TOPICS_MAX + 2)]}), "too_many_topics"),
]


@pytest.mark.parametrize(("text", "code"), GARBAGE, ids=[code for _, code in GARBAGE])
async def test_garbage_is_answered_with_a_typed_error_and_the_end(visit: Any, text: str, code: str) -> None:
    page = await visit("/ws/live/")
    await page.say(text)
    assert (await page.hear())["error"] == code
    assert await page.closed_with() == CLOSE_GARBAGE


async def test_messages_after_a_refusal_are_not_answered(visit: Any) -> None:
    page = await visit("/ws/live/")
    await page.say("garbage")
    await page.hear()
    await page.closed_with()
    await page.say({"subscribe": ["tournament.5"]})
    await page.say("garbage")
    assert await page.hears_nothing()


async def test_bytes_are_refused(visit: Any) -> None:
    page = await visit("/ws/live/")
    await page.say_bytes(b"\x00\xff")
    assert (await page.hear())["error"] == "binary"


async def test_a_socket_that_sends_too_much_is_closed(visit: Any) -> None:
    page = await visit("/ws/live/")
    for _ in range(REQUESTS_MAX + 1):
        await page.say({"subscribe": []})
    assert (await page.hear())["error"] == "too_many"
