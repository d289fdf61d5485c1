"""Joining a league and leaving it over the API: who may, and what is refused with which code."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from leagues.models import Membership, MembershipState
from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described
from tests.bots.factories import BotFactory
from tests.bots.test_permissions import token_of
from tests.leagues.factories import LeagueFactory, member_of, open_league
from tests.tournaments.factories import bot_of

pytestmark = pytest.mark.django_db


def send(method: str, name: str, *args: Any, who: Any = None, data: Any = None, query: str = "") -> Any:
    headers = {"authorization": f"Token {token_of(who)}"} if who else {}
    call = getattr(Client(), method)
    more = {"data": data, "content_type": "application/json"} if data is not None else {}
    return as_described(call(reverse(f"api-leagues:{name}", args=args) + query, headers=headers, **more))


def test_an_author_joins_and_leaves() -> None:
    league, author = open_league(), UserFactory()
    bot = bot_of(author)
    answer = send("post", "members", league.slug, who=author, data={"bot": bot.slug})
    assert answer.status_code == 201
    assert answer.json()["state"] == "active"
    assert Membership.objects.get(bot=bot, league=league).state == MembershipState.ACTIVE
    assert [one["bot"]["slug"] for one in send("get", "members", league.slug).json()["results"]] == [bot.slug]
    assert send("delete", "member", league.slug, bot.slug, who=author).json()["state"] == "left"
    assert Membership.objects.get(bot=bot, league=league).state == MembershipState.LEFT
    assert send("delete", "member", league.slug, bot.slug, who=author).json()["code"] == "left"


@pytest.mark.parametrize(
    ("who", "joins", "leaves"),
    [
        ("nobody", 401, 401),
        ("outsider", 403, 403),
        ("author", 201, 200),
        ("organiser", 403, 200),
        ("staff", 403, 200),
    ],
)
def test_a_bot_is_its_authors_to_let_join_and_the_organisers_too_to_take_out(who: str, joins: int, leaves: int) -> None:
    league, author = open_league(), UserFactory()
    people = {
        "outsider": UserFactory(),
        "author": author,
        "organiser": league.organiser,
        "staff": UserFactory(is_staff=True, is_superuser=True),
    }
    waiting, playing = bot_of(author), member_of(league, bot=bot_of(author)).bot
    before = list(Membership.objects.order_by("pk").values())
    answer = send("post", "members", league.slug, who=people.get(who), data={"bot": waiting.slug})
    assert answer.status_code == joins
    if joins != 201:
        assert list(Membership.objects.order_by("pk").values()) == before
    assert (
        send("delete", "member", league.slug, playing.slug, who=people.get(who), query="?reason=why").status_code
        == leaves
    )


def test_what_cannot_be_is_refused_with_its_code() -> None:
    author = UserFactory()
    league, closed = open_league(bots_per_author=1), open_league()
    closed.state = "closed"
    closed.save()
    bot, second, empty = bot_of(author), bot_of(author), BotFactory(owner=author)
    draft = LeagueFactory(state="draft")
    for slug, body, code, status in (
        (league.slug, {"bot": empty.slug}, "no_version", 409),
        (league.slug, {"bot": bot.slug}, None, 201),
        (league.slug, {"bot": bot.slug}, "already", 409),
        (league.slug, {"bot": second.slug}, "limit", 409),
        (league.slug, {"bot": "nobody"}, "unknown_bot", 400),
        (league.slug, {}, "required", 400),
        (closed.slug, {"bot": second.slug}, "closed", 409),
        (draft.slug, {"bot": second.slug}, "not_found", 404),
        ("nowhere", {"bot": second.slug}, "not_found", 404),
    ):
        answer = send("post", "members", slug, who=author, data=body)
        assert (answer.status_code, answer.json().get("code")) == (status, code), body
