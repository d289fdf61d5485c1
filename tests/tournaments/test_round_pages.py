"""A round over the API: so many tables and byes at a time, until there are no more."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.arena.openapi import as_described
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import running_tournament
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def read(address: str, reader: Any = None, **query: Any) -> Any:
    headers = {"authorization": f"Token {token_of(reader)}"} if reader else {}
    return as_described(Client().get(address, query, headers=headers))


def address_of(cup: Tournament, number: int = 1) -> str:
    return reverse("api-tournaments:round", args=[cup.slug, number])


def pages(address: str, reader: Any = None, **query: Any) -> list[dict[str, Any]]:
    found = [read(address, reader, **query).json()]
    while found[-1]["next"]:
        found.append(read(found[-1]["next"], reader).json())
    return found


def test_the_pages_have_every_table_and_bye_once() -> None:
    swiss, knockout = (
        running_tournament(11, format="swiss", rounds=2),
        running_tournament(11, format="single_elimination"),
    )
    for cup in (swiss, knockout):
        whole = read(address_of(cup)).json()
        assert whole["next"] is None
        few = pages(address_of(cup), page_size=2)
        assert len(few) > 1
        assert [one for page in few for one in page["pairings"]] == whole["pairings"]
        assert [one for page in few for one in page["byes"]] == whole["byes"]
        assert all(page["tables"] == whole["tables"] for page in few)
    everyone = [seat["entry"] for one in read(address_of(swiss)).json()["pairings"] for seat in one["seats"]]
    everyone += [one["entry"] for one in read(address_of(swiss)).json()["byes"]]
    assert sorted(everyone) == sorted(swiss.entries.values_list("pk", flat=True))


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"page": 4, "page_size": 2}, 404, "not_found"),
        ({"page": 0}, 400, "min_value"),
        ({"page_size": 101}, 400, "invalid"),
        ({"page_size": 0}, 400, "min_value"),
        ({"page": "x"}, 400, "invalid"),
        ({"stage": 1}, 400, "unknown_parameter"),
    ],
)
def test_what_is_no_page_is_refused(query: dict[str, Any], status: int, code: str) -> None:
    cup = running_tournament(11, format="swiss", rounds=2)
    answer = read(address_of(cup), **query)
    assert answer.status_code == status
    assert code in answer.content.decode()


def test_a_round_that_waits_is_paged_for_its_organiser_alone() -> None:
    cup = running_tournament(10, format="swiss", rounds=2, has_round_review=True)
    assert read(address_of(cup)).status_code == 404
    tables = [one["table"] for page in pages(address_of(cup), cup.organiser, page_size=3) for one in page["pairings"]]
    assert tables == [1, 2, 3, 4, 5]


def test_a_page_of_many_tables_takes_as_many_queries_as_one_of_few() -> None:
    counts, sizes = [], []
    for entries in (8, 40):
        cup = running_tournament(entries, format="swiss", rounds=2)
        Client().get(address_of(cup))
        with CaptureQueriesContext(connection) as queries:
            answer = Client().get(address_of(cup), {"page_size": 4})
        counts.append(len(queries))
        sizes.append(len(answer.content))
    assert counts[0] == counts[1] <= 12
    assert sizes[1] < sizes[0] + 400, "all are four tables, whatever the size of the round"
