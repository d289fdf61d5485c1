"""The pages of joining: a code is typed, links and slips are created, new users sign up."""

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from groups.errors import NoWayIn
from groups.models import Group, GroupInvitation, GroupMember, GroupRole, InvitationKind, RosterRow
from groups.selectors import is_group_member
from tests.arena.factories import PASSWORD, OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tests.groups.factories import GroupFactory
from tests.groups.test_joining import join, way_in
from web.invitations import LETTERS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def group() -> Any:
    return GroupFactory()


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


def test_a_new_user_signs_up_and_returns_to_the_group(group: Any) -> None:
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


def test_a_printed_code_is_replaced_only_after_confirmation(group: Any) -> None:
    RosterRow.objects.create(group=group, name="Zoë", roster_id="17")
    client, slips, roster = opened(group.created_by), f"/groups/{group.slug}/slips/", f"/groups/{group.slug}/roster/"
    data = {"for_roster": "on", "count": "0", "days": "3"}

    def printed(**more: str) -> list[str]:
        return re.findall(r'class="slip-code">([^<]+)<', client.post(slips, data | more).content.decode())

    assert "needs a printed code" in client.get(roster).content.decode()
    (first,) = printed()
    text = client.get(roster).content.decode()
    assert "needs a printed code" not in text
    assert "the printed one stops working" in " ".join(text.split())
    assert client.post(slips, data).status_code == 422
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
