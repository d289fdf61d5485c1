"""Files are sent while they are made: the first piece leaves before the last is there, and none is whole in memory."""

import asyncio
import json
import threading
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse
from django.urls import path
from hypothesis import given
from hypothesis import strategies as st

from arena.streaming import StreamingHandler
from tests.tournaments.factories import finish_matches, running_tournament
from tournaments.selectors.pages import exports
from web.downloads import CHUNK, awaited, csv_response, json_response, zip_response

ROWS = 60_000


def rows(count: int) -> Iterator[dict[str, Any]]:
    return ({"number": number, "name": f"Grown {number}", "places": [1, 2, 3]} for number in range(count))


def peak_of(answer: Any) -> tuple[int, int]:
    """The most memory that sending takes, and how much was sent, in bytes."""
    tracemalloc.start()
    try:
        sent = sum(len(part) for part in answer.streaming_content)
        return tracemalloc.get_traced_memory()[1], sent
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "answer",
    [
        lambda: csv_response("x.csv", ["number", "name"], rows(ROWS)),
        lambda: json_response({"name": "x", "matches": rows(ROWS)}),
        lambda: json_response({"stages": iter([{"stage": 1, "fixtures": rows(ROWS)}])}),
        lambda: zip_response("x.zip", (bytes(1000) for _ in range(2000))),
    ],
)
def test_the_memory_that_a_download_takes_does_not_grow_with_it(answer: Any) -> None:
    peak, sent = peak_of(answer())
    assert sent > 1_000_000
    assert peak < 8 * CHUNK


LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.dates(), st.floats(allow_nan=False))
VALUES = st.one_of(LEAVES, st.lists(LEAVES, max_size=3), st.dictionaries(st.text(), LEAVES, max_size=3))
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=4)


@given(plain=OBJECTS, items=st.lists(OBJECTS, max_size=4), deep=st.lists(OBJECTS, max_size=3))
def test_an_object_is_the_json_that_it_would_be_whole(plain: Any, items: Any, deep: Any) -> None:
    whole = {**plain, "items": items, "deep": [{"n": 1, "more": deep}]}
    parts = {**plain, "items": iter(items), "deep": iter([{"n": 1, "more": iter(deep)}])}
    assert json_response(parts).getvalue() == json.dumps(whole, cls=DjangoJSONEncoder).encode()


def test_parts_are_made_one_at_a_time_and_not_in_the_event_loop() -> None:
    made: list[int] = []
    threads: set[threading.Thread] = set()

    def parts() -> Iterator[bytes]:
        for number in range(3):
            made.append(number)
            threads.add(threading.current_thread())
            yield b"x"

    async def read() -> list[int]:
        return [len(made) async for _ in awaited(parts())]

    assert asyncio.run(read()) == [1, 2, 3]
    assert threading.main_thread() not in threads


def test_the_server_sends_the_first_piece_before_the_last_one_is_made(settings: Any) -> None:
    first_is_there = threading.Event()

    def parts() -> Iterator[bytes]:
        yield bytes(CHUNK)
        assert first_is_there.wait(20)
        yield bytes(CHUNK)

    def answer(_request: Any, *_args: Any, **_kwargs: Any) -> HttpResponse:
        return zip_response("x.zip", parts())  # type: ignore[return-value]

    settings.ROOT_URLCONF = (path("x/", answer, name="x"),)

    async def pieces() -> int:
        headers = [(b"host", b"testserver")]
        scope = {"type": "http", "method": "GET", "path": "/x/", "headers": headers, "query_string": b""}
        application = ApplicationCommunicator(StreamingHandler(), scope)
        await application.send_input({"type": "http.request", "body": b"", "more_body": False})
        assert (await application.receive_output(10))["type"] == "http.response.start"
        count = 0
        while (await application.receive_output(10)).get("more_body"):
            first_is_there.set()
            count += 1
        return count

    assert asyncio.run(pieces()) == 2


@pytest.mark.django_db
def test_the_tables_of_a_stage_are_the_same_however_many_are_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = running_tournament(entries=6)
    finish_matches(cup)
    entries = list(cup.entries.select_related("bot__owner", "version"))
    whole = list(exports.fixture_rows(cup.stage, entries))
    assert len({row["round"] for row in whole}) > 2
    monkeypatch.setattr(exports, "BATCH", 4)  # every second round fills one
    assert list(exports.fixture_rows(cup.stage, entries)) == whole
