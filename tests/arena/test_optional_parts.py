"""Each optional part is broken in turn: every page and every answer of the API still comes."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from tests.arena.openapi import readings
from tests.arena.test_api import a_site, headers_of
from tests.arena.test_api import address as address_of
from tests.arena.test_every_address import NAMES, address, visit, whole_site
from tests.tournaments.factories import TournamentFactory
from tournaments.models import Tournament, TournamentState
from web import optional as optional_parts
from web.optional import PARTS, optional

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(300)]

# Where the part is all that was asked for: 503, so that no program and no calendar takes an empty file for the truth.
ALONE = {
    "ratings": {"tournaments:ratings-export", "api-tournaments:ratings", "/api/tournaments/{slug}/ratings/"},
    "timetable": {"watch:timetable"},
}
WORD = b"Not available right now."
# A picture that is missing is seen to be; a preview and a line of past ratings are for other sites and the eye.
WORDLESS = {"picture of a match", "boards of matches", "link preview", "courses of ratings", "luck-adjusted ratings"}
WORDLESS |= {"luck-adjusted results of a match", "event of the calendar", "board of a tile"}
WORDLESS |= {"place of the match on the stage", "leaders of leagues", "board of a puzzle", "small board of a puzzle"}


class PartBrokenError(Exception):
    """What a part fails with here."""


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr("web.brief_cache.CACHED_SECONDS", 0)
    for cache in caches.all(initialized_only=True):
        cache.clear()
    optional_parts._logged.clear()
    yield
    optional_parts._logged.clear()


class Broken:
    """A part that fails whenever it is computed."""

    def __init__(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.inputs: list[str] = []
        monkeypatch.setattr(PARTS[name], "make", self._fails)

    def _fails(self, *args: Any, **kwargs: Any) -> None:
        self.inputs.append(repr(args))
        raise PartBrokenError


def pages(site: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for visitor in ("stranger", "organiser"):
        for name in NAMES:
            yield name, visit(visitor, site).get(address(name, site))
        for query in ("q=pick", "q=pick&kind=bots"):
            yield "search", visit(visitor, site).get(f"/search/?{query}")


def answers() -> Iterator[tuple[str, Any]]:
    site = a_site()
    client = Client(raise_request_exception=False)
    for path in readings():
        yield path, client.get(address_of(path, site), headers=headers_of(site["people"]["organiser"]))


def site_with_a_time() -> dict[str, Any]:
    """Return a site with something at every address, and on the timetable, and luck that a tournament takes off."""
    TournamentFactory(state=TournamentState.OPEN, first_round_at=timezone.now() + timedelta(days=1))
    site = whole_site()
    Tournament.objects.filter(state=TournamentState.RUNNING).update(luck_value="pickomino/1-v1")
    return site


def read(site: dict[str, Any], alone: set[str]) -> int:
    """Read every page and answer of the API; return how many say that something is not available."""
    lost, data = {}, 0
    for url, answer in [*pages(site), *answers()]:
        if answer.status_code >= 500:
            lost[url] = answer.status_code
        elif not answer.streaming:
            data += WORD in answer.content
    assert lost == dict.fromkeys(alone & lost.keys(), 503)
    return data


def test_all_parts_at_once_cost_nobody_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    site = site_with_a_time()
    broken = {name: Broken(name, monkeypatch) for name in PARTS}
    assert read(site, set().union(*ALONE.values())) > 10
    within = {
        "luck-adjusted ratings",
        "event of the calendar",
        "picture of a match",
        "boards of matches",
        "place of the match on the stage",
    }  # asked for by other parts
    assert {name for name, one in broken.items() if not one.inputs} <= within


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", sorted(PARTS))
def test_a_part_that_fails_costs_nobody_a_page(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    site = site_with_a_time()
    broken = Broken(name, monkeypatch)
    with caplog.at_level(logging.ERROR, logger="web.optional"):
        notes = read(site, ALONE.get(name, set()))
    assert broken.inputs, "no page and no answer has this part"
    assert notes or name in WORDLESS
    rows = [record.getMessage() for record in caplog.records if record.name == "web.optional"]
    assert rows
    assert len(rows) <= len(set(broken.inputs)), "each failure is told once"
    assert all(name in one for one in rows)


def test_a_failure_is_logged_once_for_each_input_and_an_outage_is_none(caplog: pytest.LogCaptureFixture) -> None:
    @optional("a part of a test", lambda number: -number)
    def part(number: int) -> int:
        if number == 3:
            raise ConnectionError
        return 1 // number - 1 // (number - 1)

    try:
        assert [part(number) for number in (0, 1, 0, 2, 1)] == [0, -1, 0, -1, -1]
        assert ["(0,)" in one.getMessage() for one in caplog.records] == [True, False]
        with pytest.raises(ConnectionError):
            part(3)
    finally:
        del PARTS["a part of a test"]
