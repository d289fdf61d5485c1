"""Files are made piece by piece: none is whole in memory."""

import json
import tracemalloc
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.test import Client, RequestFactory
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.factories import finish_matches, running_tournament
from tournaments.selectors.pages import exports
from web.downloads import CHUNK, csv_response, csv_safe_cell, json_file_response, zip_response

ROWS = 10_000
NAME = "Grown " * 40


def rows(count: int) -> Iterator[dict[str, Any]]:
    return ({"number": number, "name": NAME, "places": [1, 2, 3]} for number in range(count))


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
        lambda: csv_response(RequestFactory().get("/"), "x.csv", ["number", "name"], rows(ROWS)),
        lambda: json_file_response(lambda: {"name": "x", "matches": rows(ROWS)}),
        lambda: json_file_response(lambda: {"stages": iter([{"stage": 1, "fixtures": rows(ROWS)}])}),
        lambda: zip_response("x.zip", (bytes(1000) for _ in range(2000))),
    ],
)
def test_the_memory_that_a_download_takes_does_not_grow_with_it(answer: Any) -> None:
    peak, sent = peak_of(answer())
    assert sent > 1_000_000
    assert peak < 8 * CHUNK


@pytest.mark.parametrize("end", ["", "a;", "a\n", "a\r\n", "a\t"])
@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_no_cell_is_taken_for_a_formula_by_comma_or_semicolon(end: str, begin: str) -> None:
    assert csv_safe_cell(f"{end}{begin}1;b").startswith(f"{end}'")
    assert csv_safe_cell([f"{end}{begin}1", "b"]).startswith(f"{end}'")


@pytest.mark.parametrize("plain", ["a-b; c", "3; -2", "x=1", "a@b.example", 5, -5, None])
def test_other_cells_stay_as_they_are(plain: Any) -> None:
    assert csv_safe_cell(plain) == plain


LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.dates(), st.floats(allow_nan=False))
VALUES = st.one_of(LEAVES, st.lists(LEAVES, max_size=3), st.dictionaries(st.text(), LEAVES, max_size=3))
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=4)


@given(plain=OBJECTS, items=st.lists(OBJECTS, max_size=4), deep=st.lists(OBJECTS, max_size=3))
def test_an_object_is_the_json_that_it_would_be_whole(plain: Any, items: Any, deep: Any) -> None:
    whole = {**plain, "items": items, "deep": [{"n": 1, "more": deep}]}
    parts = {**plain, "items": iter(items), "deep": iter([{"n": 1, "more": iter(deep)}])}
    assert json_file_response(lambda: parts).getvalue() == json.dumps(whole, cls=DjangoJSONEncoder).encode()


@pytest.mark.django_db
def test_the_tables_of_a_stage_are_the_same_however_many_are_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = running_tournament(entries=6)
    finish_matches(cup)
    entries = list(cup.entries.select_related("bot__owner", "version"))
    whole = list(exports.tournament_fixture_rows(cup.stage, entries))
    assert len({row["round"] for row in whole}) > 2
    monkeypatch.setattr(exports, "BATCH", 4)  # every second round fills one
    assert list(exports.tournament_fixture_rows(cup.stage, entries)) == whole


@pytest.mark.django_db
def test_csv_of_a_link_for_people_begins_with_a_mark_and_that_for_programs_does_not(client: Client) -> None:
    cup = running_tournament(entries=3)
    finish_matches(cup)
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    for name in ("standings.csv", "fixtures.csv"):
        plain = reverse("tournaments:export", args=[cup.slug, name])
        assert f'href="{plain}?bom=1"' in page
        # One after the other, both ways: neither is given the other's from memory.
        response = [client.get(plain + query).getvalue() for query in ("", "?bom=1", "", "?bom=0", "?bom=1")]  # type: ignore[attr-defined]
        assert [one.startswith(BOM_UTF8) for one in response] == [False, True, False, False, True]
        assert {one.removeprefix(BOM_UTF8) for one in response} == {response[0]}
        assert not client.get(f"/api/tournaments/{cup.slug}/export/{name}").getvalue().startswith(BOM_UTF8)  # type: ignore[attr-defined]
    log = client.get(reverse("tournaments:rulings-export", args=[cup.slug]) + "?bom=1")
    ratings = client.get(reverse("tournaments:ratings-export", args=[cup.slug, "ratings.csv"]) + "?bom=1")
    for answer in (log, ratings):
        assert answer.getvalue().startswith(BOM_UTF8)  # type: ignore[attr-defined]


@pytest.mark.django_db
def test_each_address_gets_so_many_files_in_a_minute_from_pages_and_the_api_together(settings: Any) -> None:
    settings.FILES_PER_ADDRESS = 2
    page = reverse("tournaments:export", args=[running_tournament(entries=2).slug, "fixtures.csv"])
    assert Client().get(page).getvalue() == Client().get(f"/api{page}").getvalue()  # type: ignore[attr-defined]
    refused, problem = Client().get(page), Client().get(f"/api{page}")
    assert (refused.status_code, problem.status_code) == (429, 429)
    assert 0 < int(refused["Retry-After"]) <= 60
    assert 0 < int(problem["Retry-After"]) <= 60
    assert problem.json()["code"] == "throttled"
    assert Client(REMOTE_ADDR="192.0.2.7").get(page).status_code == 200


@pytest.mark.django_db
def test_a_file_is_only_read(client: Client) -> None:
    page = reverse("tournaments:export", args=[running_tournament(entries=2).slug, "tournament.json"])
    assert [getattr(client, method)(page).status_code for method in ("post", "put", "delete", "head")] == [405] * 3 + [
        200
    ]
