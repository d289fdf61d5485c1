"""The pages about all bots of a tournament: some rows at a time, found by name, cached until something changes."""

import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import finish_matches, running_tournament
from tournaments.models import Entry, Tournament
from web import boards

pytestmark = pytest.mark.django_db
ROWS = 3
PAGES = {"ratings": 10, "tie-breaks": 9, "pairings": 5}  # rows of ten bots


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr(boards, "BOARD_ROWS", ROWS)
    cache.clear()


@pytest.fixture
def cup() -> Tournament:
    return cup_of(10)


def cup_of(entries: int, kind: str = "swiss") -> Tournament:
    cup = running_tournament(entries, format=kind, **({"rounds": 3} if kind == "swiss" else {}))
    finish_matches(cup)
    return Tournament.objects.get(pk=cup.pk)


def html_of(cup: Tournament, name: str, query: str = "", client: Client | None = None) -> str:
    number = [1] if name in ("pairings", "bracket") else []
    answer = (client or Client()).get(reverse(f"tournaments:{name}", args=[cup.slug, *number]) + query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def client_of(entry: Entry) -> Client:
    client = Client()
    client.force_login(entry.bot.owner)
    return client


ROW = {"ratings": r'<tr id="r\d+"', "tie-breaks": r'id="c1-\d+"', "pairings": r'id="t\d+"', "bracket": r'id="b-[^"]+"'}


def ids_of(html: str, name: str) -> list[str]:
    return re.findall(ROW[name], html)


def following(html: str) -> Iterator[str]:
    if found := re.search(r'rel="next"\s+href="([^"#]*)', html):
        yield found[1].replace("&amp;", "&")


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_hold_every_row_once(cup: Tournament, name: str) -> None:
    seen, query = [], [""]
    for page in query:
        html = html_of(cup, name, page)
        assert len(ids_of(html, name)) <= ROWS
        seen += ids_of(html, name)
        query += following(html)
    assert len(seen) == len(set(seen)) == PAGES[name]


@pytest.mark.parametrize("name", PAGES)
def test_a_name_finds_its_rows_and_one_that_nobody_has_says_so(cup: Tournament, name: str) -> None:
    for entry in cup.entries.all():
        assert entry.bot.name in html_of(cup, name, f"?bot={entry.bot.name}").partition("board-tools")[2]
    assert ids_of(html_of(cup, name, "?bot=nobody"), name) == []


@pytest.mark.parametrize("name", [*PAGES, "bracket"])
def test_ones_own_bot_is_found_on_its_page_and_is_marked_for_nobody_else(name: str) -> None:
    cup = cup_of(10, "single_elimination" if name == "bracket" else "swiss")
    for entry in cup.entries.all():
        html = html_of(cup, name, client=client_of(entry))
        links = re.search(r'own-bots">(.*?)</p>', html, re.DOTALL)
        assert links
        href = re.search(r'<a href="([^"#]*)#([^"]*)">' + re.escape(entry.bot.name), links[1])
        assert href
        there = html_of(cup, name, href[1].replace("&amp;", "&"), client_of(entry))
        assert f'id="{href[2]}"' in there
        assert entry.bot.name in there.partition(f'id="{href[2]}"')[2]
        assert ('class="mine"' in there) == (name in ("ratings", "pairings"))
    assert 'class="mine"' not in html_of(cup, name)


def test_a_page_of_a_match_leads_to_the_page_with_its_table(cup: Tournament) -> None:
    for table in range(1, 6):
        assert f'id="t{table}"' in html_of(cup, "pairings", f"?table={table}")


def test_a_large_bracket_shows_every_match_on_one_of_its_pages_and_each_page_the_way_to_the_final() -> None:
    cup = cup_of(13, "single_elimination")
    seen: set[str] = set()
    query = [""]
    for page in query:
        html = html_of(cup, "bracket", page)
        assert "Final" in html
        seen |= set(ids_of(html, "bracket"))
        query += following(html)
    assert len(query) == 8, "two bots of the first round are on a page"
    assert len(seen) == 8 + 4 + 2 + 1
    assert set(ids_of(html_of(cup, "detail"), "bracket")) < seen


def test_a_bot_is_found_in_a_large_bracket() -> None:
    cup = cup_of(13, "single_elimination")
    for entry in cup.entries.all():
        assert f'class="name">{entry.bot.name}' in html_of(cup, "bracket", f"?bot={entry.bot.name}")


@pytest.mark.parametrize("name", [*PAGES, "calculation"])
def test_a_page_shows_a_new_name_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "BOARD_ROWS", 50)
    cup = cup_of(10)
    number = {"pairings": [1], "calculation": [cup.entries.all()[0].pk]}.get(name, [])
    address = reverse(f"tournaments:{name}", args=[cup.slug, *number])
    Client().get(address)
    entry = cup.entries.select_related("bot")[0]
    type(entry.bot).objects.filter(pk=entry.bot.pk).update(name="Renamed by its author")
    assert b"Renamed by its author" in Client().get(address).content


def test_what_the_organiser_sees_of_a_hidden_tournament_is_shown_to_nobody_else(cup: Tournament) -> None:
    Tournament.objects.filter(pk=cup.pk).update(publication="hidden")
    organiser = Client()
    organiser.force_login(cup.organiser)
    for name in PAGES:
        assert ids_of(html_of(cup, name, client=organiser), name)
        number = [1] if name == "pairings" else []
        assert Client().get(reverse(f"tournaments:{name}", args=[cup.slug, *number])).status_code == 403
