"""Members of a group and followers are notified when a tournament takes entries, and before they close if they have not
entered."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.utils import timezone

from hooks.models import Delivery
from notices.following import follow_create, followed_of
from notices.models import Notice
from notices.selectors import notice_line_of
from tests.arena.factories import UserFactory
from tests.groups.factories import GroupFactory, member_in
from tests.hooks.factories import hook_of
from tests.series.factories import series_of
from tests.teams.factories import team_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of
from tournaments.models import Tournament
from tournaments.services import tournament_open
from tournaments.services.sweep import entries_close_soon_notify

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    caches["optional"].clear()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def of_group(*people: Any, state: str = "open", closes: float = 20) -> Tournament:
    """A tournament of a group of these ``people``, created long ago, whose entries close in so many hours."""
    group = GroupFactory()
    for person in people:
        member_in(group, person)
    cup = TournamentFactory(
        state=state,
        organiser=group.created_by,
        audience="group",
        group=group,
        entries_close_at=timezone.now() + timedelta(hours=closes),
    )
    Tournament.objects.filter(pk=cup.pk).update(created_at=timezone.now() - timedelta(days=9))
    return cup


def notified() -> list[int]:
    return list(Notice.objects.order_by("person").values_list("person", flat=True))


def test_members_are_notified_that_it_takes_entries() -> None:
    member, outsider = UserFactory(), UserFactory()
    cup = of_group(member, state="draft")
    hook_of(outsider)
    tournament_open(tournament=cup)
    [notice] = Notice.objects.all()
    assert (notice.person_id, notice_line_of(notice).text) == (member.pk, f"{cup.name} takes entries.")
    assert not Delivery.objects.exists()


def test_a_public_tournament_notifies_nobody() -> None:
    cup = TournamentFactory(state="draft", entries_close_at=timezone.now() + timedelta(hours=5))
    Tournament.objects.update(created_at=timezone.now() - timedelta(days=9))
    tournament_open(tournament=cup)
    assert entries_close_soon_notify() == 0
    assert notified() == []


def test_members_without_an_entry_are_reminded_once() -> None:
    idle, entered, mate = UserFactory(), UserFactory(), UserFactory()
    cup = of_group(idle, entered, mate)
    hook_of(idle)
    EntryFactory(tournament=cup, bot=bot_of(entered))
    EntryFactory(tournament=cup, bot=bot_of(team_of(mate).account))
    for _again in range(2):
        assert entries_close_soon_notify() == 1
        caches["optional"].clear()
    assert notified() == [idle.pk]
    assert Delivery.objects.count() == 1
    assert (
        notice_line_of(Notice.objects.get()).text
        == f"Entries of {cup.name} close within a day, and you have not entered."
    )


def test_the_cache_saves_doing_it_again() -> None:
    of_group(UserFactory())
    assert [entries_close_soon_notify() for _ in range(2)] == [1, 0]


def test_a_later_time_is_a_reminder_of_its_own() -> None:
    person = UserFactory()
    cup = of_group(person)
    entries_close_soon_notify()
    Tournament.objects.filter(pk=cup.pk).update(entries_close_at=timezone.now() + timedelta(hours=23))
    entries_close_soon_notify()
    assert notified() == [person.pk] * 2


@pytest.mark.parametrize(("state", "closes"), [("open", 25), ("open", -1), ("draft", 5), ("locked", 5)])
def test_too_early_too_late_or_not_open_reminds_nobody(state: str, closes: float) -> None:
    of_group(UserFactory(), state=state, closes=closes)
    assert entries_close_soon_notify() == 0


def test_what_was_created_less_than_a_day_before_needs_no_reminder() -> None:
    cup = of_group(UserFactory())
    Tournament.objects.filter(pk=cup.pk).update(created_at=timezone.now())
    assert entries_close_soon_notify() == 0


def test_a_webhook_of_a_group_gets_only_its_tournaments() -> None:
    member = UserFactory()
    cup, other = of_group(member, state="draft"), of_group(member, state="draft")
    hook_of(member, about=f"group/{cup.group.slug}")
    for one in (cup, other):
        tournament_open(tournament=one)
    assert [f'"tournament":"{cup.slug}"' in one.body for one in Delivery.objects.all()] == [True]
    assert Notice.objects.filter(person=member).count() == 2


def test_followers_of_a_public_tournament_or_of_its_series_who_have_not_entered_are_reminded_once() -> None:
    cup = TournamentFactory(state="open", entries_close_at=timezone.now() + timedelta(hours=20))
    Tournament.objects.filter(pk=cup.pk).update(created_at=timezone.now() - timedelta(days=9))
    series = series_of(cup.organiser, cup)
    idle, of_series, entered = UserFactory(), UserFactory(), UserFactory()
    for person, kind, slug in (
        (idle, "tournament", cup.slug),
        (entered, "tournament", cup.slug),
        (of_series, "series", series.slug),
    ):
        found = followed_of(person, kind, slug)
        assert found is not None
        follow_create(person=person, followed=found)
    EntryFactory(tournament=cup, bot=bot_of(entered))
    for _again in range(2):
        assert entries_close_soon_notify() == 1
        caches["optional"].clear()
    assert notified() == [idle.pk, of_series.pk]
