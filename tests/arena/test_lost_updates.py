"""Changes that wait for another change of the same thing: they decide by what it has become, not by what they read."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from announcements.services import announcement_delete, due_announcements_publish
from arena.accounts.deletion import StillOrganises, account_delete
from assignments.services import hand_in_extension_create
from assignments.services.marking import assignment_secret_publish, marks_publish
from bots.deletion import version_delete
from bots.services import version_make_current
from games.protocol import Verdict
from groups.errors import TooManyGroups
from groups.models import Group, GroupMember, GroupRole
from groups.services import groups as group_services
from groups.services.groups import group_create
from groups.services.members import group_member_leave, group_member_role_set, group_memberships_release
from matches.models import Fault, Game, MatchState, Seat
from notices.models import Notice
from tests.announcements.factories import announcement_later
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.assignments.factories import all_decided, assignment_in, past_due, student_in
from tests.bots.factories import BotVersionFactory
from tests.groups.factories import GroupFactory, member_in
from tests.racing import after_waiting, at_once, on_postgres
from tests.tournaments.factories import TournamentFactory, finish_match, running_tournament
from tests.tournaments.rulings.rule import fixture_at, rule
from tests.web.test_prepared import KIND, Subject
from tournaments.errors import WrongState
from tournaments.models import Tournament, TournamentState
from tournaments.services import (
    entries_withdraw_forfeiters,
    tournament_lock,
    tournament_open,
    tournament_pause,
    tournament_reopen,
)
from tournaments.services.leaving import entries_withdraw_deleted
from web.models import PreparedFile, PreparedState
from web.prepared.services import KINDS, PreparedKind, prepared_file_order, prepared_files_tend

pytestmark = [on_postgres, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_given, **_named: None)


def test_an_announcement_that_is_deleted_while_it_is_published_leaves_no_notices() -> None:
    cup = TournamentFactory.create(entries=2)
    announcement = announcement_later(cup, publish_at=timezone.now())
    after_waiting(lambda: announcement_delete(announcement=announcement), due_announcements_publish)
    assert not Notice.objects.filter(kind="announcement.published").exists()


def test_a_draft_that_opens_while_its_organisers_account_is_deleted_stays() -> None:
    cup = TournamentFactory.create(state=TournamentState.DRAFT)
    with pytest.raises(StillOrganises):
        after_waiting(lambda: account_delete(person=cup.organiser), lambda: tournament_open(tournament=cup))
    assert Tournament.objects.get(pk=cup.pk).state == TournamentState.OPEN


def test_a_group_whose_new_owner_deletes_the_account_is_closed() -> None:
    group = GroupFactory.create()
    owner: Any = group.created_by
    heir = member_in(group).person

    def hand_over() -> None:
        group_member_role_set(group=group, person_id=heir.pk, role=GroupRole.OWNER, by=owner)
        group_member_leave(group=group, person=owner)

    after_waiting(lambda: group_memberships_release(person=heir), hand_over)
    assert not GroupMember.objects.filter(group=group).exists()
    assert Group.objects.get(pk=group.pk).closed_at is not None


def test_nobody_creates_more_groups_than_one_may_though_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_services, "GROUPS_MOST", 2)
    person = OrganiserFactory.create()

    def create(number: int) -> bool:
        try:
            group_create(by=person, name=f"Class {number}", kind="class")
        except TooManyGroups:
            return False
        return True

    assert sum(at_once(create, 6)) == Group.objects.filter(created_by=person).count() == 2


def test_the_secret_of_the_seeds_stays_secret_if_somebody_is_just_given_more_time() -> None:
    assignment = assignment_in()
    student_in(assignment)
    late = member_in(assignment.group).person
    past_due(assignment)
    all_decided(assignment)
    marks_publish(assignment=assignment)
    type(assignment).objects.filter(pk=assignment.pk).update(revealed_at=None)
    assignment.refresh_from_db()

    def give_time() -> None:
        hand_in_extension_create(
            assignment=assignment,
            student_id=late.pk,
            due_at=timezone.now() + timedelta(days=1),
            reason="ill",
            by=assignment.organiser,  # type: ignore[arg-type]
        )

    assert not after_waiting(lambda: assignment_secret_publish(assignment=assignment), give_time)
    assignment.refresh_from_db()
    assert assignment.revealed_at is None


def test_the_site_does_not_take_over_the_pause_of_an_organiser() -> None:
    cup = running_tournament()
    with pytest.raises(WrongState):
        after_waiting(
            lambda: tournament_pause(tournament=cup, because="the game is missing"),
            lambda: tournament_pause(tournament=Tournament.objects.get(pk=cup.pk)),
        )
    cup.refresh_from_db()
    assert (cup.state, cup.paused_because) == (TournamentState.PAUSED, "")


def test_a_bot_whose_frozen_version_is_deleted_stays_if_entries_have_just_been_opened_again() -> None:
    cup = TournamentFactory.create(entries=2)
    tournament_lock(tournament=cup)
    entry = cup.entries.select_related("bot", "version").order_by("pk")[0]
    frozen = entry.version
    assert frozen is not None
    assert version_make_current(version=BotVersionFactory.create(bot=entry.bot))
    assert version_delete(version=frozen)
    assert not after_waiting(entries_withdraw_deleted, lambda: tournament_reopen(tournament=cup))
    entry.refresh_from_db()
    assert not entry.is_withdrawn


def test_a_forfeit_that_an_arbiter_has_just_declared_void_costs_no_place() -> None:
    cup = running_tournament(4)
    loser = cup.entries.order_by("pk")[0]
    assert loser.version is not None
    seats = Seat.objects.filter(version=loser.version, match__state=MatchState.QUEUED).select_related("match")
    for seat in seats.order_by("match")[:2]:
        finish_match(seat.match, [0.0 if index == seat.index else 2.0 for index in range(2)])
        Seat.objects.filter(pk=seat.pk).update(has_forfeited=True, faulty_games=1)
        game = Game.objects.create(
            match=seat.match, attempt=1, index=0, record=b"", points=[0, 0], places=[1, 2], reason=""
        )
        Fault.objects.create(game=game, seat=seat, verdict=Verdict.CRASHED, action_index=3)
    lost = cup.fixtures.filter(match__seats__version=loser.version, match__state=MatchState.FINISHED)
    place = lost.values_list("round__number", "table")[0]
    outcome = after_waiting(
        lambda: entries_withdraw_forfeiters(tournament_id=cup.pk),
        lambda: rule(cup, "void", fixture=fixture_at(cup, *place)),
    )
    loser.refresh_from_db()
    assert (outcome, loser.is_withdrawn) == (0, False)


def test_a_file_that_is_ordered_again_is_not_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    one, person = Subject(), UserFactory.create()
    monkeypatch.setitem(KINDS, KIND, PreparedKind(lambda _subject: one.revision, one.make))
    old = timezone.now() - timedelta(days=30)
    which: dict[str, Any] = {"kind": KIND, "subject": 1, "name": "a"}
    PreparedFile.objects.create(
        **which, revision="0", state=PreparedState.FAILED, asked_by=person, asked_at=old, used_at=old, made_at=old
    )
    after_waiting(prepared_files_tend, lambda: prepared_file_order(**which, by=person, ordered=lambda: None))
    assert PreparedFile.objects.get(**which).state == PreparedState.WAITING
