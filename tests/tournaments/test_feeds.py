"""Atom feeds: what they contain, when, for whom, and that they are valid for any input."""

from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from announcements.models import Announcement
from leagues.models import League
from leagues.services import season_end
from matches.models import Match
from tests.arena.factories import UserFactory
from tests.groups.factories import GroupFactory
from tests.leagues.factories import open_league
from tests.tournaments.factories import finish_matches, in_state, running_tournament
from tournaments.models import Ceremony, Publication, Tournament
from tournaments.services import tournament_advance
from web.feeds import feed_podium_html

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]

ATOM = "{http://www.w3.org/2005/Atom}"


def entries(address: str) -> list[str]:
    answer = Client().get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    root = ElementTree.fromstring(answer.content)
    for one in (root, *root.iter(f"{ATOM}entry")):
        assert all(one.find(f"{ATOM}{name}") is not None for name in ("id", "title", "updated", "link"))
    ids = [one.findtext(f"{ATOM}id", "") for one in root.iter(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids)
    return [one.findtext(f"{ATOM}title", "") for one in root.iter(f"{ATOM}entry")]


def announce(kind: str, pk: int, title: str, **fields: Any) -> None:
    at = timezone.now() - timedelta(minutes=5)
    values = {"publish_at": at, "published_at": at, "author": UserFactory(), **fields}
    Announcement.objects.create(subject=kind, subject_id=pk, title=title, **values)


def test_the_feed_of_a_tournament_has_announcements_shown_rounds_and_the_result() -> None:
    cup = running_tournament(3)
    feed = f"/tournaments/{cup.slug}/feed/"
    assert entries(feed) == []
    later = timezone.now() + timedelta(days=1)
    announce("tournament", cup.pk, "Not yet", publish_at=later, published_at=None)
    announce("tournament", cup.pk, "<b>Snack\x0b & \ufffe</b>", text="**bold** <script>x</script>")
    assert entries(feed) == ["<b>Snack & </b>"]
    assert b"&lt;script" not in Client().get(feed).content
    assert f'href="{feed}"' in Client().get(f"/tournaments/{cup.slug}/").content.decode()
    finish_matches(cup)
    assert tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    rounds = cup.rounds.count()
    titles = entries(feed)
    assert titles.count("Final result") == 1
    assert [one for one in titles if one.startswith("Round")] == [
        f"Round {number}: all results" for number in range(rounds, 0, -1)
    ]
    on_air = Match.objects.filter(fixture__round__tournament=cup, fixture__round__number=rounds).first()
    assert on_air is not None
    at = timezone.now()
    times = {"premieres_at": at, "airs_at": at, "air_ends_at": at + timedelta(hours=1), "finished_at": None}
    Match.objects.filter(pk=on_air.pk).update(state="on_air", tempo="highlights", **times)
    assert f"Round {rounds}: all results" not in entries(feed)


@pytest.mark.parametrize("publication", [Publication.HIDDEN, Publication.PARTICIPANTS])
def test_results_that_are_not_published_are_in_no_feed(publication: Publication) -> None:
    cup = in_state("finished")
    announce("tournament", cup.pk, "Hello")
    Tournament.objects.filter(pk=cup.pk).update(publication=publication)
    assert entries(f"/tournaments/{cup.slug}/feed/") == ["Hello"]
    assert entries("/honours/feed/") == []
    ended = timezone.now() + timedelta(hours=1)
    Ceremony.objects.create(tournament=cup, started_at=ended, ended_at=ended, left=0)
    Tournament.objects.filter(pk=cup.pk).update(publication=Publication.EVERYONE)
    assert entries(f"/tournaments/{cup.slug}/feed/")[0] == "Final result"
    assert entries("/honours/feed/") == [cup.name]


def test_the_feed_of_a_league_has_its_seasons_and_announcements() -> None:
    league = open_league(2)
    announce("league", league.pk, "Welcome")
    feed = f"/leagues/{league.slug}/feed/"
    assert sorted(entries(feed)) == ["Season 1 has begun", "Welcome"]
    season_end(league=league)
    assert entries(feed)[0] == "Season 1 has ended"
    assert f'href="{feed}"' in Client().get(f"/leagues/{league.slug}/").content.decode()


def test_events_of_groups_and_drafts_have_none_and_unlisted_ones_are_in_no_index() -> None:
    cup, league = in_state("finished"), open_league(2)
    group = GroupFactory()
    staff = Client()
    staff.force_login(UserFactory(is_staff=True))
    for audience, status in (("unlisted", 200), ("group", 404)):
        fields = {"audience": audience, "group": group if audience == "group" else None}
        Tournament.objects.filter(pk=cup.pk).update(**fields)
        League.objects.filter(pk=league.pk).update(**fields)
        for name, slug in (("tournaments", cup.slug), ("leagues", league.slug)):
            address = reverse(f"{name}:feed", args=[slug])
            for client in (Client(), staff):
                answer = client.get(address)
                assert answer.status_code == status
                assert status == 404 or answer["X-Robots-Tag"] == "noindex"
        assert entries("/honours/feed/") == []
    assert staff.get(f"/tournaments/{in_state('draft').slug}/feed/").status_code == 404


def test_a_feed_that_has_not_changed_is_not_sent_again() -> None:
    cup = in_state("finished")
    for address in (f"/tournaments/{cup.slug}/feed/", "/honours/feed/"):
        first = Client().get(address)
        assert "X-Live-Shared" in first
        assert Client().get(address)["ETag"] == first["ETag"]
        assert "public" in first["Cache-Control"] or "no-cache" in first["Cache-Control"]


def test_a_podium_that_hundreds_share_is_cut() -> None:
    assert feed_podium_html([(1, "A<"), (1, "B")]) == "1. A&lt; · 1. B"
    assert feed_podium_html([(1, "A")] * 500) == " · ".join(["1. A"] * 10 + ["…"])
