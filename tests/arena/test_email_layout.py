"""The layout of emails: the same words as text and as HTML, the name of the site, and links to this site alone."""

import re
from html import unescape
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from django.urls import reverse

from tests.arena.factories import PASSWORD, UserFactory
from web.email import email_message

pytestmark = pytest.mark.django_db
SITE = "http://testserver"


def html_of(message: Any) -> str:
    assert isinstance(message, EmailMultiAlternatives)
    ((content, kind),) = message.alternatives
    assert kind == "text/html"
    return str(content)


def words(text: str) -> list[str]:
    return unescape(re.sub(r"<[^>]*>", " ", re.sub(r"</?a\b[^>]*>", "", text))).split()


def assert_well_made(message: Any) -> None:
    """It has both parts, which say the same, and says whose it is."""
    html = html_of(message)
    text = message.body.partition("\n-- \n")
    assert text[2] == f"Pecking Order\n{SITE}\n"
    body = html.partition("<main>")[2].partition("</main>")[0]
    assert words(body) == ["Pecking", "Order", *text[0].split()]
    assert "Pecking Order" in html.partition("<footer>")[2]
    assert message.from_email.startswith("Pecking Order <")
    assert all(link.startswith(f"{SITE}/") for link in re.findall(r'href="([^"]*)"', html))


@pytest.mark.usefixtures("worker")
def test_every_account_email_has_both_parts_and_the_name_of_the_site() -> None:
    owner = UserFactory(username="henrietta", email="hen@example.org")
    form = {"username": "rosa", "email": "rosa@example.org", "password1": PASSWORD, "password2": PASSWORD}
    Client().post(reverse("account_signup"), form)
    Client().post(reverse("account_signup"), form | {"username": "other", "email": "hen@example.org"})
    Client().post(reverse("account_reset_password"), {"email": "hen@example.org"})
    for change in ("totp_activated", "totp_deactivated", "recovery_codes_generated"):
        get_adapter().send_notification_mail(f"mfa/email/{change}", owner)
    for _attempt in range(6):
        Client().post(reverse("account_login"), {"login": "henrietta", "password": "wrong"})
    assert len(mail.outbox) >= 6
    for message in mail.outbox:
        assert_well_made(message)
    email = "\n".join(str(message.body) for message in mail.outbox)
    for link in ("/accounts/confirm-email/", "/accounts/password/reset/key/"):
        assert f"{SITE}{link}" in email
        assert any(f'<a href="{SITE}{link}' in html_of(message) for message in mail.outbox)


def test_an_email_about_an_event_has_the_same_layout() -> None:
    text = f"Hello rosa,\n\nyour bot Fat Crow has entered.\nIts page is {SITE}/bots/fat-crow/.\n"
    message = email_message(to="rosa@example.org", subject="Fat Crow has entered", text=text)
    assert_well_made(message)
    assert f'<a href="{SITE}/bots/fat-crow/">{SITE}/bots/fat-crow/</a>.' in html_of(message)
    assert "<br>" in html_of(message)


def test_a_line_below_the_signature_is_in_both_parts_with_its_link() -> None:
    link = f"{SITE}/notices/unsubscribe/x/"
    message = email_message(
        to="rosa@example.org", subject="News", text="Hello rosa", below=f"Stop these emails: {link}"
    )
    assert str(message.body).endswith(f"Stop these emails: {link}\n")
    assert f'Stop these emails: <a href="{link}">' in html_of(message)


def test_a_link_at_the_end_of_its_line_is_boxed_and_one_in_a_sentence_is_not() -> None:
    text = f"Your bot has won.\n{SITE}/bots/fat-crow/\n\nJoin here: {SITE}/g/x/\n\nSee {SITE}/cup/, and enter."
    html = html_of(email_message(to="rosa@example.org", subject="News", text=text))
    assert re.findall(r'href="([^"]*)" class="box"', html) == [f"{SITE}/bots/fat-crow/", f"{SITE}/g/x/"]
    assert f'See <a href="{SITE}/cup/">' in html


@pytest.mark.parametrize(
    "name",
    [
        "http://evil.example/",
        "www.evil.example",
        '<a href="http://evil.example/">sign in</a>',
        "http://testserver.evil.example/",
        '" onclick="x',
    ],
)
def test_no_name_becomes_a_link_or_markup(name: str) -> None:
    html = html_of(
        email_message(to="rosa@example.org", subject=name, text=f"Your bot {name} has entered: {SITE}/bots/x/")
    )
    assert re.findall(r'href="([^"]*)"', html) == [f"{SITE}/bots/x/", f"{SITE}/"]
    assert 'onclick="' not in html
    assert '<a href="http://evil' not in html
