"""The second factor: setup, confirmation, recovery, removal; who needs it, and what they can do without."""

import re
import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse

from arena.accounts.models import AccessToken, User
from arena.accounts.second_factor import SecondFactorAdapter, has_second_factor
from tests.arena.factories import PASSWORD, OrganiserFactory, UserFactory
from tests.arena.outages import cache_away
from tests.arena.pages import assert_clean_page
from tests.bots.test_permissions import token_of
from tests.waiting import eventually

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("steady")]

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that begins in the last moment of a code's half minute does not meet the next."""
    now = next(iter(auth.yield_hotp_counters_from_time()))
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.yield_hotp_counters_from_time", lambda: iter([now]))


def code_of(secret: str = SECRET) -> str:
    return format_hotp_value(hotp_value(secret, next(iter(auth.yield_hotp_counters_from_time()))))


def lasting_code_of(secret: str) -> str:
    """A code that another process takes for ten seconds or more."""
    assert eventually(lambda: time.time() % 30 < 20)
    return code_of(secret)


def protected(**given: Any) -> User:
    person = UserFactory(**given)
    TOTP.activate(person, SECRET)
    RecoveryCodes.activate(person)
    return person


def codes_of(person: User) -> list[str]:
    wrapped = Authenticator.objects.get(user=person, type="recovery_codes").wrap()
    found: list[str] = wrapped.get_unused_codes()
    return found


def sign_in(client: Client, person: User, **more: Any) -> Any:
    return client.post(reverse("account_login"), {"login": person.username, "password": PASSWORD}, **more)


def confirm(client: Client, name: str) -> Any:
    """Come to a page that takes the password once more."""
    return client.post(reverse("account_reauthenticate"), {"password": PASSWORD, "next": reverse(name)}, follow=True)


def enter(client: Client, code: str) -> Any:
    return client.post(reverse("mfa_authenticate"), {"code": code})


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_it_is_set_up_with_a_code_of_the_app_after_the_password(
    client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    person = UserFactory()
    sign_in(client, person)
    page = confirm(client, "mfa_activate_totp")
    assert_clean_page(page)
    assert "no-store" in page.headers["Cache-Control"]
    (secret,) = re.findall(r'<output class="secret">(\w+)</output>', page.content.decode())
    wrong = client.post(reverse("mfa_activate_totp"), {"code": "000000"})
    assert_clean_page(wrong)
    assert not has_second_factor(person)
    (secret,) = re.findall(r'<output class="secret">(\w+)</output>', wrong.content.decode())
    with django_capture_on_commit_callbacks(execute=True):
        done = client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    codes = client.get(done.headers["Location"])
    assert_clean_page(codes)
    assert "no-store" in codes.headers["Cache-Control"]
    assert has_second_factor(person)
    assert all(code in codes.content.decode() for code in codes_of(person))
    assert [message.to for message in mail.outbox] == [[person.email]]
    assert "was set up" in mail.outbox[0].body
    assert secret not in mail.outbox[0].body
    assert_clean_page(client.get(reverse("mfa_index")))


def test_a_session_that_somebody_left_open_sets_none_up(client: Client) -> None:
    sign_in(client, UserFactory())
    response = client.get(reverse("mfa_activate_totp"))
    assert response.headers["Location"].startswith(reverse("account_reauthenticate"))


def test_signing_in_takes_the_code_and_no_page_knows_the_person_before(client: Client) -> None:
    person = protected()
    assert sign_in(client, person).headers["Location"] == reverse("mfa_authenticate")
    assert_clean_page(client.get(reverse("mfa_authenticate")))
    assert not is_signed_in(client)
    assert client.get(reverse("accounts:tokens")).status_code == 302
    wrong = enter(client, "000000")
    assert_clean_page(wrong)
    assert not is_signed_in(client)
    assert enter(client, code_of()).status_code == 302
    assert is_signed_in(client)


def test_a_code_is_good_once(client: Client) -> None:
    person = protected()
    code = code_of()
    for known in (True, False):
        other = Client()
        sign_in(other, person)
        enter(other, code)
        assert is_signed_in(other) is known


def test_a_recovery_code_is_good_once_in_the_apps_place(client: Client) -> None:
    person = protected()
    (code, *rest) = codes_of(person)
    sign_in(client, person)
    enter(client, code)
    assert is_signed_in(client)
    again = Client()
    sign_in(again, person)
    enter(again, code)
    assert not is_signed_in(again)
    enter(again, rest[0])
    assert is_signed_in(again)


def test_codes_are_not_guessed(client: Client) -> None:
    person = protected()
    sign_in(client, person)
    for _guess in range(5):
        enter(client, "000000")
    held = enter(client, code_of())
    assert "Too many" in held.content.decode()
    assert not is_signed_in(client)


def test_without_the_cache_no_code_is_tried(client: Client) -> None:
    person = protected()
    sign_in(client, person)
    with cache_away():
        answer = enter(client, code_of())
    assert answer.status_code == 503
    assert_clean_page(answer)
    assert not is_signed_in(client)


@pytest.mark.parametrize("name", ["mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes"])
def test_an_owner_of_a_second_factor_never_confirms_by_the_password_alone(name: str, client: Client) -> None:
    person = protected()
    client.force_login(person)
    response = client.get(reverse(name))
    assert response.headers["Location"].startswith(reverse("mfa_reauthenticate"))
    by_password = client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert by_password.headers["Location"].startswith(reverse("mfa_reauthenticate"))
    assert client.get(reverse(name)).status_code == 302
    assert_clean_page(client.get(response.headers["Location"]))
    confirmed = client.post(response.headers["Location"], {"code": code_of(), "next": reverse(name)})
    page = client.get(confirmed.headers["Location"])
    assert page.status_code == 200
    assert_clean_page(page)


def test_new_recovery_codes_end_the_old(client: Client, django_capture_on_commit_callbacks: Any) -> None:
    person = protected()
    old = codes_of(person)
    client.force_login(person)
    client.post(reverse("mfa_reauthenticate"), {"code": code_of()})
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("mfa_generate_recovery_codes"))
    assert "New recovery codes" in mail.outbox[-1].body
    assert not set(old) & set(codes_of(person))


def test_switched_off_the_recovery_codes_end_and_the_password_is_enough(client: Client) -> None:
    person = protected()
    client.force_login(person)
    client.post(reverse("mfa_deactivate_totp"))
    assert has_second_factor(person)
    client.post(reverse("mfa_reauthenticate"), {"code": code_of()})
    client.post(reverse("mfa_deactivate_totp"))
    assert "switched off" in mail.outbox[-1].body
    assert not Authenticator.objects.exists()
    other = Client()
    sign_in(other, person)
    assert is_signed_in(other)


def test_an_email_that_cannot_be_sent_undoes_nothing(client: Client, settings: Any) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_PORT = "web.email.SmtpBackend", 1
    person = protected()
    client.force_login(person)
    client.post(reverse("mfa_reauthenticate"), {"code": code_of()})
    assert client.post(reverse("mfa_deactivate_totp")).status_code == 302
    assert not has_second_factor(person)


def test_an_unconfirmed_address_prevents_it_and_the_page_says_what_to_do(client: Client) -> None:
    person = UserFactory()
    EmailAddress.objects.create(user=person, email="one@example.org", verified=True, primary=True)
    EmailAddress.objects.create(user=person, email="two@example.org")
    client.force_login(person)
    text = client.get(reverse("mfa_activate_totp"), follow=True).content.decode()
    assert "confirm it, or remove it, under Email" in text


def test_no_address_is_added_beside_a_second_factor_and_the_form_says_what_to_do(client: Client) -> None:
    person = protected()
    client.force_login(person)
    response = client.post(reverse("account_email"), {"action_add": "", "email": "two@example.org"}, follow=True)
    assert "switch it off, add the address and confirm it" in response.content.decode()


@pytest.mark.usefixtures("worker")
def test_a_password_reset_ends_sessions_and_tokens_and_keeps_the_second_factor(client: Client) -> None:
    person, thief = protected(), Client()
    token_of(person)
    thief.force_login(person)
    client.post(reverse("account_reset_password"), {"email": person.email})
    (link,) = re.findall(r"http://testserver(/accounts/password/reset/key/\S+)", str(mail.outbox[-1].body))
    where = client.get(link).headers["Location"]
    client.post(where, {"password1": "brand-new-worms", "password2": "brand-new-worms"})
    assert not AccessToken.objects.exists()
    assert thief.get(reverse("accounts:tokens")).status_code == 302
    assert not is_signed_in(client)
    client.post(reverse("account_login"), {"login": person.username, "password": "brand-new-worms"})
    assert not is_signed_in(client)
    enter(client, code_of())
    assert is_signed_in(client)


def test_the_database_holds_no_secret_that_can_be_read() -> None:
    person = protected()
    with connection.cursor() as cursor:
        cursor.execute("SELECT data FROM mfa_authenticator")
        stored = str(cursor.fetchall())
    assert SECRET not in stored
    assert not [code for code in codes_of(person) if code in stored]


def test_another_secret_key_reads_no_factor_and_lets_nobody_in() -> None:
    adapter = SecondFactorAdapter()
    stored = adapter.encrypt(SECRET)
    assert adapter.decrypt(stored) == SECRET
    with override_settings(SECRET_KEY="another"):
        once = adapter.decrypt(stored)
        assert once != SECRET
        assert adapter.decrypt(stored) != once  # by chance: nobody can know it
        code_of(once)  # a secret as any other
    with override_settings(SECRET_KEY="another", SECRET_KEY_FALLBACKS=["test"]):
        assert adapter.decrypt(stored) == SECRET


def test_it_is_optional_and_recommended_to_organisers(client: Client) -> None:
    organiser = OrganiserFactory()
    client.force_login(organiser)
    sentence = "Two-factor authentication protects it even if someone learns your password."
    assert sentence in client.get(reverse("accounts:profile", args=[organiser.username])).content.decode()
    assert sentence in client.get(reverse("mfa_index")).content.decode()
    author = UserFactory()
    client.force_login(author)
    assert sentence not in client.get(reverse("accounts:profile", args=[author.username])).content.decode()


@pytest.mark.parametrize(
    ("required", "led"),
    [("nobody", set()), ("staff", {"staff"}), ("organisers", {"staff", "organiser"})],
)
def test_a_user_without_a_required_second_factor_is_redirected_to_set_it_up(
    required: str, led: set[str], settings: Any
) -> None:
    settings.MFA_REQUIRED_OF = required
    people = {
        "author": UserFactory(),
        "organiser": OrganiserFactory(),
        "staff": UserFactory(is_staff=True, is_superuser=True),
    }
    for who, person in people.items():
        client = Client()
        client.force_login(person)
        for address in ("/", "/admin/", "/admin/accounts/user/", "/operations/", "/accounts/tokens/"):
            answer = client.get(address)
            assert (answer.headers.get("Location") == reverse("mfa_index")) is (who in led), (who, address)
        token = client.get("/api/me/", headers={"authorization": f"Token {token_of(person)}"})
        assert token.status_code == (401 if who in led else 200), who
        assert_clean_page(client.get(reverse("mfa_index")))
        TOTP.activate(person, SECRET)
        assert client.get("/").status_code == 200
    assert Client().get("/").status_code == 200


def test_led_there_one_can_set_it_up_confirm_an_address_and_sign_out(client: Client, settings: Any) -> None:
    settings.MFA_REQUIRED_OF = "staff"
    sign_in(client, UserFactory(is_staff=True))
    assert confirm(client, "mfa_activate_totp").status_code == 200
    for name in ("mfa_index", "mfa_activate_totp", "account_email", "account_change_password", "account_logout"):
        assert client.get(reverse(name)).status_code == 200, name
    assert client.post("/tournaments/new/", {}).headers["Location"] == reverse("mfa_index")


def test_a_command_helps_a_user_who_has_lost_both_factors() -> None:
    person = protected(username="henrietta")
    call_command("end_second_factor", "henrietta")
    assert not has_second_factor(person)
    assert "switched off" in mail.outbox[-1].body
    for name in ("henrietta", "nobody-at-all"):
        with pytest.raises(CommandError):
            call_command("end_second_factor", name)
