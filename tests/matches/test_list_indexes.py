"""Lists find their rows by indexes, on either database, so that they cost the same however much was played."""

from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from matches.airing.channel import channel_shows
from matches.models import Match, MatchState
from matches.selectors import matches_listed, matches_on_air_or_running, matches_recent, matches_running
from tests.matches.factories import FinishedMatchFactory
from tournaments.workload import workload_game_seconds

pytestmark = pytest.mark.django_db
LISTS = {
    "all": (lambda: matches_listed()[:30], ["match_newest_first"]),
    "recent": (lambda: matches_recent()[:48], ["match_finished_newest_first"]),
    "followed": (
        lambda: Match.objects.filter(pk__in=matches_on_air_or_running(timezone.now())),
        ["match_on_air_by_end", "match_running_by_lease"],
    ),
    "queued": (
        lambda: Match.objects.filter(state=MatchState.QUEUED).values("released_at"),
        ["match_queued_by_release"],
    ),
    "running": (matches_running, ["match_on_air_by_end", "match_running_by_lease"]),
}


@pytest.fixture(autouse=True)
def _as_on_a_large_site() -> None:
    if connection.vendor == "postgresql":  # which reads a small table as a whole
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")


def plan_of(found: Any) -> str:
    return str(found.prefetch_related(None).explain())


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_read_by_an_index(name: str) -> None:
    found, indexes = LISTS[name]
    plan = plan_of(found())
    if connection.vendor == "postgresql":  # which has several for the rows that run
        assert "Seq Scan on matches_match" not in plan
        return
    assert "SCAN matches_match\n" not in f"{plan}\n"
    assert all(index in plan for index in indexes), plan


def test_the_channel_and_the_estimate_look_at_the_matches_that_were_finished_last() -> None:
    FinishedMatchFactory()
    counted: list[str] = []

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        counted.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        assert workload_game_seconds("pickomino") > 0
        channel_shows("pickomino")
    grouped = [sql for sql in counted if "GROUP BY" in sql]
    assert all('"matches_match"."id" IN (' in sql for sql in grouped), (
        "only of those that were chosen are seats counted"
    )
