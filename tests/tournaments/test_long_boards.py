"""Boards of many bots: so many rows at a time, the same for all who may see them."""

import re

import pytest
from django.core.cache import cache, caches
from django.db.models.signals import post_init
from django.test import Client
from django.urls import reverse

from bots.models import Bot
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tests.tournaments.snapshot_worker import refresh_snapshots_at_once
from tests.tournaments.test_pages import cells_of
from tournaments import services
from tournaments.models import Publication, Stage, Tournament
from tournaments.selectors.pages import tournament_page
from web import boards

pytestmark = pytest.mark.django_db
ROWS, SIZE = 5, 8
ROW = re.compile(r'<tr id="s(\d+)"')


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    refresh_snapshots_at_once(monkeypatch)
    monkeypatch.setattr(boards, "BOARD_ROWS", ROWS)
    cache.clear()


@pytest.fixture
def cup() -> Tournament:
    return swiss_of(SIZE)


def swiss_of(entries: int) -> Tournament:
    cup = running_tournament(entries, format="swiss", rounds=3)
    finish_matches(cup)
    return cup


def html_of(cup: Tournament, query: str = "", *, client: Client | None = None, name: str = "detail") -> str:
    answer = (client or Client()).get(reverse(f"tournaments:{name}", args=[cup.slug]) + query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def rows_of(html: str) -> list[int]:
    return [int(number) for number in ROW.findall(html)]


def test_pages_hold_every_bot_once_in_the_order_of_the_standings(cup: Tournament) -> None:
    first, second = rows_of(html_of(cup)), rows_of(html_of(cup, "?page=2"))
    assert (len(first), len(second)) == (ROWS, SIZE - ROWS)
    assert set(first + second) == set(cup.entries.values_list("pk", flat=True))
    points = re.findall(r'-points" data-label="Points" data-live>([^<]*)<', html_of(cup) + html_of(cup, "?page=2"))
    assert points == sorted(points, reverse=True)


@pytest.mark.parametrize("page", ["0", "3", "99999999", "-1", "x", "²", "1e3", "9" * 50])
def test_a_page_that_is_not_there_is_the_nearest(cup: Tournament, page: str) -> None:
    assert len(rows_of(html_of(cup, f"?page={page}"))) in (ROWS, SIZE - ROWS)


def test_a_filter_finds_bots_and_authors_and_says_where_nobody_is_called_so(cup: Tournament) -> None:
    entry = cup.entries.select_related("bot__owner").last()
    assert entry is not None
    assert entry.pk in rows_of(html_of(cup, f"?bot={entry.bot.name.upper()}"))
    assert rows_of(html_of(cup, f"?bot={entry.bot.owner.username}")) == [entry.pk]
    nobody = html_of(cup, "?bot=%3Cscript%3E")
    assert rows_of(nobody) == []
    assert "No matching bots or authors." in nobody
    assert "<script>" not in nobody.partition("board-tools")[2].partition("</form>")[0]


def test_an_author_finds_their_own_bot_on_another_page_and_it_is_marked(cup: Tournament) -> None:
    last = rows_of(html_of(cup, "?page=2"))[-1]
    client = Client()
    client.force_login(cup.entries.get(pk=last).bot.owner)
    html = html_of(cup, client=client)
    href = re.search(rf'<a href="([^"#]*)#s{last}"', html)
    assert href
    assert f'<tr id="s{last}" class="mine">' in html_of(cup, href[1].replace("&amp;", "&"), client=client)
    assert 'class="mine"' not in html_of(cup, "?page=2"), "it is nobody else's"


def test_a_page_rendered_for_one_reader_reveals_nothing_to_the_next(cup: Tournament) -> None:
    organiser = Client()
    organiser.force_login(cup.organiser)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', html_of(cup, client=organiser))
    assert token
    pause = reverse("tournaments:act", args=[cup.slug, "pause"])
    assert pause in html_of(cup, client=organiser)
    outsider = html_of(cup)
    assert pause not in outsider
    assert token[1] not in outsider


def test_a_name_is_never_a_token_and_anonymous_visitors_get_none(cup: Tournament) -> None:
    names = ["@csrf-token-of-the-reader@", "@csrf-token@", "csrfmiddlewaretoken"]
    for entry, name in zip(cup.entries.select_related("bot"), names, strict=False):
        entry.bot.name = name
        entry.bot.save()
    caches["optional"].clear()
    for query in ("", "?page=2"):
        answer = Client().get(f"{reverse('tournaments:detail', args=[cup.slug])}{query}")
        assert "csrftoken" not in answer.cookies, "no token was made for an anonymous visitor"
        assert 'csrfmiddlewaretoken" value' not in answer.content.decode()
    everyone = html_of(cup) + html_of(cup, "?page=2")
    assert all(name in everyone for name in names)


def test_the_marks_of_ones_own_bots_are_for_nobody_else() -> None:
    cup = TournamentFactory(entries=4, format="swiss", rounds=1)
    Stage.objects.create(tournament=cup, number=2, format="single_elimination", entrants=2, blocks=1)
    services.tournament_start(tournament=cup)
    for _ in range(2):
        finish_matches(cup)
        services.tournament_advance(tournament_id=cup.pk)
    authors = [Client(), Client()]
    entries = list(cup.entries.select_related("bot__owner")[:2])
    for client, entry in zip(authors, entries, strict=True):
        client.force_login(entry.bot.owner)
    for client, entry in [*zip(authors, entries, strict=True), (Client(), None)]:
        marked = re.findall(r'<tr id="([sk]\d+)" class="mine">', html_of(cup, "?stage=1", client=client))
        assert sorted(marked) == ([f"k{entry.pk}", f"s{entry.pk}"] if entry else [])


def test_hidden_results_stay_hidden_after_the_organiser_has_looked(cup: Tournament) -> None:
    Tournament.objects.filter(pk=cup.pk).update(publication="hidden")
    organiser = Client()
    organiser.force_login(cup.organiser)
    assert rows_of(html_of(cup, client=organiser))
    assert rows_of(html_of(cup)) == []


def test_the_live_answer_is_the_page_that_the_reader_has(cup: Tournament) -> None:
    page = cells_of(Client().get(reverse("tournaments:detail", args=[cup.slug]) + "?page=2"))
    live = cells_of(Client().get(reverse("tournaments:live", args=[cup.slug]) + "?page=2"))
    assert {name: cell for name, cell in page.items() if name in live} == live
    assert "standings-rows" in live


def test_an_answer_is_the_newest_and_none_is_given_once_it_is_hidden(cup: Tournament) -> None:
    address = reverse("tournaments:live", args=[cup.slug])
    entry = cup.entries.all()[0]
    type(entry.bot).objects.filter(pk=entry.bot_id).update(name="Renamed")
    assert b"Renamed" in Client().get(f"{address}?bot=renamed").content
    assert Client().get(address, headers={"accept-language": "de"}).content != Client().get(address).content
    services.tournament_publish(tournament=cup, publication=Publication.HIDDEN)
    assert b"Renamed" not in Client().get(f"{address}?bot=renamed").content
    Tournament.objects.filter(pk=cup.pk).update(state="draft", publication="everyone")
    assert Client().get(address).status_code == 404


def test_a_change_shows_at_once_on_a_small_board() -> None:
    cup = swiss_of(4)
    assert "Round 2 of 3" not in html_of(cup)
    services.tournament_advance(tournament_id=cup.pk)
    assert "Round 2 of 3" in html_of(cup)


def test_a_board_makes_instances_of_those_bots_alone_that_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_page, "ALL_ROUNDS_UP_TO", ROWS)
    for entries in (16, 32):
        cup = swiss_of(entries)
        html_of(cup, "?page=2")  # ratings are fitted from all
        made: list[Bot] = []

        def count(instance: Bot, made: list[Bot] = made, **_kwargs: object) -> None:
            made.append(instance)

        post_init.connect(count, sender=Bot)
        html = html_of(cup)
        post_init.disconnect(count, sender=Bot)
        assert len(rows_of(html)) == ROWS
        assert len(made) == ROWS + 2 * ROWS  # of the standings, and of the tables


def test_byes_are_listed_below_the_last_tables_of_the_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_page, "ALL_ROUNDS_UP_TO", ROWS)
    cup = swiss_of(2 * ROWS + 3)
    (bye,) = cup.byes.select_related("entry__bot")
    given = f'<li class="bye"><span class="name">{bye.entry.bot.name}</span>'
    assert [given in html_of(cup, query) for query in ("", "?tables=2", "?tables=2&bot=nobody")] == [False, True, True]


def test_entries_are_paged_too() -> None:
    cup = TournamentFactory(entries=SIZE)
    assert len(rows_of(html_of(cup))) == ROWS
    client = Client()
    client.force_login(UserFactory())
    assert len(rows_of(html_of(cup, "?page=2", client=client))) == SIZE - ROWS


def test_an_author_sees_their_entry_or_withdrawal_at_once() -> None:
    cup = TournamentFactory(entries=2)
    bot = BotVersionFactory(bot__game=cup.game).bot
    client = Client()
    client.force_login(bot.owner)
    before = rows_of(html_of(cup, client=client))
    entry = services.entry_create(tournament=cup, bot=bot, by=bot.owner)
    assert rows_of(html_of(cup, client=client)) == [*before, entry.pk]
    services.entry_withdraw(entry=entry, by=bot.owner)
    assert rows_of(html_of(cup, client=client)) == before
