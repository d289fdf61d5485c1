"""The pages of authors and organisers ask the database as rarely for much as for little."""

import random
from typing import Any

import pytest
from django import forms
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.accounts.models import User
from leagues.services import season_refit, season_schedule
from tests.bots.factories import BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.leagues.factories import member_of, open_league, play, season_of, worker_up
from tests.matches.factories import CRASHES, FinishedMatchFactory
from tests.tournaments.factories import finish_matches, running_tournament
from web.long_select import LongSelect

pytestmark = pytest.mark.django_db

MOST = 12
MOST_OF_BOARD = 18  # of a page that renders a board for a reader who is signed in
PRINTS = b"def act(view):\n    print('hm')\n    return view['actions'][-1]\n"


@pytest.fixture(autouse=True)
def _moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """What everyone sees alike is made once in a moment: here it is long, as for a reader among many."""
    monkeypatch.setattr("web.brief_cache.CACHED_SECONDS", 600)
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    for one in caches.all():
        one.clear()


def queries(person: User | None, address: str, **headers: str) -> int:
    """How many the page takes once it has been asked for."""
    client = Client()
    if person is not None and not headers:
        client.force_login(person)
    assert client.get(address, headers=headers).status_code == 200
    with CaptureQueriesContext(connection) as asked:
        client.get(address, headers=headers)
    return len(asked)


def test_the_page_of_a_bot() -> None:
    league = open_league()
    counts = []
    for matches in (7, 12):
        version = BotVersionFactory(source=CRASHES)
        member_of(league, bot=version.bot)
        for _ in range(matches):
            FinishedMatchFactory(seats=[version, BotVersionFactory()])
        address = reverse("bots:detail", args=[version.bot.slug])
        counts.append([queries(person, address) for person in (None, league.organiser, version.bot.owner)])
    assert counts[0] == counts[1]
    assert counts[0][1] <= MOST
    assert counts[0][2] <= MOST + 3, "what is the author's own: faults, withdrawals, leagues to join"


def test_what_a_bot_printed_is_cut_on_the_page_of_many_games_and_whole_for_one() -> None:
    counts, bot = [], BotVersionFactory(source=PRINTS)
    address = reverse("bots:output", args=[bot.bot.slug])
    for _ in range(2):
        match = FinishedMatchFactory(seats=[bot, BotVersionFactory()])
        counts.append(queries(bot.bot.owner, address))
    assert counts[0] == counts[1] <= MOST
    client = Client()
    client.force_login(bot.bot.owner)
    one = f"?match={match.pk}&game=1"
    shown, whole = client.get(address).content.decode(), client.get(address + one).content.decode()
    assert one.replace("&", "&amp;") in shown
    assert shown.count("<code>") == 4 * 40 < 4 * whole.count("<code>")
    assert "game=2" not in whole


def test_the_page_of_a_match() -> None:
    counts = []
    for blocks in (1, 4):
        version = BotVersionFactory(source=CRASHES)
        match = FinishedMatchFactory(seats=[version, BotVersionFactory()], blocks=blocks)
        counts.append(queries(version.bot.owner, reverse("matches:detail", args=[match.pk])))
    assert counts[0] == counts[1] <= MOST


def test_the_pages_of_a_league() -> None:
    counts = []
    for bots in (3, 7):
        league = open_league(bots=bots)
        season, member = season_of(league), league.memberships.select_related("bot__owner").order_by("pk")[0]
        worker_up()
        for _ in range(bots):
            season_schedule(season_id=season.pk)
            play(season, {one.bot_id: 0.0 for one in league.memberships.all()}, random.Random(bots))
        season_refit(season_id=season.pk)
        pages = (
            reverse("leagues:detail", args=[league.slug]),
            reverse("leagues:bot", args=[league.slug, member.bot.slug]),
        )
        pairs = reverse("leagues:pairs", args=[league.slug, 1])
        counts.append([queries(member.bot.owner, one) for one in pages] + [queries(league.organiser, pairs)])
    assert counts[0] == counts[1]
    ladder, *others = counts[0]
    assert ladder <= MOST_OF_BOARD
    assert max(others) <= MOST


def test_the_pages_of_a_round_and_of_a_tournament_and_the_api_by_a_token() -> None:
    counts: list[list[int]] = []
    for entries in (4, 9):
        cup = running_tournament(entries, format="swiss", rounds=2)
        finish_matches(cup)
        owner = cup.entries.select_related("bot__owner").order_by("pk")[0].bot.owner
        token = token_of(owner)
        boards, arrange = (reverse(f"tournaments:{one}", args=[cup.slug, 1]) for one in ("boards", "arrange"))
        note = reverse("tournaments:rule", args=[cup.slug, "note"])
        api = [reverse(f"api-tournaments:{one}", args=[cup.slug]) for one in ("detail", "standings")]
        counts.append(
            [queries(owner, boards)]
            + [queries(cup.organiser, one) for one in (arrange, note)]
            + [queries(owner, one, authorization=f"Token {token}") for one in api]
        )
    assert counts[0] == counts[1]
    assert max(counts[0]) <= MOST + 1, "the boards take one more of whoever has signed in"


def test_a_token_reads_no_other_tokens_of_its_person() -> None:
    version = BotVersionFactory()
    address, token = reverse("api:bot", args=[version.bot.slug]), token_of(version.bot.owner)
    before = queries(None, address, authorization=f"Token {token}")
    token_of(version.bot.owner)
    with CaptureQueriesContext(connection) as asked:
        Client().get(address, headers={"authorization": f"Token {token}"})
    assert len(asked) == before
    assert sum("accounts_accesstoken" in one["sql"] for one in asked.captured_queries) == 1


@pytest.mark.parametrize("value", [None, "", 2, "<b>"])
def test_a_long_list_to_choose_from_is_drawn_as_any_other(value: Any) -> None:
    choices = [("", "all"), (1, "one & only"), (2, '"two"'), ("<b>", "<script>")]
    long, usual = (
        one(choices=choices).render("bot", value, {"id": "id_bot", "required": True})
        for one in (LongSelect, forms.Select)
    )
    assert "".join(line.strip() for line in usual.splitlines()) == long
