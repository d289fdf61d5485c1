"""Who may look at a match that is not everyone's: every address, every kind of reader."""

import pytest
from django.urls import reverse

from matches.bot_history.selectors import bot_history_versions_with_matches
from matches.live.match_reader import match_reader_config, match_reader_snapshot
from matches.models import Audience, Match, MatchState
from matches.selectors import matches_listed, matches_recent
from matches.services import PlannedMatch, match_held_seats_assign, match_publish
from matches.visibility import matches_visible
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.groups.factories import GroupFactory, member_in
from tests.matches.creating import matches_of
from tests.matches.factories import GAME, SECRET, FinishedMatchFactory, MatchFactory

pytestmark = pytest.mark.django_db

ADDRESSES = {
    "detail": (),
    "cells": (),
    "embed": (),
    "game-frames": (0,),
    "game-notes": (0,),
    "record": (0, "json"),
}
READERS = ("nobody", "outsider", "author", "member", "organiser", "staff")
MAY_LOOK = {
    Audience.EVERYONE: READERS,
    Audience.UNLISTED: READERS,
    Audience.GROUP: ("member", "organiser", "staff"),
    Audience.AUTHORS: ("author", "organiser", "staff"),
    Audience.ORGANISER: ("organiser", "staff"),
}


@pytest.fixture
def match(db):
    return FinishedMatchFactory(organiser=UserFactory())


def sign_in(client, reader, match):
    people = {
        "outsider": lambda: UserFactory(),
        "author": lambda: match.seats.first().version.bot.owner,
        "member": lambda: member_in(match.group or GroupFactory()).person,
        "organiser": lambda: match.organiser,
        "staff": lambda: UserFactory(is_staff=True),
    }
    if reader in people:
        client.force_login(people[reader]())


@pytest.mark.parametrize("audience", Audience)
@pytest.mark.parametrize("reader", READERS)
def test_each_address_of_a_match_is_there_for_its_audience_alone(client, match, audience, reader):
    group = GroupFactory() if audience == Audience.GROUP else None
    match_publish(matches=Match.objects.filter(pk=match.pk), audience=audience, group_id=group and group.pk)
    match.refresh_from_db()
    sign_in(client, reader, match)
    shown = reader in MAY_LOOK[audience]
    for name, more in ADDRESSES.items():
        response = client.get(reverse(f"matches:{name}", args=[match.pk, *more]))
        assert response.status_code == (200 if shown else 404), name
    if shown and not match.is_open:
        frames = client.get(reverse("matches:game-frames", args=[match.pk, 0]) + "?edition=2.1")
        assert "public" not in frames["Cache-Control"]


@pytest.mark.parametrize("audience", [Audience.AUTHORS, Audience.ORGANISER])
def test_lists_broadcasts_and_bot_pages_contain_only_public_matches(client, match, audience):
    bot = match.seats.first().version.bot
    client.force_login(match.organiser)
    pages = [reverse("matches:list"), reverse("bots:detail", args=[bot.slug]), reverse("home")]
    link = reverse("matches:detail", args=[match.pk])
    assert all(link in client.get(page).content.decode() for page in pages)
    assert match_reader_config(match_id=match.pk, audience=Audience.EVERYONE)
    match_publish(matches=matches_listed(), audience=audience)
    assert not any(link in client.get(page).content.decode() for page in pages)
    assert not matches_recent()
    assert match_reader_config(match_id=match.pk, audience=Audience.EVERYONE) is None
    assert match_reader_snapshot(match_id=match.pk, audience=Audience.EVERYONE, attempt=1, game=0) is None


def test_a_bots_page_counts_the_matches_that_everyone_may_look_at(match):
    bot = match.seats.first().version.bot
    assert [version.matches for version in bot_history_versions_with_matches(bot)] == [1]
    match_publish(matches=matches_listed(), audience=Audience.ORGANISER)
    assert [version.matches for version in bot_history_versions_with_matches(bot)] == [0]


def test_bots_change_seats_only_while_their_matches_are_held(match):
    versions = BotVersionFactory.create_batch(4)
    held = [MatchFactory(seats=pair, state=MatchState.HELD) for pair in (versions[:2], versions[2:])]
    one, other = held[0].seats.get(index=0), held[1].seats.get(index=1)
    assert match_held_seats_assign(versions={one.pk: versions[3].pk, other.pk: versions[0].pk})
    assert [seat.version for seat in held[0].seats.all()] == [versions[3], versions[1]]
    assert [seat.version for seat in held[1].seats.all()] == [versions[2], versions[0]]
    played = match.seats.first()
    assert not match_held_seats_assign(versions={one.pk: versions[0].pk, played.pk: versions[3].pk})
    assert held[0].seats.get(index=0).version == versions[3]


def test_a_match_can_be_made_for_its_organiser_alone():
    organiser, versions = UserFactory(), BotVersionFactory.create_batch(2)
    (match,) = matches_of(
        ruleset=GAME,
        options={},
        pairings=[PlannedMatch(versions, SECRET)],
        blocks=1,
        limits={},
        held=True,
        audience=Audience.ORGANISER,
        organiser_id=organiser.pk,
    )
    assert match in matches_visible(organiser)
    assert match not in matches_visible(versions[0].bot.owner)
