"""Announcements of tournaments, leagues, series and groups: authors and readers, publication, notices."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from django.db.models import Q
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from announcements.models import Announcement
from announcements.selectors import announcements_of
from announcements.services import (
    A_DAY,
    AlreadyPublished,
    EditedMeanwhile,
    TooManyAnnouncements,
    announcement_create,
    announcement_delete,
    announcement_update,
    due_announcements_publish,
)
from announcements.subjects import Subject, announcement_subject_kind
from groups.services import group_member_leave
from notices.models import Notice
from notices.selectors import notice_line_of
from tests.announcements.factories import announced, announcement_later
from tests.arena.factories import UserFactory
from tests.groups.factories import GroupFactory, member_in
from tests.leagues.factories import member_of, open_league
from tests.series.factories import series_of
from tests.teams.factories import team_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of

pytestmark = pytest.mark.django_db
TYPED: Final = {"title": "Room 12", "text": "The **doors** open at 9."}


def subject(kind: str, row: Any) -> Subject:
    found = announcement_subject_kind(kind).find(None, Q(pk=row.pk))
    assert found is not None
    return found


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def of_each_kind() -> dict[str, tuple[Any, Any, Any]]:
    """By kind: the row, who runs it, and who takes part."""
    cup, author = TournamentFactory(), UserFactory()
    EntryFactory(tournament=cup, owner=author)
    league = open_league()
    member_of(league, bot=bot_of(author))
    group = GroupFactory()
    member_in(group, author)
    event = TournamentFactory()
    EntryFactory(tournament=event, owner=author)
    series = series_of(event.organiser, event)
    return {
        "tournament": (cup, cup.organiser, author),
        "league": (league, league.organiser, author),
        "series": (series, series.organiser, author),
        "group": (group, group.created_by, author),
    }


def page_of(kind: str, row: Any) -> str:
    return reverse("series:detail" if kind == "series" else f"{kind}s:detail", args=[row.slug])


@pytest.mark.parametrize("kind", ["tournament", "league", "series", "group"])
def test_an_announcement_is_shown_and_everybody_who_takes_part_gets_one_notice(kind: str) -> None:
    row, organiser, author = of_each_kind()[kind]
    address = reverse("announcements:create", args=[kind, row.slug])
    assert signed_in(organiser).post(address, TYPED).status_code == 302
    [one] = Announcement.objects.all()
    for reader in (organiser, author):
        for path in (page_of(kind, row), reverse("announcements:list", args=[kind, row.slug])):
            page = signed_in(reader).get(path).content.decode()
            assert "The <strong>doors</strong> open at 9." in page
    assert due_announcements_publish() == 0
    [notice] = Notice.objects.filter(person=author)
    assert notice_line_of(notice).text == f"{row.name} announces: Room 12"
    assert notice_line_of(notice).path == reverse("announcements:list", args=[kind, row.slug])
    assert not Notice.objects.filter(person=one.author).exists()


@pytest.mark.parametrize("kind", ["tournament", "league", "series", "group"])
def test_only_those_who_run_it_write(kind: str) -> None:
    row, organiser, author = of_each_kind()[kind]
    one = announcement_create(subject=subject(kind, row), by=organiser, **TYPED)
    outsider, staff = UserFactory(), UserFactory(is_staff=True)
    refused = 404 if kind == "group" else 403
    for person, status in ((author, 403), (outsider, refused), (staff, 302)):
        written = signed_in(person).post(reverse("announcements:create", args=[kind, row.slug]), TYPED)
        assert written.status_code == status
        changed = signed_in(person).post(reverse("announcements:edit", args=[one.pk]), TYPED | {"edits": 0})
        assert changed.status_code == status
    for person, status in ((author, 403), (outsider, refused), (staff, 302)):
        assert signed_in(person).post(reverse("announcements:delete", args=[one.pk])).status_code == status
    assert Client().post(reverse("announcements:delete", args=[one.pk])).status_code == 302  # to sign in


def test_an_arbiter_announces() -> None:
    cup, arbiter = TournamentFactory(), UserFactory()
    cup.arbiters.add(arbiter)
    address = reverse("announcements:create", args=["tournament", cup.slug])
    assert signed_in(arbiter).post(address, TYPED).status_code == 302
    assert {one.person_id for one in Notice.objects.all()} == {cup.organiser_id}


def test_a_scheduled_announcement_is_hidden_and_published_once() -> None:
    cup, author = TournamentFactory(), UserFactory()
    EntryFactory(tournament=cup, owner=author)
    later = announcement_later(cup, title="PLANNED")
    listed = reverse("announcements:list", args=["tournament", cup.slug])
    pages = [reverse("tournaments:detail", args=[cup.slug]), listed]
    api = reverse("api-announcements:list", args=["tournament", cup.slug])
    for address in (*pages, api):
        for client in (Client(), signed_in(author)):
            assert "PLANNED" not in client.get(address).content.decode()
    assert Client().get(reverse("api-announcements:detail", args=[later.pk])).status_code == 404
    assert "PLANNED" in signed_in(cup.organiser).get(pages[1]).content.decode()
    assert due_announcements_publish() == 0
    Announcement.objects.update(publish_at=timezone.now() - timedelta(seconds=1))
    assert (due_announcements_publish(), due_announcements_publish()) == (1, 0)
    assert Notice.objects.filter(person=author).count() == 1
    for address in (*pages, api):
        assert "PLANNED" in Client().get(address).content.decode()


def test_pinned_ones_are_first_and_then_the_newest() -> None:
    cup = TournamentFactory()
    made = [announcement_create(subject=subject("tournament", cup), by=cup.organiser, title=one) for one in "abcde"]
    announcement_update(announcement=made[1], edits=0, title="b", text="", is_pinned=True)
    assert "".join(one.title for one in announcements_of("tournament", cup.pk)) == "bedca"
    page = Client().get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert page.count("<article") == 3
    assert "All announcements" in page


def test_the_second_of_two_simultaneous_edits_is_refused() -> None:
    one = announced(TournamentFactory())
    announcement_update(announcement=one, edits=0, title="First", text="", is_pinned=False)
    with pytest.raises(EditedMeanwhile):
        announcement_update(announcement=one, edits=0, title="Second", text="", is_pinned=False)
    one.refresh_from_db()
    assert (one.title, one.edits) == ("First", 1)


def test_the_time_of_publication_stays() -> None:
    one = announced(TournamentFactory())
    tomorrow = timezone.now() + timedelta(days=1)
    with pytest.raises(AlreadyPublished):
        announcement_update(announcement=one, edits=0, title="a", text="", is_pinned=False, publish_at=tomorrow)


def test_an_announcement_moved_to_now_is_published() -> None:
    later = announcement_later(TournamentFactory())
    past = timezone.now() - timedelta(days=1)
    changed = announcement_update(announcement=later, edits=0, title="a", text="", is_pinned=False, publish_at=past)
    assert changed.published_at is not None


def test_a_time_is_typed_by_the_clock_of_the_tournament_or_of_a_zone_that_is_chosen() -> None:
    cup = TournamentFactory(time_zone="Asia/Tokyo")
    client, page = signed_in(cup.organiser), reverse("announcements:create", args=["tournament", cup.slug])
    assert client.get(page).context["form"]["zone"].value() == "Asia/Tokyo"
    for zone, hour in (("", 0), ("Europe/Zurich", 8)):
        client.post(page, {"title": "Later", "publish_at": "2099-01-30T09:00", "zone": zone})
        made = Announcement.objects.latest("pk")
        assert (made.published_at, made.publish_at) == (None, datetime(2099, 1, 30, hour, tzinfo=UTC))
    edit = reverse("announcements:edit", args=[made.pk])
    assert 'value="2099-01-30T17:00"' in client.get(edit).content.decode()
    client.post(edit, {"title": "Later", "publish_at": "2099-01-30T17:00", "zone": "Asia/Tokyo", "edits": 0})
    made.refresh_from_db()
    assert (made.edits, made.publish_at.hour) == (1, 8)


def test_members_of_a_team_in_a_groups_league_get_its_announcements() -> None:
    captain, member, outsider = UserFactory(), UserFactory(), UserFactory()
    league = open_league()
    group = GroupFactory(created_by=league.organiser)
    for person in (captain, member):
        member_in(group, person)
    member_of(league, bot=bot_of(team_of(captain, member, outsider).account))
    type(league).objects.filter(pk=league.pk).update(audience="group", group=group)
    announcement_create(subject=subject("league", league), by=league.organiser, **TYPED)
    assert set(Notice.objects.values_list("person", flat=True)) == {captain.pk, member.pk}


def test_deleting_one_deletes_the_notices_that_say_its_title() -> None:
    cup = TournamentFactory()
    EntryFactory(tournament=cup)
    one, other = (
        announcement_create(subject=subject("tournament", cup), by=cup.organiser, title=title) for title in "ab"
    )
    announcement_delete(announcement=one)
    assert [notice.data["title"] for notice in Notice.objects.all()] == [other.title]


def test_a_day_has_a_limit() -> None:
    cup = TournamentFactory()
    for number in range(A_DAY):
        announcement_create(subject=subject("tournament", cup), by=cup.organiser, title=str(number))
    with pytest.raises(TooManyAnnouncements):
        announcement_create(subject=subject("tournament", cup), by=cup.organiser, title="one more")
    Announcement.objects.update(created_at=timezone.now() - timedelta(days=1))
    announcement_create(subject=subject("tournament", cup), by=cup.organiser, title="tomorrow")


def test_a_former_member_loses_the_announcements_of_the_group() -> None:
    group, person = GroupFactory(), UserFactory()
    member_in(group, person)
    announcement_create(subject=subject("group", group), by=group.created_by, title="Secret")
    assert Notice.objects.filter(person=person).exists()
    group_member_leave(group=group, person=person)
    assert not Notice.objects.filter(person=person).exists()
    assert signed_in(person).get(reverse("announcements:list", args=["group", group.slug])).status_code == 404


@pytest.mark.parametrize("kind", ["tournament", "league", "series"])
def test_only_members_get_the_announcements_of_a_groups_contest(kind: str) -> None:
    row, organiser, author = of_each_kind()[kind]
    group = GroupFactory(created_by=organiser)
    type(row).objects.filter(pk=row.pk).update(audience="group", group=group)
    announcement_create(subject=subject(kind, row), by=organiser, **TYPED)
    assert not Notice.objects.filter(person=author).exists()
    assert signed_in(author).get(reverse("announcements:list", args=[kind, row.slug])).status_code == 404


def test_hostile_titles_and_texts_stay_text() -> None:
    cup = TournamentFactory()
    announced(cup, title="<script>alert(1)</script>", text="<img src=x onerror=alert(1)> [a](javascript:alert(1))")
    for address in (
        reverse("tournaments:detail", args=[cup.slug]),
        reverse("announcements:list", args=["tournament", cup.slug]),
    ):
        page = Client().get(address).content.decode()
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert 'href="javascript' not in page


@pytest.mark.parametrize("kind", ["tournament", "nothing", "match"])
def test_missing_objects_are_404(kind: str) -> None:
    assert Client().get(reverse("announcements:list", args=[kind, "none"])).status_code == 404
    assert Client().get(reverse("api-announcements:list", args=[kind, "none"])).status_code == 404
