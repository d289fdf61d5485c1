"""What the database holds about groups, and who may do what with one."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from groups.models import Group, GroupInvitation, GroupMember, GroupRole, InvitationKind, RosterRow
from groups.selectors import (
    groups_of,
    is_group_member,
    may_create_groups,
    may_manage_group,
    may_own_group,
    may_see_group,
)
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.groups.factories import GroupFactory, member_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def group() -> Any:
    return GroupFactory()


def test_who_may_do_what(group: Group) -> None:
    owner = group.created_by
    staff, member = (member_in(group, role=role).person for role in (GroupRole.STAFF, GroupRole.MEMBER))
    other, organiser = member_in(GroupFactory.create()).person, OrganiserFactory()
    site_staff, deactivated = (
        UserFactory(is_staff=True),
        member_in(group, UserFactory(is_active=False), GroupRole.STAFF).person,
    )
    people = [AnonymousUser(), other, member, staff, owner, organiser, site_staff, deactivated]
    found = [
        "".join(
            str(int(may(person, group))) for may in (is_group_member, may_see_group, may_manage_group, may_own_group)
        )
        for person in people
    ]
    assert found == ["0000", "0000", "1100", "1110", "1111", "0000", "0111", "1100"]
    assert [may_create_groups(person) for person in people] == [False, False, False, False, True, True, True, False]


def test_the_groups_of_somebody(group: Group) -> None:
    member = member_in(group).person
    GroupFactory()
    assert list(groups_of(member)) == [group]
    assert list(groups_of(group.created_by)) == [group]
    assert list(groups_of(AnonymousUser())) == list(groups_of(UserFactory())) == []
    assert list(Group.objects.filter(pk__in=groups_of(member))) == [group]


def test_nobody_is_in_a_group_twice(group: Group) -> None:
    member = member_in(group)
    with pytest.raises(IntegrityError), transaction.atomic():
        member_in(group, member.person)
    member_in(GroupFactory.create(), member.person)


@pytest.mark.parametrize(("first", "second"), [("Ätna", "ätna"), ("Ⅷ", "viii"), ("月", "月"), ("ΣΑΣ", "σας")])
def test_an_alias_is_one_persons_however_it_is_spelt(group: Group, first: str, second: str) -> None:
    member_in(group, alias=first)
    member_in(group)
    member_in(group)  # without one, as many as there are
    with pytest.raises(IntegrityError), transaction.atomic():
        member_in(group, alias=second)
    member_in(GroupFactory.create(), alias=second)


def test_a_roster_id_and_an_address_stand_on_a_roster_once(group: Group) -> None:
    RosterRow.objects.create(group=group, roster_id="17", email="hen@example.org")
    RosterRow.objects.create(group=group, name="Ada")
    RosterRow.objects.create(group=group, name="Ada")
    for fields in ({"roster_id": "17"}, {"email": "HEN@example.org"}, {}):
        with pytest.raises(IntegrityError), transaction.atomic():
            RosterRow.objects.create(group=group, **fields)


@pytest.mark.parametrize(
    "wrong", [{"role": "owner"}, {"uses_left": 2}, {"uses_most": 0, "uses_left": 0}, {"kind": "key"}, {"role": "king"}]
)
def test_an_invitation_makes_no_owner_and_is_used_no_more_often_than_it_may_be(group: Group, wrong: Any) -> None:
    fields = {"kind": InvitationKind.LINK, "digest": "0" * 64, "uses_most": 1, "uses_left": 1}
    fields |= {"expires_at": timezone.now(), "group": group}
    with pytest.raises(IntegrityError), transaction.atomic():
        GroupInvitation.objects.create(**(fields | wrong))
    GroupInvitation.objects.create(**fields)


def test_a_role_and_a_kind_are_known(group: Group) -> None:
    for rows, values in ((Group.objects.all(), {"kind": "gang"}), (GroupMember.objects.all(), {"role": "king"})):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**values)
