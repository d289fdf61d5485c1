"""Notices of a series: announcements, their recipients, and its feed."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db.models import Q
from django.test import Client
from django.urls import reverse

from announcements.models import Announcement, Question
from announcements.questions.services import question_ask
from announcements.services import announcement_create
from announcements.subjects import Subject, announcement_subject_kind
from notices.models import Follow, Notice
from series.models import SeriesEvent, TournamentSeries
from series.services import series_delete, series_end, series_remove
from tests.announcements.test_api import send
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.groups.factories import GroupFactory, member_in
from tests.series.factories import finished_cup, series_of
from tests.teams.factories import team_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of
from tests.tournaments.test_feeds import announce, entries
from tournaments.models import Publication, Tournament, TournamentState

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def subject(series: TournamentSeries) -> Subject:
    found = announcement_subject_kind("series").find(None, Q(pk=series.pk))
    assert found is not None
    return found


def notified() -> set[int]:
    return set(Notice.objects.values_list("person", flat=True))


def entered(person: Any, **fields: Any) -> Tournament:
    cup: Tournament = EntryFactory(owner=person, tournament=TournamentFactory(**fields)).tournament
    return cup


def test_participants_and_followers_get_one_notice() -> None:
    organiser, (author, member, follower) = OrganiserFactory(), UserFactory.create_batch(3)
    cups = [entered(author, organiser=organiser) for _ in range(2)]
    EntryFactory(tournament=cups[0], bot=bot_of(team_of(author, member).account))
    series = series_of(organiser, *cups)
    for person in (author, follower):
        Follow.objects.create(person=person, kind="series", target=series.pk)
    announcement_create(subject=subject(series), by=organiser, title="Prizes")
    assert sorted(Notice.objects.values_list("person", flat=True)) == sorted([author.pk, member.pk, follower.pk])


def test_outsiders_get_no_notice_of_a_series_of_a_group() -> None:
    group = GroupFactory()
    member, outsider = UserFactory(), UserFactory()
    member_in(group, member)
    series = series_of(group.created_by, audience="group", group=group)
    for person in (member, outsider):
        SeriesEvent.objects.create(series=series, tournament=entered(person, organiser=group.created_by))
        Follow.objects.create(person=person, kind="series", target=series.pk)
    announcement_create(subject=subject(series), by=group.created_by, title="Prizes")
    assert notified() == {member.pk}


def test_an_unlisted_series_does_not_notify_authors_who_play_in_listed_tournaments_only() -> None:
    organiser, (listed, unlisted) = OrganiserFactory(), UserFactory.create_batch(2)
    cups = [entered(listed, organiser=organiser), entered(unlisted, organiser=organiser, audience="unlisted")]
    series = series_of(organiser, *cups, audience="unlisted")
    announcement_create(subject=subject(series), by=organiser, title="Prizes")
    assert notified() == {unlisted.pk}


def test_drafts_notify_nobody_and_a_series_without_followers_notifies_its_organiser() -> None:
    organiser, staff = OrganiserFactory(), UserFactory(is_staff=True)
    series = series_of(organiser, entered(UserFactory(), organiser=organiser, state=TournamentState.DRAFT))
    announcement_create(subject=subject(series), by=staff, title="Prizes")
    assert notified() == {organiser.pk}


def test_its_organiser_announces_over_the_api_and_others_do_not() -> None:
    series = series_of()
    address = reverse("api-announcements:list", args=["series", series.slug])
    assert send(UserFactory(is_organiser=True), "post", address, {"title": "a"}).status_code == 403
    assert send(None, "post", address, {"title": "a"}).status_code == 401
    made = send(series.organiser, "post", address, {"title": "Prizes", "is_pinned": True})
    assert made.status_code == 201
    assert Client().get(made["Location"]).json()["title"] == "Prizes"
    assert "Prizes" in Client().get(reverse("series:detail", args=[series.slug])).content.decode()


def test_announcements_of_a_deleted_series_are_deleted_too() -> None:
    organiser, author = OrganiserFactory(), UserFactory()
    series, other = series_of(organiser, entered(author, organiser=organiser)), series_of(organiser)
    for one in (series, other):
        announcement_create(subject=subject(one), by=organiser, title=one.name)
        question_ask(subject=subject(one), by=author, text="Where?")
    series_delete(series=series)
    assert [one.subject_id for one in (*Announcement.objects.all(), *Question.objects.all())] == [other.pk] * 2
    assert {one.data["series"] for one in Notice.objects.all()} == {other.slug}


def test_its_feed_lists_the_series_and_its_tournaments() -> None:
    organiser = OrganiserFactory()
    bots = [bot_of(UserFactory()) for _ in range(2)]
    cup = finished_cup(organiser, bots, name="First")
    hidden = finished_cup(organiser, bots, name="Second", publication=Publication.HIDDEN)
    draft = TournamentFactory(organiser=organiser, name="Third", state=TournamentState.DRAFT)
    series = series_of(organiser, cup, hidden, draft, name="Friday cups")
    for kind, row in (("series", series), ("tournament", cup), ("tournament", draft)):
        announce(kind, row.pk, "Hello")
    feed = reverse("series:feed", args=[series.slug])
    rows = ["First has started.", "First: Final result", "First: Hello", "Hello", "Second has started."]
    assert sorted(entries(feed)) == rows
    assert f'href="{feed}"' in Client().get(reverse("series:detail", args=[series.slug])).content.decode()
    series_remove(series=series, tournament=hidden)
    series_remove(series=series, tournament=draft)
    series_end(series=series)
    assert entries(feed)[0] == "Friday cups is over: its table is final."


@pytest.mark.parametrize(("audience", "status"), [("public", 200), ("unlisted", 200), ("group", 404)])
def test_a_groups_series_has_no_feed_and_that_of_an_unlisted_one_is_in_no_index(audience: str, status: int) -> None:
    group = GroupFactory()
    series = series_of(audience=audience, group=group if audience == "group" else None)
    member = Client()
    member.force_login(group.created_by)
    for client in (Client(), member):
        answer = client.get(reverse("series:feed", args=[series.slug]))
        assert answer.status_code == status
        assert answer.get("X-Robots-Tag") == ("noindex" if audience == "unlisted" else None)
    page = member.get(reverse("series:detail", args=[series.slug])).content.decode()
    assert (reverse("series:feed", args=[series.slug]) in page) == (status == 200)
