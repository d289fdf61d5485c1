"""Who follows a board is sent what has changed since the state they have, and ends with the same page."""

import re
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from bots.models import Bot
from tests.arena.factories import UserFactory
from tests.tournaments.factories import finish_matches, running_tournament
from tournaments import services
from tournaments.models import Publication, Tournament
from web import boards
from web.live_deltas import HAVE, STATE, cells_in, changed_since, state_keep

ROWS = 5
TEMPLATE = re.compile(r"<template>(.*?)</template>", re.DOTALL)
LONG = "<td class='x' id=\"%s\" data-live>%s</td>"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr(boards, "BOARD_ROWS", ROWS)
    caches["optional"].clear()


def merged(page: str, answer: str) -> str:
    """What ``live-cells.js`` makes of a page: every cell of the answer takes the place of the one of its id."""
    for part in (TEMPLATE.sub("", answer), *TEMPLATE.findall(answer)):
        waiting = list(cells_in(part))
        while waiting:
            fresh = waiting.pop(0)
            there = {cell.id: cell for one in cells_in(page) for cell in one.all()}
            if cell := there.get(fresh.id):  # with all that lies in it
                page = page[: cell.start] + part[fresh.start : fresh.end] + page[cell.end :]
            else:
                waiting = fresh.parts + waiting
    return page


def table(rows: list[tuple[int, list[int]]], note: int) -> str:
    lines = "".join(
        f'<tr id="s{number}"><th>Bot {number}<br></th>'
        + "".join(
            f'<td id="s{number}-{place}" data-live>{value}<img src="a>b"></td>' for place, value in enumerate(values)
        )
        + "</tr>"
        for number, values in rows
    )
    tools = f'<p>{note}</p><span id="note" data-live=""><b>{note}</b></span><svg><path d="M0"/></svg>'
    return (
        f'{tools}<table><tbody id="rows" data-live>{lines}</tbody></table><ul data-live-list="append" id="list"></ul>'
    )


VALUES = st.lists(st.integers(0, 3), min_size=2, max_size=2)
TABLES = st.builds(
    table, st.lists(st.tuples(st.integers(1, 4), VALUES), unique_by=lambda row: row[0]), st.integers(0, 3)
)


@given(before=TABLES, after=TABLES)
def test_a_page_with_the_changes_has_the_cells_of_the_new_one(before: str, after: str) -> None:
    page = merged(before, changed_since(state_keep(before), after))
    assert [page[one.start : one.end] for one in cells_in(page)] == [
        after[one.start : one.end] for one in cells_in(after)
    ]


def test_a_changed_cell_is_sent_without_the_row_around_it_and_a_new_order_as_a_whole() -> None:
    before = table([(1, [0, 0]), (2, [0, 0])], 1)
    state = state_keep(before)
    assert changed_since(state, before) == ""
    one = TEMPLATE.findall(changed_since(state, table([(1, [0, 0]), (2, [0, 3])], 1)))
    assert [re.findall('id="([^"]+)"', part) for part in one] == [["s2-1"]]
    other = TEMPLATE.findall(changed_since(state, table([(2, [0, 0]), (1, [0, 0])], 1)))
    assert len(other) == 1
    assert other[0].startswith('<tbody id="rows"')


def test_a_state_that_is_not_known_is_answered_with_everything() -> None:
    html = table([(1, [0, 0])], 1)
    assert changed_since("", html) == changed_since("0" * 32, html) == html


def live(cup: Tournament, client: Client, state: str = "", query: str = "") -> Any:
    headers = {HAVE: state} if state else {}
    return client.get(reverse("tournaments:live", args=[cup.slug]) + query, headers=headers)


def cells_of(html: str) -> dict[str, str]:
    return {one.id: html[one.start : one.end] for one in cells_in(html) if one.id != "agenda"}


def one_result(cup: Tournament) -> None:
    finish_matches(cup, most=1)
    services.results_append(tournament_id=cup.pk)


@pytest.mark.django_db
@pytest.mark.parametrize("who", ["stranger", "author", "arbiter", "organiser", "staff"])
def test_every_reader_ends_with_the_page_that_they_would_be_given_whole(who: str) -> None:
    cup = running_tournament(8, format="swiss", rounds=3)
    finish_matches(cup, most=1)  # whoever is first stays on the first page
    [first_row] = re.findall(r'<tr id="s(\d+)"', live(cup, Client()).content.decode())[:1]
    people: dict[str, Any] = {
        "author": cup.entries.get(pk=first_row).bot.owner,
        "arbiter": UserFactory(),
        "organiser": cup.organiser,
        "staff": UserFactory(is_staff=True),
    }
    cup.arbiters.add(people["arbiter"])
    client = Client()
    if who in people:
        client.force_login(people[who])
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    [state] = re.findall(r'data-state="([0-9a-f]{32})"', page)
    first = live(cup, client).content.decode()
    for _ in range(3):
        one_result(cup)
        answer = live(cup, client, state)
        whole = live(cup, client).content.decode()
        assert "<template>" in answer.content.decode()
        assert len(answer.content) < len(whole) * 0.9
        first = merged(first, answer.content.decode())
        tokens = re.compile(r'value="[A-Za-z0-9]{64}"')
        assert tokens.sub("", str(cells_of(first))) == tokens.sub("", str(cells_of(whole)))
        state = answer[STATE]
    assert first.count('class="mine"') == live(cup, client).content.decode().count('class="mine"') == (who == "author")


@pytest.mark.django_db
def test_who_is_up_to_date_is_sent_next_to_nothing_and_a_made_up_state_is_sent_everything_and_not_kept() -> None:
    cup, client = running_tournament(8, format="swiss", rounds=3), Client()
    whole = live(cup, client)
    again = live(cup, client, whole[STATE])
    assert again[STATE] == whole[STATE]
    assert "<template>" not in again.content.decode()
    assert len(again.content) < 400
    kept = set(caches["optional"]._cache)  # type: ignore[attr-defined]  # of the cache in memory
    for made_up in ("0" * 32, "x" * 32, "../" * 100, whole[STATE] + "0", ""):
        assert live(cup, client, made_up).content == whole.content
    assert set(caches["optional"]._cache) == kept  # type: ignore[attr-defined]


@pytest.mark.django_db
def test_the_state_of_a_page_opens_nothing_to_whoever_may_not_see_it() -> None:
    cup = running_tournament(8, format="swiss", rounds=3, publication=Publication.PARTICIPANTS)
    organiser, stranger = Client(), Client()
    organiser.force_login(cup.organiser)
    state = live(cup, organiser)[STATE]
    one_result(cup)
    seen = {one for part in TEMPLATE.findall(live(cup, organiser, state).content.decode()) for one in cells_of(part)}
    assert seen
    told = live(cup, stranger, state).content.decode()
    assert not (seen - {"tournament-progress"}) & set(re.findall('id="([^"]+)"', told))


@pytest.mark.django_db
def test_who_has_no_part_in_a_tournament_gets_the_answer_of_strangers_until_they_have_one() -> None:
    cup, person, client = running_tournament(8, format="swiss", rounds=3), UserFactory(), Client()
    client.force_login(person)
    strangers = live(cup, Client()).content
    assert live(cup, client).content == strangers
    cup.arbiters.add(person)
    assert b'id="agenda"' in live(cup, client).content
    assert b'id="agenda"' not in strangers
    cup.arbiters.remove(person)
    own = cup.entries.get(pk=re.findall(rb'<tr id="s(\d+)"', strangers)[0])
    Bot.objects.filter(pk=own.bot_id).update(owner=person)
    assert b'class="mine"' in live(cup, client).content
    Tournament.objects.filter(pk=cup.pk).update(publication=Publication.PARTICIPANTS)
    assert live(cup, Client()).content != strangers
