"""What everyone sees alike is cached briefly: the status line, and what is on."""

from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from matches.pages.choices import COOKIE, SHOWN
from tests.leagues.factories import open_league
from tests.matches.factories import FinishedMatchFactory, MatchFactory
from tests.tournaments.factories import running_tournament
from web.brief_cache import cached_briefly

pytestmark = pytest.mark.django_db
BUDGET = 12  # queries


@pytest.fixture(autouse=True)
def _long_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.brief_cache.CACHED_SECONDS", 600)
    caches["optional"].clear()


def just_in(client: Client, language: str = "en") -> str:
    html: str = client.get("/", headers={"accept-language": language}).content.decode()
    return html.partition('id="just-in"')[2].partition("</ul>")[0]


def test_it_is_made_once_for_a_name_and_a_language() -> None:
    made: list[str] = []

    def make() -> str:
        made.append("")
        return str(len(made))

    assert [cached_briefly("one", make), cached_briefly("one", make), cached_briefly("other", make)] == ["1", "1", "2"]
    with override("de"):
        assert cached_briefly("one", make) == "3"


def test_it_is_computed_again_when_the_cache_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.brief_cache.CACHED_SECONDS", 0)
    made = iter("ab")
    assert [cached_briefly("one", lambda: next(made)) for _ in range(2)] == ["a", "b"]


@pytest.mark.parametrize("address", ["/", "/watch/", "/watch/pickomino/", "/watch/pickomino/cells/", "/matches/"])
def test_readers_after_the_first_cost_few_queries(client: Client, address: str) -> None:
    FinishedMatchFactory()
    running_tournament(entries=4)
    open_league()
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    assert len(queries) <= BUDGET
    assert "matches_workerpresence" not in str(queries.captured_queries)


def test_visitors_with_and_without_results_get_different_pages(client: Client) -> None:
    match = FinishedMatchFactory()
    score = f'<strong class="number">{match.seats.order_by("-score")[0].score:.0f}'
    assert "<strong" not in just_in(client)
    client.cookies[COOKIE] = SHOWN
    assert score in just_in(client)
    client.cookies.pop(COOKIE)
    assert "<strong" not in just_in(client)


def test_a_reader_of_another_language_is_given_a_page_of_their_own(client: Client) -> None:
    FinishedMatchFactory()
    assert "Minuten" not in just_in(client)
    assert just_in(client) != just_in(client, "de")


def test_a_form_on_a_page_that_is_shared_needs_no_token(client: Client) -> None:
    for one in (Client(enforce_csrf_checks=True) for _ in range(2)):
        page = one.get("/watch/").content.decode()
        assert 'action="/matches/results/"' in page
        assert "csrfmiddlewaretoken" not in page
        assert one.post("/matches/results/", {"results": SHOWN}).status_code == 302


def test_without_a_cache_everything_is_made_for_everyone(client: Client, settings: Any) -> None:
    settings.CACHES = settings.CACHES | {"optional": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    MatchFactory()
    assert "1 match waiting" in client.get("/").content.decode()
    MatchFactory()
    assert "2 matches waiting" in client.get("/").content.decode()
