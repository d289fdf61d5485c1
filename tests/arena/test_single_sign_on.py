"""Sign-in by OpenID Connect: who comes in, as whom, and who does not."""

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.test import Client

from arena.accounts.deletion import account_delete
from arena.accounts.export_parts import PARTS
from arena.accounts.models import User
from groups.models import GroupMember, MemberAct, MemberChange
from groups.services import group_member_remove
from tests.arena.factories import PASSWORD, UserFactory
from tests.arena.oidc import ISSUER, SETTINGS, Provider, begin, come_back, provider
from tests.groups.factories import GroupFactory, member_in

pytestmark = pytest.mark.django_db
ROSA = {
    "sub": "42",
    "email": "rosa@school.example",
    "email_verified": True,
    "preferred_username": "rosa",
    "name": "R. L.",
}


@pytest.fixture
def school(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    for name, value in SETTINGS.items():
        setattr(settings, name, value)
    with provider(monkeypatch) as found:
        found.person = dict(ROSA)
        yield found


def signed_in(client: Client) -> str:
    key = client.session.get("_auth_user_id")
    return User.objects.get(pk=key).username if key else ""


def first_visit(school: Provider, username: str = "rosa", **typed: str) -> Client:
    client = Client()
    answer = come_back(client, begin(client))
    assert answer["Location"] == "/accounts/3rdparty/signup/"
    answer = client.post(answer["Location"], {"username": username, "email": school.person["email"], **typed})
    assert answer.status_code == 302, answer.content.decode()[:3000]
    return client


def test_the_first_visit_asks_for_a_name_and_the_next_signs_in(school: Provider) -> None:
    client = Client()
    assert "Continue with Hill School" in client.get("/accounts/login/").content.decode()
    taken = begin(client, "?process=login&next=/bots/")
    assert taken["client_id"] == "pecking"
    assert taken["code_challenge_method"] == "S256"
    answer = come_back(client, taken)
    page = client.get(answer["Location"]).content.decode()
    assert 'value="rosa"' in page
    assert "R. L." not in page
    taken_name = client.post(answer["Location"], {"username": "admin", "email": ROSA["email"]})
    assert taken_name.status_code == 200, "the rules of names hold"
    made = client.post(answer["Location"], {"username": "rosa", "email": ROSA["email"]})
    assert made["Location"] == "/bots/"
    assert signed_in(client) == "rosa"
    rosa = User.objects.get()
    assert (rosa.first_name, rosa.last_name, rosa.has_usable_password()) == ("", "", False)
    assert EmailAddress.objects.get(user=rosa).verified
    assert not SocialToken.objects.exists()
    again = Client()
    assert come_back(again, begin(again))["Location"] == "/"
    assert signed_in(again) == "rosa"
    assert User.objects.count() == 1
    assert [row["uid"] for row in PARTS["single-sign-on"](rosa)] == ["42"]
    account_delete(person=rosa)
    assert not SocialAccount.objects.exists()


def test_an_address_of_an_account_here_does_not_sign_in_to_it(school: Provider) -> None:
    owner = UserFactory(username="owner", email=ROSA["email"])
    EmailAddress.objects.create(user=owner, email=ROSA["email"], verified=True, primary=True)
    client = Client()
    come_back(client, begin(client))
    assert not signed_in(client)
    client.post("/accounts/3rdparty/signup/", {"username": "rosa", "email": ROSA["email"]})
    assert not signed_in(client)
    assert not SocialAccount.objects.exists()
    client.force_login(owner)
    answer = come_back(client, begin(client, "?process=connect"))
    assert answer["Location"] == "/accounts/reauthenticate/"
    assert not SocialAccount.objects.exists()
    assert client.post(answer["Location"], {"password": PASSWORD})["Location"] == "/accounts/3rdparty/"
    assert ROSA["email"] in client.get("/accounts/3rdparty/").content.decode()
    other = Client()
    come_back(other, begin(other))
    assert signed_in(other) == "owner"
    thief = Client()
    thief.force_login(UserFactory(username="thief"))
    thief.post(come_back(thief, begin(thief, "?process=connect"))["Location"], {"password": PASSWORD})
    assert SocialAccount.objects.get().user == owner
    number = SocialAccount.objects.get().pk
    thief.post("/accounts/3rdparty/", {"account": number})
    assert SocialAccount.objects.filter(pk=number).exists()
    client.post("/accounts/3rdparty/", {"account": number})
    assert not SocialAccount.objects.exists()


def test_an_address_that_the_provider_does_not_vouch_for_is_not_confirmed(school: Provider) -> None:
    school.person |= {"email_verified": False}
    first_visit(school)
    assert not EmailAddress.objects.get().verified
    school.person |= {"sub": "43", "email_verified": True, "email": "bea@school.example"}
    first_visit(school, "bea", email="principal@school.example")
    assert not EmailAddress.objects.get(email="principal@school.example").verified


@pytest.mark.parametrize("what", ["state", "error", "broken", "another browser"])
def test_a_forged_answer_of_the_provider_signs_nobody_in(school: Provider, what: str) -> None:
    first_visit(school)
    client = Client()
    taken = begin(client)
    school.broken = what == "broken"
    changed: dict[str, dict[str, str]] = {"state": {"state": "forged"}, "error": {"error": "access_denied"}}
    answer = come_back(Client() if what == "another browser" else client, taken, **changed.get(what, {}))
    if answer.status_code == 302:
        answer = client.get(answer["Location"])
    assert any(words in answer.content.decode() for words in ("Sign-in failed", "Sign-in cancelled"))
    assert not signed_in(client)
    if school.broken:
        assert answer.status_code == 503
        assert client.post("/accounts/oidc/sso/login/").status_code == 503
    assert Client().get("/accounts/oidc/sso/login/").status_code == 200, "a link alone leads nowhere"
    assert Client().post("/accounts/oidc/other/login/").status_code == 404


@pytest.mark.parametrize("sub", [None, [1], "", "x" * 192, "a\0b", "43"])
def test_who_is_not_named_is_nobody(school: Provider, monkeypatch: pytest.MonkeyPatch, sub: Any) -> None:
    name = "arena.accounts.single_sign_on.OpenIDConnectOAuth2Adapter._fetch_user_info"
    monkeypatch.setattr(name, lambda _self, _token: ROSA | {"sub": sub})
    client = Client()
    assert "Sign-in failed" in come_back(client, begin(client)).content.decode()


@pytest.mark.parametrize(
    "claims",
    [
        {"email": ["a@b.example", "@"], "email_verified": True},
        {"email": {"@": 1}, "preferred_username": {"a": 1}},
        {"email": 5, "nick": float("nan")},
        {"email_verified": "false"},
        {"email_verified": [1], "groups": [[["x"]]]},
    ],
)
def test_claims_of_other_types_are_not_taken_over(school: Provider, claims: dict[str, Any]) -> None:
    school.person |= claims
    client = Client()
    answer = come_back(client, begin(client))
    client.post(answer["Location"], {"username": "rosa", "email": "rosa@home.example"})
    assert signed_in(client) == "rosa"
    assert not EmailAddress.objects.filter(email="rosa@home.example", verified=True).exists()


def test_the_next_address_stays_on_the_site(school: Provider) -> None:
    first_visit(school)
    client = Client()
    assert come_back(client, begin(client, "?process=login&next=https://evil.example/"))["Location"] == "/"


def test_a_claim_brings_a_member_into_its_group_once(school: Provider, settings: Any) -> None:
    group, other = GroupFactory(slug="class-7b"), GroupFactory(slug="class-7c")
    owner = member_in(group, role="owner").person
    settings.OIDC_GROUPS = {"cn=7b": group.slug, "cn=7c": other.slug, "cn=7d": "gone"}
    school.person |= {"groups": ["cn=7b", "cn=7d", 5]}
    client = first_visit(school)
    rosa = User.objects.get(username="rosa")
    assert list(GroupMember.objects.filter(person=rosa).values_list("group__slug", "role")) == [("class-7b", "member")]
    assert client.get(f"/groups/{group.slug}/").status_code == 200
    come_back(client, begin(client))
    assert MemberChange.objects.filter(person=rosa, act=MemberAct.JOINED).count() == 1
    group_member_remove(group=group, person_id=rosa.pk, by=owner)
    come_back(client, begin(client))
    assert not GroupMember.objects.filter(person=rosa).exists(), "who was removed stays out"


def test_a_disabled_account_stays_out_and_without_a_provider_is_no_button(school: Provider, settings: Any) -> None:
    first_visit(school)
    User.objects.update(is_active=False)
    client = Client()
    come_back(client, begin(client))
    assert not signed_in(client)
    settings.OIDC_URL, settings.SOCIALACCOUNT_PROVIDERS = "", {}
    assert "Continue with" not in client.get("/accounts/login/").content.decode()
    assert client.post("/accounts/oidc/sso/login/").status_code == 404
    User.objects.update(is_active=True)
    client.force_login(User.objects.get())
    page = client.get("/accounts/3rdparty/")
    assert page.status_code == 200, "what was connected is still shown"
    assert ISSUER not in page.content.decode()
