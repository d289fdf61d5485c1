"""Coming in by a code, a link or a slip, and going out again."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from groups import services
from groups.errors import GroupClosed, LastOwner, NotYours, NoWayIn, Taken, TooManyInvitations
from groups.models import Group, GroupInvitation, GroupMember, GroupRole, MemberChange, RosterRow
from groups.selectors import is_group_member
from groups.services import groups
from groups.services.groups import group_member_left_register
from tests.arena.factories import UserFactory
from tests.groups.factories import GroupFactory, member_in
from tests.racing import at_once, on_postgres
from web.errors import Refusal
from web.invitations import LETTERS, invitation_code_token, invitation_token_canonical, invitation_token_digests

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def group() -> Any:
    return GroupFactory()


def way_in(group: Any, kind: str = "code", **fields: Any) -> str:
    given = {"role": GroupRole.MEMBER, "days": 7, "uses": 30, **fields}
    return services.group_invitation_create(group=group, by=group.created_by, kind=kind, **given).token


def join(person: Any, token: str) -> GroupMember:
    return services.group_member_join(person=person, digests=invitation_token_digests(token))


@pytest.mark.parametrize("kind", ["code", "link"])
def test_a_code_has_a_limit_of_uses_and_is_stored_as_a_digest(group: Any, kind: str) -> None:
    token = way_in(group, kind, uses=2)
    assert token not in str(list(GroupInvitation.objects.values()))
    assert invitation_token_canonical(token) not in str(list(GroupInvitation.objects.values()))
    hens = [UserFactory() for _ in range(3)]
    for hen in hens[:2]:
        assert join(hen, token).role == GroupRole.MEMBER
        assert join(hen, token).person_id == hen.pk  # used twice by one: nothing is used up
    with pytest.raises(NoWayIn):
        join(hens[2], token)
    assert [is_group_member(hen, group) for hen in hens] == [True, True, False]
    changes = MemberChange.objects.filter(group=group).values_list("person", "by", "act").order_by("pk")
    assert list(changes) == [(hen.pk, hen.pk, "joined") for hen in hens[:2]]


def test_a_code_is_typed_in_any_way_and_a_whole_address_is_taken_for_it(group: Any) -> None:
    token = way_in(group)
    bare = token.replace("-", "")
    for typed in (token.lower(), f" {bare} ", f"{bare[:3]} {bare[3:]}", f"https://x.example.org/join/{token}/"):
        assert join(UserFactory(), typed).group == group
    with pytest.raises(NoWayIn):
        join(UserFactory(), bare[:-1])


def test_characters_of_codes_cannot_be_confused() -> None:
    assert not set("01OIL") & set(LETTERS)
    assert re.fullmatch(r"[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{2}", invitation_code_token(10))


@pytest.mark.parametrize("how", ["expired", "revoked", "renewed", "closed"])
def test_an_invalid_invitation_admits_nobody(group: Any, how: str) -> None:
    token, hen = way_in(group), UserFactory()
    batch = GroupInvitation.objects.get().batch
    match how:
        case "expired":
            GroupInvitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        case "revoked":
            assert services.group_invitation_revoke(group=group, batch=batch) == 1
            assert services.group_invitation_revoke(group=group, batch=batch) == 0
        case "renewed":
            made = services.group_invitation_renew(group=group, batch=batch, by=group.created_by)
            assert (made.invitation.uses_left, made.invitation.kind) == (30, "code")
            assert join(hen, made.token)
        case "closed":
            Group.objects.update(closed_at=timezone.now())
    with pytest.raises((NoWayIn, GroupClosed)):
        join(UserFactory(), token)


def test_a_digest_holds_when_the_sites_key_was_rotated(group: Any, settings: Any) -> None:
    token = way_in(group)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key", [settings.SECRET_KEY]
    assert join(UserFactory(), token).group == group
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(NoWayIn):
        join(UserFactory(), token)


def test_only_an_owner_lets_in_staff_and_members_rise_by_it(group: Any) -> None:
    staff = member_in(group, role=GroupRole.STAFF).person
    fields = {"group": group, "kind": "link", "role": GroupRole.STAFF, "days": 1, "uses": 1}
    with pytest.raises(NotYours):
        services.group_invitation_create(by=staff, **fields)
    token, member = way_in(group, role=GroupRole.STAFF), member_in(group)
    batch = GroupInvitation.objects.get(role=GroupRole.STAFF).batch
    with pytest.raises(NotYours):
        services.group_invitation_renew(group=group, batch=batch, by=staff)
    assert join(member.person, token).role == GroupRole.STAFF
    assert join(group.created_by, token).role == GroupRole.OWNER
    assert GroupInvitation.objects.get(revoked_at=None).uses_left == 29


def test_a_slip_is_for_one_person_and_has_the_data_of_the_roster(group: Any) -> None:
    row = RosterRow.objects.create(group=group, name="Zoë 月", roster_id="17", cohort="10b", alias="Bussard")
    first = services.group_invitation_slips_create(group=group, by=group.created_by, count=0, days=3, rows=[row])
    made = services.group_invitation_slips_create(group=group, by=group.created_by, count=2, days=3, rows=[row])
    hens = [UserFactory() for _ in range(3)]
    with pytest.raises(NoWayIn):
        join(hens[0], first[0].token)  # a new one was printed
    members = [join(hen, one.token) for hen, one in zip(hens, made, strict=True)]
    assert (members[0].name, members[0].roster_id, members[0].cohort, members[0].alias) == (
        "Zoë 月",
        "17",
        "10b",
        "Bussard",
    )
    assert not RosterRow.objects.exists()
    with pytest.raises(NoWayIn):
        join(UserFactory(), made[1].token)


def test_a_confirmed_address_takes_over_its_row_of_the_roster(group: Any) -> None:
    RosterRow.objects.create(group=group, name="Ada", email="ADA@example.org", roster_id="9")
    token = way_in(group)
    other = UserFactory(email="ada@example.org")
    EmailAddress.objects.create(user=other, email="ada@example.org", verified=False, primary=True)
    assert join(other, token).roster_id == ""
    EmailAddress.objects.update(verified=True)
    services.group_member_leave(group=group, person=other)
    assert join(other, token).roster_id == "9"


def test_a_group_with_aliases_gives_everybody_one(group: Any) -> None:
    before = member_in(group)
    fields = {"name": group.name, "kind": "club", "is_listed": False, "uses_aliases": True}
    services.group_update(group=group, by=group.created_by, **fields)
    before.refresh_from_db()
    after = join(UserFactory(), way_in(group))
    assert before.alias and after.alias and before.alias != after.alias  # noqa: PT018
    with pytest.raises(Taken):
        services.group_member_update(
            group=group,
            person_id=after.person_id,
            alias=before.alias.upper(),
            roster_id="",
            cohort="",
            by=group.created_by,
        )
    with pytest.raises(Refusal):
        services.group_member_update(
            group=group, person_id=after.person_id, alias="0rganiser", roster_id="", cohort="", by=group.created_by
        )
    changed = services.group_member_update(
        group=group, person_id=after.person_id, alias="", roster_id="1", cohort="a", by=group.created_by
    )
    assert changed.alias not in ("", before.alias)


@pytest.fixture
def left() -> Iterator[list[tuple[int, int]]]:
    calls: list[tuple[int, int]] = []
    group_member_left_register(callback := lambda group, person: calls.append((group.pk, person)))
    yield calls
    groups._CALLED.remove(callback)


def test_a_member_who_leaves_or_is_removed_loses_access_and_other_apps_are_notified(
    group: Any, left: list[Any]
) -> None:
    one, two = member_in(group).person, member_in(group).person
    assert services.group_member_leave(group=group, person=one)
    assert not services.group_member_leave(group=group, person=one)
    assert services.group_member_remove(group=group, person_id=two.pk, by=group.created_by)
    assert not services.group_member_remove(group=group, person_id=two.pk, by=group.created_by)
    assert left == [(group.pk, one.pk), (group.pk, two.pk)]
    changes = MemberChange.objects.order_by("pk").values_list("person", "by", "act")
    assert list(changes) == [(one.pk, one.pk, "left"), (two.pk, group.created_by_id, "removed")]


def test_a_refusal_of_another_app_undoes_the_leaving(group: Any) -> None:
    def refuse(_group: Group, _person: int) -> None:
        raise RuntimeError

    person = member_in(group).person
    group_member_left_register(refuse)
    try:
        with pytest.raises(RuntimeError), transaction.atomic():
            services.group_member_leave(group=group, person=person)
    finally:
        groups._CALLED.remove(refuse)
    assert is_group_member(person, group)
    assert not MemberChange.objects.exists()


def test_a_group_keeps_an_owner_and_staff_removes_members_alone(group: Any) -> None:
    owner, staff, member = group.created_by, member_in(group, role=GroupRole.STAFF).person, member_in(group).person
    for act in (
        lambda: services.group_member_leave(group=group, person=owner),
        lambda: services.group_member_role_set(group=group, person_id=owner.pk, role="member", by=owner),
        lambda: services.group_member_remove(group=group, person_id=owner.pk, by=UserFactory(is_staff=True)),
    ):
        with pytest.raises(LastOwner):
            act()
    for act in (
        lambda: services.group_member_remove(group=group, person_id=owner.pk, by=staff),
        lambda: services.group_member_remove(group=group, person_id=staff.pk, by=staff),
        lambda: services.group_member_role_set(group=group, person_id=member.pk, role="staff", by=staff),
    ):
        with pytest.raises(NotYours):
            act()
    assert services.group_member_remove(group=group, person_id=member.pk, by=staff)
    services.group_member_role_set(group=group, person_id=staff.pk, role="owner", by=owner)
    assert services.group_member_leave(group=group, person=owner)


def test_a_deleted_owners_group_passes_to_staff_or_is_closed(group: Any, left: list[Any]) -> None:
    owner, heir = group.created_by, member_in(group, role=GroupRole.STAFF)
    member_in(group)
    token = way_in(group)
    services.group_memberships_release(person=owner)
    heir.refresh_from_db()
    assert (heir.role, Group.objects.get().closed_at) == (GroupRole.OWNER, None)
    services.group_memberships_release(person=heir.person)
    group.refresh_from_db()
    assert group.closed_at is not None
    assert left == [(group.pk, owner.pk), (group.pk, heir.person_id)]
    with pytest.raises((NoWayIn, GroupClosed)):
        join(UserFactory(), token)


def test_only_so_many_ways_in_work_at_once(group: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groups.services.invitations.OPEN_MOST", 1)
    monkeypatch.setattr("groups.services.invitations.SLIPS_OPEN_MOST", 2)
    way_in(group)
    with pytest.raises(TooManyInvitations):
        way_in(group)
    services.group_invitation_slips_create(group=group, by=group.created_by, count=2, days=1)
    with pytest.raises(TooManyInvitations):
        services.group_invitation_slips_create(group=group, by=group.created_by, count=1, days=1)


@on_postgres
@pytest.mark.django_db(transaction=True)
def test_the_last_use_goes_to_one_of_two(group: Any) -> None:
    token, hens = way_in(group, uses=1), [UserFactory() for _ in range(4)]

    def try_it(number: int) -> bool:
        try:
            join(hens[number], token)
        except NoWayIn:
            return False
        return True

    assert sorted(at_once(try_it, 4)) == [False, False, False, True]
    assert GroupMember.objects.filter(role=GroupRole.MEMBER).count() == 1
