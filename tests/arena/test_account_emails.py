"""Emails about accounts: recipients, limits and links, and that response times reveal no account."""

import re
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from celery import current_app
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.accounts.account_email import account_email_mailbox
from tests.arena.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db

RESET = "account_reset_password"
SIGN_UP = {"username": "henrietta", "email": "hen@example.org", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture(autouse=True)
def _no_limit_by_address_of_the_network(settings: Any) -> None:
    """What is counted here is counted by mailbox and account."""
    settings.ACCOUNT_RATE_LIMITS |= {"reset_password": "999/m/ip", "login": "999/m/ip"}


def request_reset(email: str, **headers: str) -> Any:
    return Client(headers=headers).post(reverse(RESET), {"email": email})


def guess(login: str, address: str, password: str = "wrong") -> Any:
    return Client(REMOTE_ADDR=address).post(reverse("account_login"), {"login": login, "password": password})


def is_held_up(answer: Any) -> bool:
    return "Too many failed login attempts" in answer.content.decode()


@pytest.mark.usefixtures("worker")
def test_only_accounts_get_an_email() -> None:
    UserFactory(email="hen@example.org")
    request_reset("nobody@example.org")
    assert mail.outbox == []
    request_reset("hen@example.org")
    assert [message.to for message in mail.outbox] == [["hen@example.org"]]


def test_the_answer_comes_before_anybody_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same queries and the same message to the workers, whether there is an account or not."""
    UserFactory(email="hen@example.org")
    sent: list[Any] = []
    monkeypatch.setattr(current_app, "send_task", lambda *given, **_: sent.append(given))
    monkeypatch.setattr("celery.app.task.Task.apply_async", lambda self, args, *_, **__: sent.append((self.name, args)))
    queries = []
    for email in ("hen@example.org", "nobody@example.org"):
        client = Client()
        with CaptureQueriesContext(connection) as queries_made:
            client.post(reverse(RESET), {"email": email})
        queries.append([re.sub(r"'[^']*'", "?", query["sql"]) for query in queries_made])
    assert queries[0] == queries[1]
    assert not [sql for sql in queries[0] if "accounts_user" in sql or "emailaddress" in sql]
    assert sent == [
        ("accounts.write_reset", ("hen@example.org", "en")),
        ("accounts.write_reset", ("nobody@example.org", "en")),
    ]
    assert mail.outbox == []


@pytest.mark.usefixtures("worker")
def test_links_begin_with_the_address_of_the_settings_whatever_a_request_calls_the_site(settings: Any) -> None:
    settings.SITE_URL = "https://pecking.example.org"
    UserFactory(email="hen@example.org")
    request_reset("hen@example.org", host="evil.example.com")
    Client(headers={"host": "evil.example.com"}).post(reverse("account_signup"), SIGN_UP | {"email": "new@example.org"})
    other = SIGN_UP | {"username": "other", "email": "hen@example.org"}
    Client(headers={"host": "evil.example.com"}).post(reverse("account_signup"), other)
    assert len(mail.outbox) >= 2
    for message in mail.outbox:
        whole = f"{message.subject}\n{message.body}"
        assert "evil" not in whole
        assert "https://pecking.example.org/accounts/" in whole


@pytest.mark.usefixtures("worker")
def test_emails_to_a_mailbox_are_limited_whatever_the_spelling_of_its_address() -> None:
    UserFactory(email="hen@example.org")
    for number in range(8):
        UserFactory(email=f"hen+{number}@example.org")
        request_reset(f"Hen+{number}@Example.org")
        request_reset("hen@example.org")
    assert len(mail.outbox) == 5
    request_reset("nobody@example.org")
    UserFactory(email="fox@example.org")
    request_reset("fox@example.org")
    assert mail.outbox[-1].to == ["fox@example.org"]


def test_sign_ups_fill_nobodys_mailbox() -> None:
    for number in range(30):
        form = SIGN_UP | {"username": f"hen{number}", "email": f"victim+{number}@example.org"}
        assert Client().post(reverse("account_signup"), form).status_code == 302
    assert len(mail.outbox) == 20


@pytest.mark.parametrize(
    ("email", "one"),
    [("Hen+cup@Example.org", "hen@example.org"), ("h.en@example.org", "h.en@example.org"), ("+@x.org", "@x.org")],
)
def test_text_after_a_plus_does_not_make_another_mailbox(email: str, one: str) -> None:
    assert account_email_mailbox(email) == one


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("attack", ["sign up with it", "sign up beside it", "reset beside it"])
def test_others_cannot_use_up_the_emails_of_a_confirmed_address(attack: str, settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    owner = UserFactory(username="henrietta", email="hen@example.org")
    EmailAddress.objects.create(user=owner, email=owner.email, verified=True, primary=True)
    for number in range(25):
        beside = f"hen+{number}@example.org"
        form = SIGN_UP | {"username": f"other{number}", "email": beside}
        if attack == "reset beside it":
            UserFactory(email=beside)
            request_reset(beside)
        else:
            Client().post(reverse("account_signup"), form | ({"email": owner.email} if "with" in attack else {}))
    assert len(mail.outbox) == {"sign up with it": 1, "sign up beside it": 20, "reset beside it": 5}[attack]
    request_reset(owner.email)
    assert mail.outbox[-1].to == [owner.email]
    assert "/accounts/password/reset/key/" in mail.outbox[-1].body
    get_adapter().send_notification_mail("mfa/email/totp_activated", owner)
    assert "second factor" in mail.outbox[-1].body


@pytest.mark.parametrize(
    ("guesser", "other"),
    [
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2"),  # as a server writes IPv4 that listens for both
        ("2001:db8:0:1::1", "2001:db8:0:2::1"),
        ("192.0.2.1", "2001:db8::1"),
    ],
)
def test_neighbours_in_the_network_are_not_held_up(guesser: str, other: str) -> None:
    UserFactory(username="henrietta")
    for _attempt in range(6):
        answer = guess("henrietta", guesser)
    assert is_held_up(answer)
    assert guess("henrietta", other, PASSWORD).status_code == 302


@pytest.mark.parametrize(
    ("first", "second"), [("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2")]
)
def test_one_network_is_one_guesser_however_it_is_written(first: str, second: str) -> None:
    UserFactory(username="henrietta")
    for _attempt in range(6):
        guess("henrietta", first)
    assert is_held_up(guess("henrietta", second, PASSWORD))


@pytest.mark.parametrize("proxies", [1, 2])
def test_headers_of_visitors_do_not_change_their_address(proxies: int, settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    UserFactory(username="henrietta")
    forwarded = ", 192.0.2.1" + ", 10.0.0.1" * (proxies - 1)
    for number in range(7):
        claims = dict.fromkeys(("x-real-ip", "true-client-ip", "cf-connecting-ip"), f"198.51.100.{number}")
        client = Client(headers={"x-forwarded-for": f"198.51.100.{number}{forwarded}", **claims})
        answer = client.post(reverse("account_login"), {"login": "henrietta", "password": "wrong"})
    assert is_held_up(answer)


def test_a_class_behind_one_address_signs_in_though_many_mistype_their_password() -> None:
    for number in range(25):
        UserFactory(username=f"pupil{number}")
        guess(f"pupil{number}", "192.0.2.1")
    assert guess("pupil3", "192.0.2.1", PASSWORD).status_code == 302


def test_nobody_can_lock_out_another() -> None:
    UserFactory(username="henrietta")
    for _attempt in range(6):
        answer = guess("henrietta", "192.0.2.1")
    assert is_held_up(answer)
    assert is_held_up(guess("henrietta", "192.0.2.1", PASSWORD))
    assert guess("henrietta", "192.0.2.2", PASSWORD).status_code == 302


def test_name_and_address_are_one_account_to_a_guesser() -> None:
    UserFactory(username="henrietta", email="hen@example.org")
    logins = ["henrietta", "hen@example.org", "HENRIETTA", "Hen@Example.org", "henrietta"]
    for login in logins:
        guess(login, "192.0.2.1")
    assert is_held_up(guess("hen@example.org", "192.0.2.1", PASSWORD))


@pytest.mark.usefixtures("worker")
def test_the_owner_hears_of_it_once() -> None:
    UserFactory(username="henrietta", email="hen@example.org")
    for address in ("192.0.2.1", "192.0.2.2"):
        for _attempt in range(8):
            guess("henrietta", address)
    (message,) = mail.outbox
    assert message.to == ["hen@example.org"]
    assert "Wrong passwords for your account" in message.subject
    assert "henrietta" in message.body
    assert "http://testserver/accounts/password/reset/" in message.body
    for _attempt in range(8):
        guess("nobody", "192.0.2.3")
    assert len(mail.outbox) == 1
