"""Mail that does not work locks nobody out, and the pages and Operations say so."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import caches
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from tests.arena.factories import PASSWORD, UserFactory
from tests.arena.test_wrong_settings import run
from tests.mail_catcher import MailCatcher, mail_caught
from web.email import email_state

pytestmark = pytest.mark.django_db

SIGN_UP = {"username": "henrietta", "email": "hen@example.org", "password1": PASSWORD, "password2": PASSWORD}
UNABLE = "This site can't send email right now"


@pytest.fixture(autouse=True)
def mail(settings: Any) -> Iterator[MailCatcher]:
    """Production's way with addresses, and a mail server."""
    caches["default"].clear()
    caches["optional"].clear()
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.EMAIL_BACKEND = "web.email.SmtpBackend"
    with mail_caught() as catcher:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", catcher.port
        yield catcher


def sign_in(login: str) -> Any:
    return Client().post(reverse("account_login"), {"login": login, "password": PASSWORD}, follow=True)


def administrator(**more: str) -> None:
    call_command("createsuperuser", interactive=False, username="ada", stdout=StringIO(), **more)
    user = User.objects.get(username="ada")
    user.set_password(PASSWORD)
    user.save()


@pytest.mark.parametrize("email", ["Ada@Example.org", ""])
@pytest.mark.parametrize("works", [True, False])
def test_the_first_administrator_signs_in_at_once(settings: Any, email: str, works: bool) -> None:
    settings.EMAIL_PORT = settings.EMAIL_PORT if works else 1
    administrator(email=email)
    page = sign_in("ada")
    assert page.status_code == 200
    assert page.context["user"].username == "ada"
    assert EmailAddress.objects.filter(email="ada@example.org", verified=True, primary=True).exists() is bool(email)


def test_an_address_that_somebody_else_confirmed_is_not_taken_by_the_command() -> None:
    EmailAddress.objects.create(user=UserFactory(email="ada@example.org"), email="ada@example.org", verified=True)
    with pytest.raises(CommandError, match="has an account already"):
        administrator(email="Ada@example.org")
    assert EmailAddress.objects.filter(email="ada@example.org", verified=True).count() == 1


def test_the_organiser_of_make_run_signs_in_where_addresses_must_be_confirmed() -> None:
    person = UserFactory(username="organiser", email="", is_staff=True, is_superuser=True)
    assert sign_in("organiser").context["user"] == person


@pytest.mark.parametrize("away", ["nobody listens", "session", "sender"])
def test_sign_up_and_sign_in_work_without_mail_and_say_so(settings: Any, mail: MailCatcher, away: str) -> None:
    if away == "nobody listens":
        settings.EMAIL_PORT = 1
    else:
        mail.refuses = away
    page = Client().post(reverse("account_signup"), SIGN_UP, follow=True)
    assert page.status_code == 200
    assert page.context["user"].username == "henrietta"
    text = page.content.decode()
    assert "The email to hen@example.org could not be sent" in text
    assert "Confirmation email sent" not in text
    for login in ("henrietta", "hen@example.org", "henrietta"):  # and not only while the letter is tried
        again = sign_in(login)
        assert again.context["user"].username == "henrietta"
        assert "your address is not confirmed" in again.content.decode()
    assert not EmailAddress.objects.get(email="hen@example.org").verified


def test_the_confirmation_is_sent_once_mail_works_again(settings: Any, mail: MailCatcher) -> None:
    works, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    Client().post(reverse("account_signup"), SIGN_UP)
    assert email_state().is_failing
    settings.EMAIL_PORT = works
    page = sign_in("henrietta")
    assert not page.context["user"].is_authenticated
    assert [message["To"] for message in mail.messages] == ["hen@example.org"]
    assert not email_state().is_failing
    assert email_state().sent_at is not None


def test_nobody_gets_past_with_an_address_that_their_mail_server_refuses(mail: MailCatcher) -> None:
    mail.refuses = "recipient"
    page = Client().post(reverse("account_signup"), SIGN_UP, follow=True)
    assert page.status_code == 200
    assert not page.context["user"].is_authenticated
    assert "refused the email to hen@example.org" in page.content.decode()
    assert not email_state().is_failing


def test_an_address_that_has_an_account_is_answered_like_another_while_mail_is_away(settings: Any) -> None:
    UserFactory(email="hen@example.org")
    settings.EMAIL_PORT = 1
    page = Client().post(reverse("account_signup"), SIGN_UP, follow=True)
    assert page.status_code == 200
    assert User.objects.count() == 1


def test_pages_of_accounts_and_operations_say_that_mail_does_not_work(settings: Any, client: Client) -> None:
    pages = [reverse(name) for name in ("account_login", "account_signup", "account_reset_password")]
    assert not any(UNABLE in client.get(page).content.decode() for page in pages)
    settings.EMAIL_PORT = 1
    Client().post(reverse("account_signup"), SIGN_UP)
    assert all(UNABLE in client.get(page).content.decode() for page in pages)
    client.force_login(UserFactory(is_staff=True))
    shown = client.get(reverse("operations:page")).content.decode()
    assert "refused the last email" in shown
    assert "ConnectionRefusedError" in shown
    assert UNABLE in client.get(reverse("account_email")).content.decode()


def test_a_new_address_waits_while_its_email_cannot_be_sent(settings: Any, client: Client) -> None:
    person = UserFactory()
    client.force_login(person)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    settings.EMAIL_PORT = 1
    page = client.post(reverse("account_email"), {"action_add": "", "email": "two@example.org"}, follow=True)
    assert page.status_code == 200
    assert "The email to two@example.org could not be sent" in page.content.decode()
    assert EmailAddress.objects.filter(user=person, email="two@example.org", verified=False).exists()


def test_a_test_email_names_the_server_or_the_error(settings: Any, mail: MailCatcher, tmp_path: Any) -> None:
    output = StringIO()
    call_command("sendtestemail", "ada@example.org", stdout=output)
    assert "127.0.0.1 took the letter" in output.getvalue()
    assert mail.messages[0]["To"] == "ada@example.org"
    settings.EMAIL_PORT = 1
    with pytest.raises(CommandError, match=r"127.0.0.1:1 did not take the letter: .*refused"):
        call_command("sendtestemail", "ada@example.org")
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path
    output = StringIO()
    call_command("sendtestemail", "ada@example.org", stdout=output)
    assert str(tmp_path) in output.getvalue()


def test_a_development_site_sends_emails_through_a_configured_server(mail: MailCatcher, tmp_path: Path) -> None:
    server = {"EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": str(mail.port)}
    command = ("manage.py", "sendtestemail", "ada@example.org")
    done = run(tmp_path, command, DJANGO_SETTINGS_MODULE="arena.settings.dev", **server)
    assert (done.returncode, len(mail.messages)) == (0, 1), done.stderr
    done = run(tmp_path, command, DJANGO_SETTINGS_MODULE="arena.settings.dev")
    assert (done.returncode, len(mail.messages)) == (0, 1), done.stderr
    assert len(list((tmp_path / "mail").iterdir())) == 1
