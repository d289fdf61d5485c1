"""Passkeys as a second factor: adding, confirming, renaming and removing."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from fido2.utils import websafe_encode

from arena.accounts.export_parts import PARTS
from arena.accounts.passkeys import NAME_MOST, PASSKEYS_MOST
from arena.accounts.second_factor import has_second_factor
from tests.arena.authenticators import SecurityKey
from tests.arena.factories import PASSWORD, OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tests.arena.passkeys import SecureClient, add, options_of, protected, use
from tests.arena.test_second_factor import SECRET, codes_of, confirm, enter, is_signed_in, sign_in
from tests.bots.test_permissions import token_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    return SecureClient()


def test_it_is_added_after_the_password_and_announced_by_email(
    client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    person = UserFactory()
    sign_in(client, person)
    response = client.get(reverse("mfa_add_webauthn"))
    assert response.headers["Location"].startswith(reverse("account_reauthenticate"))
    page = confirm(client, "mfa_add_webauthn")
    assert_clean_page(page)
    assert "no-store" in page.headers["Cache-Control"]
    making = options_of(page)["creation_options"]["publicKey"]
    assert making["rp"] == {"id": "testserver", "name": "Pecking Order"}
    assert (making["user"]["name"], person.email in str(making)) == (person.username, False)
    with django_capture_on_commit_callbacks(execute=True):
        done = add(client, SecurityKey())
    assert done.headers["Location"] == reverse("mfa_view_recovery_codes")
    assert_clean_page(client.get(done.headers["Location"]))
    assert len(codes_of(person)) == 10
    assert "was set up" in mail.outbox[0].body
    index = client.get(reverse("mfa_index"))
    assert_clean_page(index)
    assert "Ring" in index.content.decode()


def test_signing_in_takes_the_passkey_and_no_page_knows_the_person_before(client: Client) -> None:
    key = SecurityKey()
    person = protected(key)
    assert sign_in(client, person).headers["Location"] == reverse("mfa_authenticate")
    assert_clean_page(client.get(reverse("mfa_authenticate")))
    assert client.get(reverse("accounts:tokens")).status_code == 302
    refused = use(client, SecurityKey())
    assert_clean_page(refused)
    assert "That passkey wasn't accepted" in refused.content.decode()
    assert not is_signed_in(client)
    assert use(client, key).status_code == 302
    assert is_signed_in(client)
    assert Authenticator.objects.get(type="webauthn").last_used_at


def test_an_answer_is_good_once_and_for_its_own_challenge(client: Client) -> None:
    key = SecurityKey()
    person = protected(key)
    sign_in(client, person)
    answer = key.used(options_of(client.get(reverse("mfa_authenticate"))))
    later = SecureClient()
    sign_in(later, person)
    later.get(reverse("mfa_authenticate"))
    refused = later.post(reverse("mfa_authenticate"), {"credential": answer})
    assert not is_signed_in(later)
    assert re.findall(r'<input[^>]*name="credential"[^>]*>', refused.content.decode()) == [
        '<input type="hidden" name="credential" id="id_credential">'
    ]
    assert websafe_encode(key.id) in refused.content.decode(), "it asks again"
    client.post(reverse("mfa_authenticate"), {"credential": answer})
    assert is_signed_in(client)
    again = SecureClient()
    sign_in(again, person)
    again.post(reverse("mfa_authenticate"), {"credential": answer})
    assert not is_signed_in(again)


@pytest.mark.parametrize(
    "other",
    [
        {"origin": "https://testserver.example.org"},
        {"origin": "https://pages.testserver"},
        {"origin": "https://testserver:8443"},
        {"origin": "http://testserver"},
        {"host": "example.org"},
    ],
)
def test_a_false_page_gets_nothing(other: dict[str, str], client: Client) -> None:
    key = SecurityKey()
    person = protected(key)
    for name, value in other.items():
        setattr(key, name, value)
    sign_in(client, person)
    use(client, key)
    assert not is_signed_in(client)


def test_a_signature_of_other_data_is_refused_and_no_more_than_five_are_tried(client: Client) -> None:
    key = SecurityKey()
    person = protected(key)
    sign_in(client, person)
    for _guess in range(5):
        use(client, key, signature=b"0" * 64)
    use(client, key)
    assert not is_signed_in(client)


def test_a_passkey_of_another_person_signs_nobody_in(client: Client) -> None:
    mine, theirs = SecurityKey(), SecurityKey()
    person = protected(mine)
    protected(theirs)
    sign_in(client, person)
    use(client, theirs)
    assert not is_signed_in(client)


def test_recovery_codes_and_the_app_do_in_its_place() -> None:
    key = SecurityKey()
    person = protected(key)
    client = SecureClient()
    sign_in(client, person)
    enter(client, codes_of(person)[0])
    assert is_signed_in(client)


def test_an_owner_of_a_passkey_never_confirms_by_the_password_alone(client: Client) -> None:
    key = SecurityKey()
    person = protected(key)
    client.force_login(person)
    own = Authenticator.objects.get(user=person, type="webauthn").pk
    addresses = [
        reverse("mfa_add_webauthn"),
        reverse("mfa_edit_webauthn", args=[own]),
        reverse("mfa_remove_webauthn", args=[own]),
        reverse("mfa_view_recovery_codes"),
        reverse("mfa_activate_totp"),
    ]
    for address in addresses:
        assert client.get(address).headers["Location"].startswith(reverse("mfa_reauthenticate_webauthn")), address
        client.post(address, {"name": "Mine now"})
    by_password = client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert by_password.headers["Location"].startswith(reverse("mfa_reauthenticate_webauthn"))
    assert Authenticator.objects.get(pk=own).wrap().name == "Ring"
    page = client.get(reverse("mfa_reauthenticate_webauthn") + "?next=/bots/")
    assert_clean_page(page)
    assert f"{reverse('mfa_reauthenticate')}?next=%2Fbots%2F" in page.content.decode(), "a code will do as well"
    wrong = use(client, SecurityKey(), "mfa_reauthenticate_webauthn")
    assert_clean_page(wrong)
    assert "That passkey wasn't accepted" in wrong.content.decode()
    assert use(client, key, "mfa_reauthenticate_webauthn").status_code == 302
    for address in addresses:
        page = client.get(address)
        assert page.status_code == 200, address
        assert_clean_page(page)


def test_it_is_renamed_and_removed_by_its_owner_alone(client: Client, django_capture_on_commit_callbacks: Any) -> None:
    key = SecurityKey()
    person = protected(key)
    own = Authenticator.objects.get(user=person, type="webauthn").pk
    for other in (UserFactory(), OrganiserFactory(), UserFactory(is_staff=True, is_superuser=True)):
        outsider = SecureClient()
        sign_in(outsider, other)
        confirm(outsider, "mfa_add_webauthn")
        for name in ("mfa_edit_webauthn", "mfa_remove_webauthn"):
            assert outsider.get(reverse(name, args=[own])).status_code == 404
            assert outsider.post(reverse(name, args=[own]), {"name": "Mine"}).status_code == 404
    client.force_login(person)
    use(client, key, "mfa_reauthenticate_webauthn")
    renamed = client.post(reverse("mfa_edit_webauthn", args=[own]), {"name": "<Ring>"}, follow=True)
    assert_clean_page(renamed)
    assert "&lt;Ring&gt;" in renamed.content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("mfa_remove_webauthn", args=[own]))
    assert not Authenticator.objects.exists()
    assert "the password is enough to sign in" in mail.outbox[-1].body
    alone = SecureClient()
    sign_in(alone, person)
    assert is_signed_in(alone)


def test_the_email_names_another_second_factor_that_is_left(
    client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    key = SecurityKey()
    person = protected(key)
    TOTP.activate(person, SECRET)
    client.force_login(person)
    use(client, key, "mfa_reauthenticate_webauthn")
    own = Authenticator.objects.get(user=person, type="webauthn").pk
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("mfa_remove_webauthn", args=[own]))
    assert "use another one to sign in" in mail.outbox[-1].body
    assert len(codes_of(person)) == 10
    assert has_second_factor(person)


def test_one_is_enough_where_a_second_factor_is_required(client: Client, settings: Any) -> None:
    settings.MFA_REQUIRED_OF = "staff"
    person = UserFactory(is_staff=True)
    sign_in(client, person)
    assert client.get("/bots/").headers["Location"] == reverse("mfa_index")
    headers = {"authorization": f"Token {token_of(person)}"}
    assert SecureClient().get("/api/me/", headers=headers).status_code == 401
    assert confirm(client, "mfa_add_webauthn").status_code == 200
    add(client, SecurityKey())
    assert client.get("/bots/").status_code == 200
    assert SecureClient().get("/api/me/", headers=headers).status_code == 200


def test_recovery_codes_alone_are_no_second_factor() -> None:
    person = UserFactory()
    RecoveryCodes.activate(person)
    assert not has_second_factor(person)


def test_a_person_has_only_so_many_with_names_only_so_long(client: Client) -> None:
    person = UserFactory()
    sign_in(client, person)
    confirm(client, "mfa_add_webauthn")
    assert add(client, SecurityKey(), "x" * (NAME_MOST + 1)).status_code == 200
    assert not has_second_factor(person)
    adding = f'href="{reverse("mfa_add_webauthn")}"'
    for _key in range(PASSKEYS_MOST):
        assert adding in client.get(reverse("mfa_index")).content.decode()
        add(client, SecurityKey(), name="")
    assert adding not in client.get(reverse("mfa_index")).content.decode()
    answer = add(client, SecurityKey(), name="")
    assert_clean_page(answer)
    assert f"You have {PASSKEYS_MOST} passkeys" in answer.content.decode()
    passkeys = Authenticator.objects.filter(user=person, type="webauthn").order_by("pk")
    assert [one.wrap().name for one in passkeys] == [f"Passkey {n}" for n in range(1, PASSKEYS_MOST + 1)]


def test_staff_end_it_with_all_others_and_an_export_has_it() -> None:
    person = protected(SecurityKey(), username="henrietta")
    rows = [*PARTS["second-factors"](person)]
    assert {one["type"] for one in rows} == {"webauthn", "recovery_codes"}
    call_command("end_second_factor", "henrietta")
    assert not Authenticator.objects.exists()
    assert "the password is enough to sign in" in mail.outbox[-1].body


def test_an_anonymous_visitor_has_to_sign_in(client: Client) -> None:
    for name in ("mfa_add_webauthn", "mfa_reauthenticate_webauthn", "mfa_list_webauthn", "mfa_authenticate"):
        answer = client.get(reverse(name), follow=True)
        assert answer.redirect_chain[-1][0].startswith(reverse("account_login")), name
