"""A tournament and a league of a group, played to their end: outsiders see nothing of them.

Words are planted in the names of the group, of its contests and of bots that play nowhere else. Every address of the
site is requested with every existing object, by an anonymous visitor, another author, an organiser who is no member and
a former member. No response may have one of the words, or a ticket to follow what happens there.
"""

from typing import Final

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.core.cache import cache
from django.urls import reverse

from hooks.models import Delivery
from matches.live.match_reader import match_reader_config, match_reader_snapshot
from matches.models import Audience, Match
from teams.selectors import acts_for_owner
from tests.arena.group_world import NAMES_PLANTED, PAGES, SLUGS_PLANTED, World, group_matches, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

OUTSIDERS: Final = ("nobody", "author", "rival", "former")
# What is public of a bot anyway: it is found, and has a page; so has its author.
OF_BOTS: Final = ("bots:", "api:", "search", "accounts:profile", "teams:detail", "tournaments:create")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@pytest.fixture
def world() -> World:
    return World()


def leaks(world: World, who: str, name: str, address: str, text: str) -> list[str]:
    """What of the group somebody reads in an answer; their own bots are no secret to them."""
    found = [word for word in NAMES_PLANTED if word.casefold() in text.casefold()]
    found += [slug for slug in SLUGS_PLANTED if slug in text and slug not in address]
    tickets = (f"tournament.{world.cup.pk}:", f"ceremony.{world.cup.pk}:", f"league.{world.league.pk}:")
    found += [topic for topic in tickets if topic in text]
    if name != "api-schema":  # its examples have numbers too
        found += [f"match {pk}" for pk in group_matches() if f"/matches/{pk}/" in text and f"/{pk}/" not in address]
    if not name.startswith(OF_BOTS):
        reader = world.people.get(who, AnonymousUser())
        found += [bot.name for bot in world.bots if not acts_for_owner(reader, bot.owner_id) and bot.name in text]
    return found


@pytest.mark.parametrize(
    "who",
    [pytest.param(who, marks=() if who in ("nobody", "former") else pytest.mark.exhaustive) for who in OUTSIDERS],
)
def test_no_address_reveals_a_planted_word_to_an_outsider(who: str, world: World) -> None:
    data: dict[str, list[str]] = {}
    answered: dict[str, int] = {}
    for name, address in world.addresses():
        response = world.get(who, address)
        assert response.status_code < 500, address
        if much := leaks(world, who, name, address, text_of(response)):
            own = who == "former" and name in ("api-me-export", "accounts:export")  # what they did themselves
            if not own:
                data[address] = much
        if world.is_of_group(name, address) and response.status_code not in (404, 405):
            to_login = response.status_code == 302 and "/accounts/login" in response["Location"]
            if not to_login and response.status_code != 401:
                answered[address] = response.status_code
    assert data == {}
    assert answered == {}


@pytest.mark.parametrize("who", ["member", "owner"])
def test_a_member_is_shown_every_page(who: str, world: World) -> None:
    of_group = {name: [] for name in PAGES}  # type: dict[str, list[int]]
    for name, address in world.addresses():
        if name in of_group and world.is_of_group(name, address):
            of_group[name].append(world.get(who, address).status_code)
    assert {name: codes for name, codes in of_group.items() if 200 not in codes} == {}
    for listed in ("tournaments:list", "leagues:list"):
        page = world.get(who, reverse(listed)).content.decode()
        assert "Zobelkreis" in page
    detail = world.get(who, reverse("tournaments:detail", args=["quaste-cup"]))
    assert "Members of Zobelkreis only" in detail.content.decode()
    assert "public" not in detail.headers.get("Cache-Control", "")


def test_no_webhook_or_email_reveals_anything_to_an_outsider(world: World) -> None:
    sent = {one.hook.owner.username: one for one in Delivery.objects.select_related("hook__owner")}
    assert {"owner", "member"} <= set(sent)
    assert not set(sent) & {"author", "rival"}
    outside = ("author@example.org", "rival@example.org")
    assert [one for one in mail.outbox if set(one.to) & set(outside)] == []


def test_sockets_know_none_of_its_matches(world: World) -> None:
    for pk in group_matches():
        assert match_reader_config(match_id=pk, audience=Audience.EVERYONE) is None
        assert match_reader_snapshot(match_id=pk, audience=Audience.UNLISTED, attempt=1, game=0) is None
        is_its = Match.objects.get(pk=pk).audience == Audience.GROUP  # else its authors' or its organiser's alone
        assert (match_reader_config(match_id=pk, audience=Audience.GROUP) is not None) == is_its
