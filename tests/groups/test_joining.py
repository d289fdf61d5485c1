"""Coming in by a code, a link or a slip, and going out again."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.utils import timezone

from groups import services
from groups.errors import GroupClosed, LastOwner, NotYours, NoWayIn, Taken, TooManyInvitations
from groups.models import Group, GroupInvitation, GroupMember, GroupRole, InvitationKind, MemberChange, RosterRow
from groups.selectors import is_group_member
from groups.services import groups
from groups.services.groups import group_member_left_register
from tests.arena.factories import PASSWORD, OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
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
def test_a_code_lets_in_as_many_as_it_may_and_is_kept_as_a_digest(group: Any, kind: str) -> None:
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
    told = MemberChange.objects.filter(group=group).values_list("person", "by", "act").order_by("pk")
    assert list(told) == [(hen.pk, hen.pk, "joined") for hen in hens[:2]]


def test_a_code_is_typed_in_any_way_and_a_whole_address_is_taken_for_it(group: Any) -> None:
    token = way_in(group)
    bare = token.replace("-", "")
    for typed in (token.lower(), f" {bare} ", f"{bare[:3]} {bare[3:]}", f"https://x.example.org/join/{token}/"):
        assert join(UserFactory(), typed).group == group
    with pytest.raises(NoWayIn):
        join(UserFactory(), bare[:-1])


def test_letters_of_codes_are_not_taken_for_each_other() -> None:
    assert not set("01OIL") & set(LETTERS)
    assert re.fullmatch(r"[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{2}", invitation_code_token(10))


@pytest.mark.parametrize("how", ["expired", "revoked", "renewed", "closed"])
def test_what_does_not_hold_lets_nobody_in(group: Any, how: str) -> None:
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


def test_a_slip_is_of_one_person_and_brings_what_the_roster_says(group: Any) -> None:
    row = RosterRow.objects.create(group=group, name="Zoë 月", roster_id="17", cohort="10b", alias="Bussard")
    first = services.group_slips_create(group=group, by=group.created_by, count=0, days=3, rows=[row])
    made = services.group_slips_create(group=group, by=group.created_by, count=2, days=3, rows=[row])
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
    told: list[tuple[int, int]] = []
    group_member_left_register(callback := lambda group, person: told.append((group.pk, person)))
    yield told
    groups._CALLED.remove(callback)


def test_who_leaves_or_is_removed_is_out_and_other_rooms_are_told(group: Any, left: list[Any]) -> None:
    one, two = member_in(group).person, member_in(group).person
    assert services.group_member_leave(group=group, person=one)
    assert not services.group_member_leave(group=group, person=one)
    assert services.group_member_remove(group=group, person_id=two.pk, by=group.created_by)
    assert not services.group_member_remove(group=group, person_id=two.pk, by=group.created_by)
    assert left == [(group.pk, one.pk), (group.pk, two.pk)]
    told = MemberChange.objects.order_by("pk").values_list("person", "by", "act")
    assert list(told) == [(one.pk, one.pk, "left"), (two.pk, group.created_by_id, "removed")]


def test_what_another_room_refuses_undoes_the_leaving(group: Any) -> None:
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
    services.groups_release(person=owner)
    heir.refresh_from_db()
    assert (heir.role, Group.objects.get().closed_at) == (GroupRole.OWNER, None)
    services.groups_release(person=heir.person)
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
    services.group_slips_create(group=group, by=group.created_by, count=2, days=1)
    with pytest.raises(TooManyInvitations):
        services.group_slips_create(group=group, by=group.created_by, count=1, days=1)


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


# Pages.


def opened(person: Any = None) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def test_a_code_is_typed_shown_what_it_means_and_joined(group: Any) -> None:
    token, hen = way_in(group), UserFactory()
    client = opened(hen)
    assert client.post("/join/accept/").status_code == 302
    assert not is_group_member(hen, group)
    assert client.post("/join/", {"code": token.lower()})["Location"] == "/join/"
    page = client.get("/join/")
    assert_clean_page(page)
    assert group.name in page.content.decode()
    assert not is_group_member(hen, group)  # shown, not joined
    answer = client.post("/join/accept/")
    assert answer["Location"] == f"/groups/{group.slug}/"
    assert is_group_member(hen, group)
    assert_clean_page(client.get(answer["Location"]))


def test_a_stranger_signs_up_and_comes_back_to_the_group(group: Any) -> None:
    token, client = way_in(group, "link"), Client()
    answer = client.get(f"/join/{token}/")
    assert (answer["Location"], answer["Referrer-Policy"]) == ("/join/", "no-referrer")
    page = client.get("/join/").content.decode()
    assert group.name in page
    assert "/accounts/signup/?next=/join/" in page
    assert token not in page
    assert client.post("/join/accept/")["Location"].startswith("/accounts/login/")
    typed = {"username": "newhen", "email": "newhen@example.org", "password1": PASSWORD, "password2": PASSWORD}
    answer = client.post("/accounts/signup/?next=/join/", {**typed, "next": "/join/"})
    assert answer["Location"] == "/join/"
    client.post("/join/accept/")
    assert GroupMember.objects.filter(group=group, person__username="newhen").exists()


def test_guesses_are_limited_and_a_code_that_holds_is_not_counted(group: Any) -> None:
    token = way_in(group)
    client = opened(UserFactory())
    for _ in range(30):
        assert client.post("/join/", {"code": token}).status_code == 302
    for number in range(20):
        answer = (
            client.post("/join/", {"code": f"K7QF-2MX{LETTERS[number]}"})
            if number % 2
            else client.get(f"/join/x{number}/")
        )
        assert answer.status_code in (404, 422)
    for answer in (client.post("/join/", {"code": token}), client.get(f"/join/{token}/")):
        assert answer.status_code == 429
        assert int(answer["Retry-After"]) > 0


@pytest.mark.parametrize(
    "code", ["", "   ", "\0", "x" * 301, "' OR 1=1 --", "<script>", "🐔🐔🐔🐔", "%00", "K7QF-2MX\u202eR"]
)
def test_nonsense_is_no_code(code: str) -> None:
    answer = Client().post("/join/", {"code": code})
    assert answer.status_code == 422
    assert_clean_page(answer)


def test_a_link_and_a_code_are_shown_once_and_renewed_in_a_click(group: Any) -> None:
    client = opened(group.created_by)
    page = client.post(f"/groups/{group.slug}/invitations/", {"kind": "code", "uses": 3, "days": 1})
    assert_clean_page(page)
    assert "no-store" in page["Cache-Control"]
    (code,) = re.findall(r'id="shown"[^>]*>([^<]+)<', page.content.decode())
    assert code not in client.get(f"/groups/{group.slug}/invitations/").content.decode()
    batch = GroupInvitation.objects.get().batch
    renewed = client.post(f"/groups/{group.slug}/invitations/{batch}/renew/").content.decode()
    (other,) = re.findall(r'id="shown"[^>]*>([^<]+)<', renewed)
    hen = UserFactory()
    with pytest.raises(NoWayIn):
        join(hen, code)
    assert join(hen, other)
    assert client.post(f"/groups/{group.slug}/invitations/{batch}/renew/").status_code == 302  # it was already
    assert GroupInvitation.objects.count() == 2
    batch = GroupInvitation.objects.order_by("-pk")[0].batch
    client.post(f"/groups/{group.slug}/invitations/{batch}/revoke/")
    with pytest.raises(NoWayIn):
        join(UserFactory(), other)


def test_slips_are_printed_with_a_code_an_address_and_a_picture_each(group: Any) -> None:
    RosterRow.objects.create(group=group, name="</script>Zoë", roster_id="17")
    RosterRow.objects.create(group=group, name="Ada", email="ada@example.org")
    client = opened(group.created_by)
    page = client.post(f"/groups/{group.slug}/slips/", {"for_roster": "on", "count": "2", "days": "3"})
    assert_clean_page(page)
    text = page.content.decode()
    codes = re.findall(r'class="slip-code">([^<]+)<', text)
    assert (len(codes), text.count('slip-qr"><svg'), "Ada" in text) == (3, 3, False)
    assert "&lt;/script&gt;Zoë" in text
    assert join(UserFactory(), codes[0]).roster_id == "17"
    for wrong in ({"count": "0", "days": "3"}, {"count": "501", "days": "3"}, {"count": "1", "days": "0"}, {}):
        assert client.post(f"/groups/{group.slug}/slips/", wrong).status_code == 422
    assert GroupInvitation.objects.order_by("-pk")[0].kind == InvitationKind.SLIP


def test_a_code_that_was_printed_is_replaced_only_when_asked_again(group: Any) -> None:
    RosterRow.objects.create(group=group, name="Zoë", roster_id="17")
    client, slips, roster = opened(group.created_by), f"/groups/{group.slug}/slips/", f"/groups/{group.slug}/roster/"
    asked = {"for_roster": "on", "count": "0", "days": "3"}

    def printed(**more: str) -> list[str]:
        return re.findall(r'class="slip-code">([^<]+)<', client.post(slips, asked | more).content.decode())

    assert "needs a printed code" in client.get(roster).content.decode()
    (first,) = printed()
    text = client.get(roster).content.decode()
    assert "needs a printed code" not in text
    assert "the printed one stops working" in " ".join(text.split())
    assert client.post(slips, asked).status_code == 422
    RosterRow.objects.create(group=group, name="Ada", roster_id="18")
    (of_ada,) = printed()
    both = printed(again="on")
    assert len(both) == 2
    for replaced in (first, of_ada):
        with pytest.raises(NoWayIn):
            join(UserFactory(), replaced)
    assert {join(UserFactory(), code).roster_id for code in both} == {"17", "18"}


def test_an_organiser_makes_a_group_and_others_do_not() -> None:
    typed = {"name": "Class 10b <b>", "kind": "class", "uses_aliases": "on"}
    organiser = OrganiserFactory()
    answer = opened(organiser).post("/groups/new/", typed)
    group = Group.objects.get()
    assert answer["Location"] == f"/groups/{group.slug}/invitations/"
    assert GroupMember.objects.get().role == GroupRole.OWNER
    assert opened(UserFactory()).post("/groups/new/", typed).status_code == 403
    assert opened().post("/groups/new/", typed).status_code == 302
    assert opened(organiser).post("/groups/new/", typed | {"name": "Class 10b <b>"}).status_code == 302
    assert len({one.slug for one in Group.objects.all()}) == 2
    for wrong in ({"name": ""}, {"name": "x" * 81}, {"name": "a\u202eb"}, {"kind": "gang"}):
        assert opened(organiser).post("/groups/new/", typed | wrong).status_code == 422
